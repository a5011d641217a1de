import {describeFault, findSyntaxFault} from '../../contract/json-fault.js';
import {isJsonObject, type JsonObject, kindOf} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {CapturedRequest} from './captured-request.js';

/**
 * The requests of an HTTP Archive (HAR 1.2), of a list of its entries, of one entry, or of the
 * `request` of one. Throws 9002, which names the member.
 */
export function harRequests(text: string): CapturedRequest[] {
  return entriesOf(parsed(text)).map(({value, place}) => entryRequest(value, place));
}

interface Placed {
  readonly value: unknown;
  readonly place: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text of a SyntaxError quotes the input.
    throw new PaylensError(9002, `HAR: ${describeFault(findSyntaxFault(text))}`);
  }
}

function entriesOf(value: unknown): Placed[] {
  const entries = isJsonObject(value) && isJsonObject(value.log) ? value.log.entries : value;
  const place = entries === value ? 'entries' : 'log.entries';
  if (!Array.isArray(entries)) return [{value: entries, place: 'entry'}];
  return entries.map((entry, i) => ({value: entry, place: `${place}[${i}]`}));
}

function entryRequest(value: unknown, place: string): CapturedRequest {
  if (!isJsonObject(value)) throw unfitHar(place, 'an object', value);
  const isBare = value.request === undefined && typeof value.method === 'string';
  const request = isBare ? value : value.request;
  const at = isBare ? place : `${place}.request`;
  if (!isJsonObject(request)) throw unfitHar(at, 'an object with method, url and headers', request);
  const sentAt = Date.parse(String(value.startedDateTime));
  return {
    method: textMember(request, 'method', at),
    url: bytesAsText(textMember(request, 'url', at)),
    headers: harHeaders(request, at),
    body: bodyOf(request.postData, `${at}.postData`),
    ...(!Number.isNaN(sentAt) && {sentAt}),
  };
}

function harHeaders({headers = []}: JsonObject, place: string): [string, string][] {
  if (!Array.isArray(headers)) throw unfitHar(`${place}.headers`, 'an array', headers);
  return headers.map((header, i) => {
    const at = `${place}.headers[${i}]`;
    if (!isJsonObject(header)) throw unfitHar(at, 'an object', header);
    return [textMember(header, 'name', at), bytesAsText(textMember(header, 'value', at))];
  });
}

function bodyOf(postData: unknown, place: string): Uint8Array {
  if (postData === undefined || postData === null) return new Uint8Array();
  if (!isJsonObject(postData)) throw unfitHar(place, 'an object', postData);
  const {text = '', encoding = postData._encoding, params} = postData;
  if (typeof text !== 'string') throw unfitHar(`${place}.text`, 'a string', text);
  if (text === '' && Array.isArray(params) && params.length > 0)
    throw new PaylensError(9002, `HAR: ${place}: expected text, found params only`);
  if (encoding === undefined || encoding === '') return Buffer.from(text);
  if (encoding === 'base64') return base64Body(text, place);
  throw new PaylensError(9002, `HAR: ${place}.encoding: expected base64, found another`);
}

// Buffer would skip characters outside base64.
function base64Body(text: string, place: string): Uint8Array {
  const compact = text.replace(/\s/g, '');
  const bytes = Buffer.from(compact, 'base64');
  if (bytes.toString('base64').replace(/={1,2}$/, '') === compact.replace(/={1,2}$/, ''))
    return bytes;
  throw new PaylensError(9002, `HAR: ${place}.text: expected base64, found other text`);
}

function textMember(object: JsonObject, name: string, place: string): string {
  const value = object[name];
  if (typeof value === 'string') return value;
  throw unfitHar(`${place}.${name}`, 'a string', value);
}

function bytesAsText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function unfitHar(place: string, expected: string, found: unknown): PaylensError {
  const kind = found === undefined ? 'nothing' : kindOf(found);
  return new PaylensError(9002, `HAR: ${place}: expected ${expected}, found ${kind}`);
}
