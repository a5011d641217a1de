import type {IncomingMessage} from 'node:http';
import type {FastifyRequest} from 'fastify';
import {isLoopbackAddress} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {parseAuthority} from '../http/door/authority.js';
import {originError} from '../http/door/origin-error.js';
import {headerValues} from '../http/request-head.js';

/** What an asker of the inspector must be true to. */
export interface InspectorDoor {
  readonly scheme: 'http' | 'https';
  /** The port that the service listens on. */
  readonly port: () => number;
}

/** A proxy on this machine speaks for others. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];
const OWN_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i;
const USUAL_PORT = {http: 80, https: 443} as const;
/**
 * What a browser fetches for the page itself: a navigation or a call, never a frame or an image. By
 * its head a page asks whether it is older than its server.
 */
const DESTINATIONS = {page: /^document$/, head: /^(?:document|empty)$/, data: /^empty$/} as const;

/** Whether the inspector does not exist for an asker: one that is not on this machine. */
export function isHiddenFrom({socket, rawHeaders}: IncomingMessage): boolean {
  if (!isLoopbackAddress(socket.remoteAddress ?? '')) return true;
  return FORWARDED.some((name) => headerValues(rawHeaders, name).length > 0);
}

/**
 * The reason to refuse a request for the inspector, in every mode: another name than those of
 * loopback with this port (2010), or a page of another origin, a frame or an image (2011). The rules
 * of the service are weaker: they let in what `--allowed-host` names, and in real mode any origin.
 */
export function inspectorError(
  {raw: request, originalUrl}: Pick<FastifyRequest, 'raw' | 'originalUrl'>,
  kind: keyof typeof DESTINATIONS,
  {scheme, port}: InspectorDoor,
): PaylensError | undefined {
  const {rawHeaders, headers} = request;
  if (headers.upgrade !== undefined) return new PaylensError(2009, 'unexpected Upgrade header');
  const hosts = headerValues(rawHeaders, 'host');
  if (hosts.length !== 1 || !isOwn(hosts[0] ?? '', scheme, port()) || !originalUrl.startsWith('/'))
    return new PaylensError(2010, `the inspector answers to localhost and 127.0.0.1 on its port`);
  if (['origin', 'sec-fetch-site', 'sec-fetch-dest'].some((name) => isRepeated(rawHeaders, name)))
    return new PaylensError(2011, 'expected Origin and Sec-Fetch headers once');
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined && !DESTINATIONS[kind].test(String(destination)))
    return new PaylensError(
      2011,
      `expected Sec-Fetch-Dest ${kind === 'page' ? 'document' : 'empty'}`,
    );
  return originError(request, scheme);
}

function isOwn(host: string, scheme: InspectorDoor['scheme'], port: number): boolean {
  const [whole, found = String(USUAL_PORT[scheme])] = OWN_NAME.exec(host) ?? [];
  return whole !== undefined && parseAuthority(host) !== undefined && Number(found) === port;
}

function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  return headerValues(rawHeaders, name).length > 1;
}
