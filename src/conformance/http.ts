import type {Dispatcher} from 'undici';
import {exchange, type HttpCall} from '../client/exchange.js';
import type {PaylensError} from '../contract/paylens-error.js';

interface HttpOptions {
  /** Milliseconds that an answer may take. */
  readonly timeout: number;
  /** Its own connections, for a proxy or another trusted certificate. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** A response with every value of every header, names in lower case. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
}

/**
 * Sends one request unchanged, even a malformed one. Throws 9020 if there is no response, 9021 if it
 * is longer than 1 MiB.
 */
export async function sendHttp(call: HttpCall, options: HttpOptions): Promise<HttpReply> {
  const {status, headers, body} = await exchange(call, options);
  return {status, headers, text: new TextDecoder().decode(body)};
}

/** Whether no connection was made: nothing listens there, or the certificate was rejected. */
export function isUnreachable({cause}: PaylensError): boolean {
  const {code = ''} = (cause ?? {}) as NodeJS.ErrnoException;
  return NO_CONNECTION.has(code) || /CERT|TLS|SSL/.test(code);
}

const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
