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

/** `application/json`, with at most a charset of UTF-8. */
const JSON_CONTENT_TYPE =
  /^application\/json(?:[ \t]*;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?)?[ \t]*$/i;

/**
 * Throws 2007 unless there is one Content-Type, JSON in UTF-8, and no Content-Encoding: bodies are
 * never decompressed.
 */
export function assertJson(rawHeaders: readonly string[]): void {
  const types = headerValues(rawHeaders, 'content-type');
  const [type] = types;
  if (type === undefined || types.length > 1 || !JSON_CONTENT_TYPE.test(type)) {
    throw new PaylensError(2007, `found ${types.length > 1 ? 'two' : shownMediaType(type)}`);
  }
  const encodings = headerValues(rawHeaders, 'content-encoding');
  if (encodings.some((encoding) => encoding.trim().toLowerCase() !== 'identity')) {
    throw new PaylensError(2007, 'Content-Encoding must be identity');
  }
}

/** A media type as sent, if it looks like one; other texts could be secret. */
function shownMediaType(type: string | undefined): string {
  if (type === undefined) return 'none';
  return /^[a-z]+\/[a-z.+-]{1,40}(?: *; *charset *= *[a-z0-9-]{1,20})? *$/i.test(type)
    ? type.trim()
    : 'another media type';
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
