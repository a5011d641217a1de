import {bodyObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {TerminalType} from '../../engine/families/registry.js';
import {isCase} from '../../input/case.js';
import {plainCharacters} from '../../input/notations/plain-characters.js';
import {mayBePaste} from '../../input/paste/judge.js';
import {readPaste} from '../../input/paste/read-paste.js';
import {requestBody, toRequest, withoutLineEnd} from '../../input/paste/request-input.js';

/** The largest text that is read, in bytes; the same as on the command line. */
export const MAX_INPUT_BYTES = 64 * 1024;

/** KSN and IV of a request whose payload does not hold them. */
export interface RequestFields {
  readonly ksn?: string | undefined;
  readonly iv?: string | undefined;
}

/** What a text says of a read. */
export interface ReadInput extends RequestFields {
  /** The bare payload, also if no reader accepts it. */
  readonly payload: string;
  /** The terminal that the text names. */
  readonly terminal?: TerminalType;
  readonly deviceSerial?: string | undefined;
  /** The notation of a paste that was undone. */
  readonly note?: string;
  /** Why the text, which can only be a request, is none. */
  readonly failure?: PaylensError;
}

/** The 2006 of a text that is too long to be split or shown. */
export function tooLarge(length: number): PaylensError {
  const [most, found] = [MAX_INPUT_BYTES, length].map((bytes) => bytes.toLocaleString('en'));
  return new PaylensError(2006, `at most ${most} bytes, found ${found}`);
}

/**
 * Reads a text as `decrypt` does: a request in JSON, a paste in any notation, a bare payload; and
 * besides, KSN and IV after their labels, and a request in a command or a log.
 */
export function readInput(text: string, type: TerminalType | undefined): ReadInput {
  const request = requestIn(text) ?? requestIn(plainCharacters(text));
  if (request !== undefined)
    return {...readInput(request, type), note: 'Request read as JSON; text around it ignored.'};
  const isPaste = mayBePaste(text, type);
  const {rest, ...labelled} = isPaste ? labelledIn(text) : {rest: text};
  // A case is whole: without its KSN it would be no JSON any more.
  const given = isCase(text) ? text : rest;
  let read: ReadInput = {payload: withoutLineEnd(given), ...labelled};
  try {
    const paste = isPaste ? readPaste(given, type) : undefined;
    const bare = paste?.payload ?? given;
    read = {...read, payload: withoutLineEnd(bare), ...(paste && {note: paste.note})};
    const body = rest === text ? requestBody(bare, type) : undefined;
    if (!body) return read;
    if (typeof body.devicePayload === 'string') read = {...read, payload: body.devicePayload};
    const request = toRequest(bare, {...body, ...(type && {deviceType: type})}, {});
    const {deviceType, ksn, iv, deviceSerial} = request;
    return {...read, terminal: deviceType as TerminalType, ksn, iv, deviceSerial};
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    return {...read, failure: error};
  }
}

/** The one request that has other text around it, without the escapes of a string that it is in. */
function requestIn(text: string): string | undefined {
  if (text.split('"devicePayload').length > 2) return undefined;
  const from = text.lastIndexOf('{', text.search(/"device(?:Type|Payload)\\?"/));
  if (from <= text.search(/\S/)) return undefined;
  const rest = text.slice(from);
  const plain = /^\{\s*\\/.test(rest) ? rest.replaceAll(/\\(["\\])/g, '$1') : rest;
  const [request = ''] = /^\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}/s.exec(plain) ?? [];
  return bodyObject(request)?.devicePayload === undefined ? undefined : request;
}

/** A KSN or an IV after its name, in hex digits that may be apart by bytes. */
const LABELLED =
  /\b(ksn|key[ _-]?serial[ _-]?number|iv)\b#?["']?\s{0,4}(?:[:=]|=>|\s)\s{0,4}["']?(?:0x)?((?:[\da-f]{2}[ :-]?){7,15}[\da-f]{2})(?![\da-z])/gi;

/** KSN and IV of a text, and the text without them; a text with two KSNs is more than one read. */
function labelledIn(text: string): RequestFields & {readonly rest: string} {
  const found = [...text.matchAll(LABELLED)];
  const names = found.map(([, name = '']) => (name.toLowerCase() === 'iv' ? 'iv' : 'ksn'));
  if (names.length === 0) return unnamedIn(text);
  if (!names.includes('ksn') || new Set(names).size < names.length) return {rest: text};
  const fields = found.map(([, , digits = ''], i) => [names[i], digits.replaceAll(/[ :-]/g, '')]);
  return {...Object.fromEntries(fields), rest: text.replaceAll(LABELLED, ' ').trim()};
}

/** A block of TDES in hex. */
export const BLOCK_DIGITS = 16;

/** A KSN and a ciphertext in hex, on two lines or in a table: their lengths tell which is which. */
function unnamedIn(text: string): RequestFields & {readonly rest: string} {
  const long = Array.from(
    text.matchAll(/\b(?:0x)?([\da-f]{16,})\b/gi),
    ([, digits = '']) => digits,
  );
  const ksn = long.find(({length}) => length === 20 || length === 24);
  const rest = long.find(({length}) => length % BLOCK_DIGITS === 0);
  return long.length === 2 && ksn && rest ? {ksn, rest} : {rest: text};
}
