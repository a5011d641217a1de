import type {IncomingMessage} from 'node:http';
import {PaylensError} from '../../contract/paylens-error.js';
import {MAX_HEADERS} from './new-http-server.js';
import {closingRefusal, overloaded, type Refusal, requestPath} from './refusals.js';
import {framingError} from './request-head.js';
import {type Authority, parseAuthority, type ServedHosts} from './served-hosts.js';

/** Rules that a request must satisfy before it is routed. */
export interface HostRules {
  readonly hosts: ServedHosts;
  readonly scheme: 'http' | 'https';
  /** Demo and mock, whose keys are published: requests from other web pages are refused. */
  readonly isTest: boolean;
  readonly isDraining: () => boolean;
}

/** Load balancers probe with any host name, and the answers are public. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** Their answers do not depend on earlier requests. */
const STATELESS = /^\/(?:healthz|readyz|openapi\.json|docs\/?)$/;
const OWN_SITES = /^(?:same-origin|none)$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = {http: '80', https: '443'};

/**
 * The reason to reject a request regardless of its path. While the service `isBusy`, it takes no body
 * that may come in thousands of chunks.
 */
export function rejectEarly(
  request: IncomingMessage,
  rules: HostRules,
  isBusy: boolean,
): Refusal | undefined {
  const {rawHeaders, headers, method} = request;
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return closingRefusal(new PaylensError(2009, `expected at most ${MAX_HEADERS} headers`), {
      status: 431,
    });
  const error = earlyError(request, rules);
  if (error) return closingRefusal(error);
  if (isBusy && headers['transfer-encoding']) return closingRefusal(overloaded().error);
  // The information routes themselves report that the service is not ready.
  const isStopping = rules.isDraining() && method !== 'GET';
  return isStopping
    ? closingRefusal(new PaylensError(2, 'the service is shutting down'))
    : undefined;
}

/**
 * The 2011 of a request that a page of another origin sends: browsers send Origin and
 * Sec-Fetch-Site. Programs send neither.
 */
export function originError(
  {headers}: IncomingMessage,
  scheme: 'http' | 'https',
): PaylensError | undefined {
  const {origin, host = ''} = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && !OWN_SITES.test(String(site)))
    return new PaylensError(2011, 'expected Sec-Fetch-Site same-origin or none');
  if (origin === undefined || isOwnOrigin(origin, scheme, host)) return undefined;
  return new PaylensError(2011, 'expected no Origin, or the origin of this service');
}

function earlyError(request: IncomingMessage, rules: HostRules): PaylensError | undefined {
  const {hosts, scheme, isTest} = rules;
  const malformed = framingError(request);
  if (malformed) return malformed;
  const path = requestPath(request);
  const foreign = PROBES.has(path) ? undefined : hostError(request, hosts);
  if (foreign) return foreign;
  return isTest && !STATELESS.test(path) ? originError(request, scheme) : undefined;
}

/**
 * The 2010 of a request to a host that is not served: in its Host header, or in a target in absolute
 * form. A request without both, in HTTP/1.0, does not come from a browser.
 */
export function hostError(
  {headers: {host}, url = ''}: IncomingMessage,
  hosts: ServedHosts,
): PaylensError | undefined {
  const named = [host, targetAuthority(url)].filter((authority) => authority !== undefined);
  const foreign = named.find((authority) => !hosts.has(authority));
  if (foreign === undefined) return undefined;
  const found = parseAuthority(foreign)?.name ?? 'no host name';
  return new PaylensError(
    2010,
    `found ${found}; allow it with --allowed-host (startServer: allowedHosts)`,
  );
}

/** The authority of a target in absolute form. */
function targetAuthority(target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  return /^[^/?]*:\/\/([^/?]*)/.exec(target)?.[1];
}

/** Two origins are the same if scheme, host and port are (RFC 6454, 5). */
function isOwnOrigin(origin: string, scheme: string, host: string): boolean {
  const [, found, rest = ''] = /^(https?):\/\/(.*)$/.exec(origin) ?? [];
  const theirs = parseAuthority(rest);
  const ours = parseAuthority(host);
  if (found !== scheme || !theirs || !ours) return false;
  return theirs.name === ours.name && effectivePort(theirs, scheme) === effectivePort(ours, scheme);
}

function effectivePort({port}: Authority, scheme: string): string | undefined {
  return port === '' ? DEFAULT_PORTS[scheme] : port;
}
