import {bytesFromHex, isHex} from '../../platform/bytes.js';

/** Bytes that a text lists, and how it writes them. */
export interface Listed {
  readonly bytes: Uint8Array;
  readonly notation: string;
}

/** Fewer cannot be a payload. */
const MIN_LISTED_BYTES = 8;
const CAST = /\((?:(?:unsigned )?char|u?byte|sbyte|u?int8_t)\)\s?/gi;
const SUFFIX = /(?<=[\da-f])(?:\.toByte\(\)|u8?)/gi;
const SEPARATORS = /[\s,;:|"'`“”‘’_./-]+/;
const PREFIXED = /^(?:0x|&h|\$|\\x|16#|#x)[\da-f]{1,2}$/i;
const PREFIX = /^(?:0x|&h|\$|\\x|16#|#x)/i;
/** As assemblers write them: `02h, 0A6h`. */
const SUFFIXED = /^0?([\da-f]{2})h$/i;
const BITS = /^[01]{8}$/;

/**
 * The bytes of a text that is nothing but a list of them: hex with `0x` before each, hex with
 * separators, decimal numbers, signed as Java prints them or not. Comments and casts are dropped. Pairs
 * of digits with commas may be either.
 */
export function readByteLists(text: string): Listed[] {
  const bare = withoutComments(text).replaceAll(CAST, '').replaceAll(SUFFIX, '');
  const lists = [prefixedBytes, suffixedBytes, bitsOf, separatedDigits, decimalBytes].map((read) =>
    read(bare),
  );
  return lists.filter((list) => list !== undefined);
}

function withoutComments(text: string): string {
  if (!/\/[*/]/.test(text)) return text;
  const lines = text.split('\n').map((line) => line.split('//', 1)[0]);
  const [first = '', ...others] = lines.join('\n').split('/*');
  return [first, ...others.map((one) => one.slice(commentEnd(one)))].join(' ');
}

function commentEnd(text: string): number {
  const end = text.indexOf('*/');
  return end < 0 ? text.length : end + 2;
}

function prefixedBytes(text: string): Listed | undefined {
  const tokens = tokensOf(text);
  if (tokens.length < MIN_LISTED_BYTES || !tokens.every((token) => PREFIXED.test(token))) return;
  const digits = tokens.map((token) => token.replace(PREFIX, '').padStart(2, '0'));
  return listed(digits.join(''), 'an array of bytes');
}

function suffixedBytes(text: string): Listed | undefined {
  const digits = tokensOf(text).map((token) => SUFFIXED.exec(token)?.[1]);
  if (digits.some((one) => one === undefined)) return;
  return listed(digits.join(''), 'an array of bytes');
}

function bitsOf(text: string): Listed | undefined {
  const tokens = tokensOf(text);
  if (tokens.length < MIN_LISTED_BYTES || !tokens.every((token) => BITS.test(token))) return;
  const bytes = Uint8Array.from(tokens.map((token) => Number.parseInt(token, 2)));
  return {bytes, notation: 'binary digits'};
}

/** Marks around all digits together: `0x`, `\x`, `'h`. */
const AROUND_DIGITS = /^[\s"'`]*(?:0x|\\x|h')?(?=[\da-f]{2})|(?<=[\da-f]{2})h[\s"'`]*$/gi;

function separatedDigits(text: string): Listed | undefined {
  const tokens = tokensOf(text.replaceAll(AROUND_DIGITS, ''));
  if (!tokens.every((token) => token.length % 2 === 0 && isHex(token))) return;
  return listed(tokens.join(''), 'hex digits');
}

function listed(digits: string, notation: string): Listed | undefined {
  const bytes = bytesFromHex(digits);
  return bytes && bytes.length >= MIN_LISTED_BYTES ? {bytes, notation} : undefined;
}

function decimalBytes(text: string): Listed | undefined {
  const tokens = text.split(/\s*[,;]\s*|\s+/).filter((token) => token !== '');
  if (!/[,;]/.test(text) && tokens.every(({length}) => length === 2)) return;
  if (tokens.length < MIN_LISTED_BYTES || !tokens.every((token) => /^-?\d{1,3}$/.test(token)))
    return;
  const numbers = tokens.map(Number);
  const highest = numbers.some((one) => one < 0) ? 127 : 255;
  if (numbers.some((one) => one < -128 || one > highest)) return;
  return {bytes: Uint8Array.from(numbers), notation: 'an array of bytes'};
}

function tokensOf(text: string): string[] {
  return text.split(SEPARATORS).filter((token) => token !== '');
}
