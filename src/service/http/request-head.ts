import type {IncomingMessage} from 'node:http';
import {PaylensError} from '../../contract/paylens-error.js';

/** A request as it came in. */
export interface RawRequest {
  /** As sent: path, and query if there is one. It may contain secrets. */
  readonly target: string;
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
}

/** A parameter of a media type, or none after its semicolon (RFC 9110, 5.6.6). */
const PARAMETER =
  /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")[ \t]*)?/gy;

/**
 * Throws 2007 unless there is one Content-Type, JSON in UTF-8, and no Content-Encoding: bodies are
 * never decompressed. Parameters other than charset mean nothing, and are ignored (RFC 2045, 5).
 */
export function assertJson(rawHeaders: readonly string[]): void {
  const [type, ...more] = headerValues(rawHeaders, 'content-type');
  const fault = more.length > 0 ? 'two' : typeFault(type);
  if (fault !== undefined) throw new PaylensError(2007, `found ${fault}`);
  const encodings = headerValues(rawHeaders, 'content-encoding');
  if (encodings.some((encoding) => encoding.trim().toLowerCase() !== 'identity')) {
    throw new PaylensError(2007, 'Content-Encoding must be identity');
  }
}

/** What was sent in place of JSON in UTF-8, if it looks like a media type; other texts could be secret. */
function typeFault(type: string | undefined): string | undefined {
  if (type === undefined) return 'none';
  const [name = ''] = type.split(';', 1);
  const rest = type.slice(name.length);
  if (!/^application\/json[ \t]*$/i.test(name))
    return /^[a-z]+\/[a-z.+-]{1,40} *$/i.test(name) ? name.trim() : 'text that is not a media type';
  const parameters = [...rest.matchAll(PARAMETER)];
  if (parameters.map(([text]) => text).join('') !== rest)
    return 'application/json with a malformed parameter: expected name=value';
  for (const [, parameter = '', value = ''] of parameters)
    if (parameter.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value))
      return /^[a-z0-9-]{1,20}$/i.test(value)
        ? `application/json; charset=${value}`
        : 'application/json with another charset than UTF-8';
  return undefined;
}

/** The 2009 of a request that Node's parser lets through although RFC 9112 forbids it. */
export function framingError(request: IncomingMessage): PaylensError | undefined {
  const {rawHeaders, httpVersion, url = ''} = request;
  const hosts = headerValues(rawHeaders, 'host').length;
  const codings = headerValues(rawHeaders, 'transfer-encoding').join(',');
  const why =
    (!/^1\.[01]$/.test(httpVersion) && 'not an HTTP/1.1 request line') ||
    (hosts > 1 && 'two Host headers') ||
    (hosts === 0 && httpVersion !== '1.0' && 'no Host header') ||
    (codings !== '' &&
      codings.trim().toLowerCase() !== 'chunked' &&
      'unsupported transfer coding: expected chunked') ||
    (url.includes('#') && 'unexpected fragment in the request target');
  return why ? new PaylensError(2009, why) : undefined;
}

/** Headers by their names, in the order sent. */
export function headerPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((value, i) => (i % 2 === 1 ? [[rawHeaders[i - 1] ?? '', value]] : []));
}

/** Every value of a header, in the order sent: Node's own table keeps the first of two. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const found = rawHeaders[i] ?? '';
    // Most names already differ in length.
    if (found.length === name.length && found.toLowerCase() === name)
      values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}
