import type {Dispatcher} from 'undici';
import {networkReason} from '../client/network-reason.js';
import {PaylensError} from '../contract/paylens-error.js';

interface HttpCall {
  readonly url: string;
  readonly verb: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface HttpOptions {
  /** Milliseconds that an answer may take. */
  readonly timeout: number;
  /** Connections of its own: with a proxy, or with another certificate to trust. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** A response with every value of every header, names in lower case. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
}

/** Sends one request as it stands, whatever is wrong with it. Throws 9020 when no answer comes. */
export async function sendHttp(
  call: HttpCall,
  {timeout, dispatcher}: HttpOptions,
): Promise<HttpReply> {
  const {request} = await import('undici');
  try {
    const {statusCode, headers, body} = await request(call.url, {
      method: call.verb as 'POST',
      headers: call.headers,
      body: call.body ?? null,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      ...(dispatcher && {dispatcher}),
    });
    const text = await body.text();
    const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()]);
    return {status: statusCode, headers: Object.fromEntries(entries), text};
  } catch (error) {
    const why = networkReason((error as NodeJS.ErrnoException).code);
    throw new PaylensError(9020, `${call.verb} ${call.url}: ${why}`, {cause: error});
  }
}

/** Whether there was not even a connection: nothing listens there, or its certificate is no good. */
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
