import {type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp} from 'node:http';
import {request as requestHttps} from 'node:https';
import {isLoopbackUrl} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemCode, systemReason} from '../../files/system-error.js';
import {collectBody} from './collect-body.js';
import {headerPairs, headerValues, type RawRequest} from './request-head.js';

/** A request to pass on. */
export interface ForwardedRequest extends RawRequest {
  readonly method: string;
}

/** The answer of an endpoint, without what belongs to its connection. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly message: string;
  readonly rawHeaders: readonly string[];
  /** As sent: maybe compressed. */
  readonly body: Uint8Array;
}

/** Room for a body: called with its old and new size. */
type Resize = (before: number, bytes: number) => boolean;

/** Where requests are passed on to. */
export interface Upstream {
  readonly origin: URL;
  /** Milliseconds until the whole answer must be there; default 30 s. */
  readonly timeout?: number | undefined;
}

/** Far above any answer of the interface: a payload has at most 64 KiB. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_ANSWER_MS = 30_000;

/** The origin of an endpoint: https, or http on this machine. Throws 9001. */
export function upstreamOrigin(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const expected = 'expected https://HOST[:PORT], or http on a loopback address';
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new PaylensError(9001, `--upstream: ${expected}`);
  if (url.pathname !== '/' || url.search || url.hash)
    throw new PaylensError(9001, `--upstream: ${expected}, without a path`, {
      hint: 'Clients sign the path: with another one before it, every signature would fail.',
    });
  if (url.protocol === 'http:' && !isLoopbackUrl(url))
    throw new PaylensError(9001, `--upstream: ${expected}`, {
      hint: 'Over plain HTTP, others could read the cards in transit.',
    });
  return url;
}

/**
 * Sends a request to an endpoint on a connection of its own, so that nothing of one answer is ever
 * read as another. Throws what `failure` says of its errors, and 2 for an answer that is no HTTP,
 * above 1 MiB, cut off or late; `signal` ends it.
 */
export async function sendUpstream(
  {origin, timeout = MAX_ANSWER_MS}: Upstream,
  {method, target, rawHeaders, body}: ForwardedRequest,
  {signal, resize}: {readonly signal: AbortSignal; readonly resize: Resize},
): Promise<UpstreamAnswer> {
  const late = AbortSignal.timeout(timeout);
  const send = origin.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = upstreamHeaders(rawHeaders, origin.host, method, body);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(failure(error, late.aborted ? timeout : undefined));
    const outgoing = send(origin, {
      ...{method, path: target, agent: false, insecureHTTPParser: false, rejectUnauthorized: true},
      headers: headers as unknown as OutgoingHttpHeaders,
      signal: AbortSignal.any([signal, late]),
    });
    outgoing.on('error', fail).on('response', (incoming: IncomingMessage) => {
      collectBody(incoming, {maxBytes: MAX_ANSWER_BYTES, resize}, (error, answer) => {
        outgoing.destroy();
        const {statusCode: status = 502, statusMessage: message = ''} = incoming;
        if (error || status > 999 || status < 200) fail(error ?? {code: 'HPE_INVALID_STATUS'});
        else
          resolve({
            status,
            message,
            rawHeaders: endToEnd(incoming.rawHeaders),
            body: answer ?? body,
          });
      });
    });
    // After a switch of protocols nothing else is emitted.
    outgoing.on('close', () => fail({code: 'ECONNRESET'}));
    outgoing.end(body);
  });
}

/** The error for a failed exchange; `timeout` if it was too late. */
function failure(error: unknown, timeout: number | undefined): PaylensError {
  const why =
    (timeout !== undefined && `it has not answered within ${timeout / 1000} s`) ||
    (error instanceof PaylensError && error.code === 2006 && 'its answer is above 1 MiB') ||
    (error instanceof PaylensError ? error.detail : reasonOf(error));
  return new PaylensError(2, `no response of the endpoint: ${why}`, {
    cause: {isLate: timeout !== undefined},
  });
}

/** In the words of the system; the codes of certificates say enough. */
function reasonOf(error: unknown): string {
  const {code = 'unknown'} = error as {readonly code?: string};
  if (code.startsWith('HPE_')) return 'what it sent is not HTTP';
  return systemCode(error) === undefined ? code : systemReason(error);
}

/** Headers of a connection, not of a message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set(
  'connection proxy-connection keep-alive te transfer-encoding upgrade'.split(' '),
);

/** Headers without those of the connection, and without those that `Connection` names. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  const named = headerValues(rawHeaders, 'connection').flatMap((value) => value.split(','));
  const dropped = new Set([...HOP_BY_HOP, ...named.map((name) => name.trim().toLowerCase())]);
  // The length is that of the body, whatever a client says about it.
  dropped.delete('content-length');
  const pairs = headerPairs(rawHeaders);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

/** In the order and the case in which they came; only Host is another, and the body keeps its framing. */
function upstreamHeaders(
  rawHeaders: readonly string[],
  host: string,
  method: string,
  body: Uint8Array,
): string[] {
  const has = (name: string) => headerValues(rawHeaders, name).length > 0;
  const kept = headerPairs(endToEnd(rawHeaders)).map(([name, value]) => [
    name,
    name.toLowerCase() === 'host' ? host : value,
  ]);
  // With Expect, Node writes headers as UTF-8; the body is there, so it may be left out.
  const isLatin = rawHeaders.some((text) => /[^\0-\x7f]/.test(text));
  const isChunked = has('transfer-encoding');
  const isBare =
    !isChunked && !has('content-length') && !/^(?:GET|HEAD|DELETE|OPTIONS)$/.test(method);
  return [
    ...(kept.some(([name]) => name?.toLowerCase() === 'host') ? [] : [['Host', host]]),
    ...kept.filter(([name]) => !(isLatin && name?.toLowerCase() === 'expect')),
    ...(isChunked ? [['Transfer-Encoding', 'chunked']] : []),
    ...(isBare ? [['Content-Length', String(body.length)]] : []),
  ].flat();
}
