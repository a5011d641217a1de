import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import type {FastifyRequest} from 'fastify';
import {isLoopbackAddress} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {originError} from '../http/reject-early.js';
import {headerValues} from '../http/request-head.js';
import {parseAuthority} from '../http/served-hosts.js';

/** The origin of the inspector's pages. */
export interface InspectorOrigin {
  readonly scheme: 'http' | 'https';
  /** The port that the service listens on. */
  readonly port: () => number;
}

/** Headers of a proxy on this machine, which forwards requests of other machines. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];
const OWN_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i;
const USUAL_PORT = {http: 80, https: 443} as const;
/** The destinations of the page's own requests: a navigation or a call, never a frame or an image. */
const DESTINATIONS = {page: /^document$/, data: /^empty$/} as const;

/** Whether a request comes from another machine: then the inspector does not exist. */
export function isHiddenFrom({socket, rawHeaders}: IncomingMessage): boolean {
  if (!isLoopbackAddress(socket.remoteAddress ?? '')) return true;
  return FORWARDED.some((name) => headerValues(rawHeaders, name).length > 0);
}

/**
 * The reason to refuse a request for the inspector, in every mode: a host other than loopback with this port (2010), or a page of another origin, a frame or an image (2011). The rules
 * of the service are weaker: they accept the names of `--allowed-host`, and in real mode any origin.
 */
export function inspectorError(
  {raw: request, originalUrl}: Pick<FastifyRequest, 'raw' | 'originalUrl'>,
  kind: keyof typeof DESTINATIONS,
  {scheme, port}: InspectorOrigin,
): PaylensError | undefined {
  const {rawHeaders, headers} = request;
  if (headers.upgrade !== undefined) return new PaylensError(2009, 'unexpected Upgrade header');
  const hosts = headerValues(rawHeaders, 'host');
  if (
    hosts.length !== 1 ||
    !isOwnHost(hosts[0] ?? '', scheme, port()) ||
    !originalUrl.startsWith('/')
  )
    return new PaylensError(2010, `the inspector answers to localhost and 127.0.0.1 on its port`);
  const isRepeated = (name: string) => headerValues(rawHeaders, name).length > 1;
  if (['origin', 'sec-fetch-site', 'sec-fetch-dest'].some(isRepeated))
    return new PaylensError(2011, 'expected Origin and Sec-Fetch headers once');
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined && !DESTINATIONS[kind].test(String(destination)))
    return new PaylensError(
      2011,
      `expected Sec-Fetch-Dest ${kind === 'page' ? 'document' : 'empty'}`,
    );
  return originError(request, scheme);
}

function isOwnHost(host: string, scheme: InspectorOrigin['scheme'], port: number): boolean {
  const [whole, found = String(USUAL_PORT[scheme])] = OWN_NAME.exec(host) ?? [];
  return whole !== undefined && parseAuthority(host) !== undefined && Number(found) === port;
}

/** After so many wrong tokens, further wrong ones get 503 during a pause. */
const MAX_WRONG_TOKENS = 10;
const PAUSE_MS = 60_000;

/** Checks the token of an inspector that not every user of this machine may open. */
export class InspectorToken {
  readonly #digest: Buffer;
  readonly #elapsed: () => number;
  #wrong = 0;
  #pausedUntil = 0;

  /** `elapsed`: milliseconds of a steady clock. */
  constructor(token: string, elapsed: () => number) {
    this.#digest = digest(token);
    this.#elapsed = elapsed;
  }

  /**
   * Throws 1003 unless a request has the token in an Authorization header (RFC 6750, 2.1), and 2 for
   * a wrong one after too many. The right one is accepted even during the pause: 256 bits cannot be
   * guessed, and wrong tokens must not lock out the user who has it.
   */
  assertSent(rawHeaders: readonly string[]): void {
    const values = headerValues(rawHeaders, 'authorization');
    const [, token] = /^Bearer ([\w-]+)$/.exec(values[0] ?? '') ?? [];
    const isToken = token !== undefined && values.length === 1;
    if (isToken && timingSafeEqual(digest(token), this.#digest)) return;
    if (isToken) this.#countWrong();
    throw new PaylensError(1003, 'open the address of the ready line: it has the token');
  }

  #countWrong(): void {
    const now = this.#elapsed();
    if (now < this.#pausedUntil) throw new PaylensError(2, 'too many wrong tokens');
    this.#wrong += 1;
    if (this.#wrong < MAX_WRONG_TOKENS) return;
    this.#wrong = 0;
    this.#pausedUntil = now + PAUSE_MS;
  }
}

/** Digests have the same length, so that comparing them takes the same time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
