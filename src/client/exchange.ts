import type {Dispatcher} from 'undici';
import {PaylensError} from '../contract/paylens-error.js';

/** An HTTP request, even a malformed one. */
export interface HttpCall {
  readonly url: string;
  readonly verb: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
}

/** A response with every value of every header, names in lower case. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Uint8Array;
}

/** Connections, and the proxy that one of them is waiting for. */
export type Connections = Dispatcher & {readonly awaitedProxy?: () => string | undefined};

interface ExchangeOptions {
  /** Milliseconds from the first step of the connection to the last byte received. */
  readonly timeout: number;
  readonly dispatcher?: Connections | undefined;
}

/** Far above any response of the interface: a payload has at most 64 KiB. */
const MAX_REPLY_BYTES = 1024 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'host name lookup failed',
  ECONNRESET: 'connection reset by peer',
  UND_ERR_SOCKET: 'connection closed before the response was complete',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'response timed out',
  UND_ERR_BODY_TIMEOUT: 'response body was incomplete',
  UND_ERR_HEADERS_OVERFLOW: 'response headers are longer than 16 KiB',
  HTTPParserError: 'the response is not HTTP',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate: trust it with NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate: pass it with --ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified: pass its CA with --ca',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS; it may be an http address',
};

/**
 * Sends one request and reads the whole response. Throws 9020 when none came in time, with the
 * reason as its cause, and 9021 when it is longer than 1 MiB: no more of it is read. Both name the URL.
 */
export async function exchange(call: HttpCall, options: ExchangeOptions): Promise<HttpReply> {
  const {timeout, dispatcher} = options;
  const controller = new AbortController();
  const {signal} = controller;
  let missing = 'no response';
  const began = (status: number) => {
    missing = `the response (HTTP ${status}) was not complete`;
  };
  const late = () => new DOMException(`${missing} within ${timeout / 1000} s`, 'TimeoutError');
  const timer = setTimeout(() => controller.abort(late()), timeout);
  try {
    // While it connects, to a proxy for example, undici ignores the signal.
    return await Promise.race([send(call, options, {signal, began}), failsWith(signal)]);
  } catch (error) {
    const {code, detail, hint, cause} =
      error instanceof PaylensError ? error : networkError(error, dispatcher?.awaitedProxy?.());
    throw new PaylensError(code, `${call.verb} ${call.url}: ${detail}`, {hint, cause});
  } finally {
    clearTimeout(timer);
  }
}

async function send(
  {url, verb, headers, body}: HttpCall,
  {timeout, dispatcher}: ExchangeOptions,
  {signal, began}: {signal: AbortSignal; began: (status: number) => void},
): Promise<HttpReply> {
  const {request} = await import('undici');
  const response = await request(url, {
    method: verb as 'POST',
    headers,
    body: body ?? null,
    signal,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    ...(dispatcher && {dispatcher}),
  });
  began(response.statusCode);
  const entries = Object.entries(response.headers);
  return {
    status: response.statusCode,
    headers: Object.fromEntries(entries.map(([name, value]) => [name, [value ?? []].flat()])),
    body: await readLimited(response.body, response.statusCode),
  };
}

async function readLimited(stream: AsyncIterable<Uint8Array>, status: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MAX_REPLY_BYTES)
      throw new PaylensError(
        9021,
        `HTTP ${status}: expected at most ${MAX_REPLY_BYTES} bytes, found more`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function failsWith(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), {once: true});
  });
}

/** The 9020 for an error of undici, TLS or the system; of a proxy by its name, and status if it answered. */
export function networkError(cause: unknown, proxy?: string, status?: number): PaylensError {
  const reason = status === undefined ? networkReason(cause) : `HTTP ${status}`;
  if (proxy === undefined) return new PaylensError(9020, reason, {cause});
  const detail = `no connection through the proxy ${proxy}: ${reason}`;
  const hint =
    status === 407
      ? 'Give the name and password for the proxy: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, or HTTP_PROXY.'
      : 'Check the proxy in HTTPS_PROXY or HTTP_PROXY, have it allow the host, or add the host to NO_PROXY.';
  return new PaylensError(9020, detail, {hint, cause});
}

function networkReason(error: unknown): string {
  const {name = '', code, cause, message} = error as Partial<NodeJS.ErrnoException>;
  if (name === 'TimeoutError') return message ?? name;
  const known = REASONS[name]
    ? name
    : (code ?? (cause as {code?: string} | undefined)?.code ?? name);
  return REASONS[known] ?? `${known} (system error)`;
}
