import {describeFault, findEncodingFault} from '../contract/json-fault.js';
import {PaylensError} from '../contract/paylens-error.js';
import {hexOf, latin1Of} from '../platform/bytes.js';
import {hexIfBinary} from './forms/payload-bytes.js';

// A JSON object; no binary payload begins like one, and BBPOS dumps do not quote their members.
const JSON_START = /^(?:\xef\xbb\xbf)?\s*\{\s*["}]/;

/**
 * Converts the bytes of an input to text: UTF-8 (a byte order mark is skipped), or for a binary
 * dump one character per byte (latin1). Bytes with control characters are a dump, unless they are
 * JSON. Throws 9002 on UTF-16, 2004 on JSON that is not UTF-8.
 */
export function decodeInput(bytes: Uint8Array): string {
  assertNotUtf16(bytes);
  const text = utf8(bytes);
  if (text !== undefined && (JSON_START.test(text) || !isBinary(text))) return text;
  const dump = latin1Of(bytes);
  if (text === undefined && JSON_START.test(dump))
    throw new PaylensError(2004, describeFault(findEncodingFault(bytes)));
  return dump;
}

/** True if `text` contains control characters that do not occur in text files. */
export function isBinary(text: string): boolean {
  return /(?![\t\r\n])\p{Cc}/u.test(text);
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Throws 9002 for text in UTF-16, which editors and shells of Windows write. */
export function assertNotUtf16(bytes: Uint8Array): void {
  if (isUtf16(bytes))
    throw new PaylensError(9002, 'the file is UTF-16', {hint: 'Save it as UTF-8 and try again.'});
}

// With a byte order mark, or plain ASCII with a zero byte beside every character.
function isUtf16(bytes: Uint8Array): boolean {
  const mark = hexOf(bytes.subarray(0, 2));
  if (mark === 'fffe' || mark === 'feff') return true;
  const even = bytes.filter((_, index) => index % 2 === 0);
  const odd = bytes.filter((_, index) => index % 2 === 1);
  return odd.length > 0 && (isZeroBeside(even, odd) || isZeroBeside(odd, even));
}

function isZeroBeside(zeros: Uint8Array, characters: Uint8Array): boolean {
  return zeros.every((byte) => byte === 0) && characters.every(isAsciiText);
}

function isAsciiText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13;
}

/** A payload in bytes as hex, since no clipboard and no argument of a command holds each of them. */
export function pastable(payload: string): string {
  return isBinary(payload) ? hexIfBinary(payload) : payload;
}
