import type {IncomingMessage} from 'node:http';
import {PaylensError} from '../../../contract/paylens-error.js';
import {type Authority, parseAuthority} from './authority.js';

const OWN_SITES = /^(?:same-origin|none)$/;
const USUAL_PORT: Readonly<Record<string, string>> = {http: '80', https: '443'};

/**
 * The 2011 of a request that a page of somebody else sends: browsers say so in Origin and
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
  if (origin === undefined || isOwn(origin, scheme, host)) return undefined;
  return new PaylensError(2011, 'expected no Origin, or the origin of this service');
}

/** Two origins are one when scheme, host and port are the same (RFC 6454, 5). */
function isOwn(origin: string, scheme: string, host: string): boolean {
  const [, found, rest = ''] = /^(https?):\/\/(.*)$/.exec(origin) ?? [];
  const theirs = parseAuthority(rest);
  const ours = parseAuthority(host);
  if (found !== scheme || !theirs || !ours) return false;
  return theirs.name === ours.name && portOf(theirs, scheme) === portOf(ours, scheme);
}

function portOf({port}: Authority, scheme: string): string | undefined {
  return port === '' ? USUAL_PORT[scheme] : port;
}
