import {PaylensError} from '../contract/paylens-error.js';

interface HttpCall {
  readonly url: string;
  readonly verb: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A response with every value of every header, names in lower case. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
}

/** Sends one request as it stands, whatever is wrong with it. Throws 9020 when no answer comes. */
export async function sendHttp(call: HttpCall, timeout: number): Promise<HttpReply> {
  const {request} = await import('undici');
  try {
    const {statusCode, headers, body} = await request(call.url, {
      method: call.verb as 'POST',
      headers: call.headers,
      body: call.body ?? null,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    });
    const text = await body.text();
    const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()]);
    return {status: statusCode, headers: Object.fromEntries(entries), text};
  } catch (error) {
    const {code = 'no answer'} = error as NodeJS.ErrnoException;
    throw new PaylensError(9020, `${call.verb} ${call.url}: ${code}`, {cause: error});
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
