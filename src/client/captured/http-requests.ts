import {PaylensError} from '../../contract/paylens-error.js';
import type {CapturedRequest} from './captured-request.js';

/** With a version, or as `.http` files have it; a token of Basic does not match. */
const REQUEST_LINE =
  /^([A-Za-z]{1,20})[ \t]+(\S+)[ \t]+HTTP\/[\d.]+[ \t]*$|^([A-Z]{1,20})[ \t]+(https?:\/\/\S+|\/\S*)[ \t]*$/;
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/;
/** Both linear in runs of blanks: a run is tried at its start only. */
const OUTER_BLANKS = /^[ \t]+|(?<![ \t])[ \t]+$/g;
const LINE_ENDS = /(?<![\r\n])(?:\r?\n)+$/;
/** The line between two requests of an `.http` file. */
const SEPARATOR = /^###.*(?:\n|$)/m;
const HTTP_COMMENT = /^[ \t]*(?:#|\/\/|@).*$|^[ \t]*$/;

/** Whether a text begins with a request line, comments of an `.http` file aside. */
export function isHttpText(text: string): boolean {
  const first = text.split('\n', 100).find((line) => !HTTP_COMMENT.test(line.replace(/\r$/, '')));
  return first !== undefined && REQUEST_LINE.test(first.replace(/\r$/, ''));
}

/**
 * The requests of an HTTP text: one as it went over the wire, or those of an `.http` file. One byte
 * a character. Throws 9002, which names the line.
 */
export function httpRequests(text: string): CapturedRequest[] {
  const requests: CapturedRequest[] = [];
  const parts = text.split(SEPARATOR);
  let line = 1;
  for (const [index, part] of parts.entries()) {
    // The line end before a separator belongs to the separator.
    const own = index < parts.length - 1 ? part.replace(LINE_ENDS, '') : part;
    if (own.split('\n').some((one) => !HTTP_COMMENT.test(one.replace(/\r$/, ''))))
      requests.push(httpRequest(own, line));
    line += part.split('\n').length;
  }
  return requests;
}

function httpRequest(part: string, firstLine: number): CapturedRequest {
  const {lines, body} = headAndBody(part);
  const start = lines.findIndex((line) => !HTTP_COMMENT.test(line));
  const found = REQUEST_LINE.exec(lines[start] ?? '') ?? [];
  const method = found[1] ?? found[3] ?? '';
  const url = found[2] ?? found[4] ?? '';
  if (method === '') throw unfitHttp(firstLine + start, 'METHOD URL');
  const headers = lines.slice(start + 1).map((line, i): [string, string] => {
    const [, name = '', value = ''] = HEADER.exec(line) ?? [];
    if (name === '') throw unfitHttp(firstLine + start + 1 + i, 'NAME: VALUE');
    return [name, value.replace(OUTER_BLANKS, '')];
  });
  return {method, url, headers, body: Buffer.from(bodyAsSent(body, headers), 'latin1')};
}

/** The lines up to the first blank one after the request line, and the rest. */
function headAndBody(part: string): {readonly lines: string[]; readonly body: string} {
  const lines: string[] = [];
  let hasBegun = false;
  let at = 0;
  while (at < part.length) {
    const end = part.indexOf('\n', at);
    const line = part.slice(at, end < 0 ? part.length : end).replace(/\r$/, '');
    at = end < 0 ? part.length : end + 1;
    if (hasBegun && line === '') break;
    hasBegun ||= !HTTP_COMMENT.test(line);
    lines.push(line);
  }
  return {lines, body: part.slice(at)};
}

// An editor adds a line end to the file, which is not part of the body.
function bodyAsSent(body: string, headers: readonly (readonly [string, string])[]): string {
  const value = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
  if (/chunked/i.test(value('transfer-encoding') ?? ''))
    throw new PaylensError(9002, 'HTTP request: expected a whole body, found a chunked one');
  const length = value('content-length');
  if (length === undefined) return body;
  if (/^\d{1,9}$/.test(length) && Number(length) <= body.length)
    return body.slice(0, Number(length));
  throw new PaylensError(
    9002,
    `HTTP request: Content-Length differs from the body, which has ${body.length} bytes`,
    {hint: 'The body was changed after it was sent. Take it from the client again.'},
  );
}

function unfitHttp(line: number, expected: string): PaylensError {
  return new PaylensError(9002, `HTTP request, line ${line}: expected ${expected}`);
}
