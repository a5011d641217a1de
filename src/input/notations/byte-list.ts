import {bytesFromHex, isHex} from '../../platform/bytes.js';

/** Fewer bytes cannot be a payload. */
const MIN_LISTED_BYTES = 8;
const CAST = /\((?:(?:unsigned )?char|u?byte|sbyte|u?int8_t)\)\s?/gi;
const SUFFIX = /(?<=[\da-f])(?:\.toByte\(\)|u8?)/gi;
const SEPARATORS = /[\s,;:|"'`“”‘’_./-]+/;
/** A text without the comments, casts and suffixes that programs write between bytes. */
export function listText(text: string): string {
  return withoutComments(text).replaceAll(CAST, '').replaceAll(SUFFIX, '');
}

function withoutComments(text: string): string {
  if (!/\/[*/]/.test(text)) return text;
  const lines = text.split('\n').map((line) => line.split('//', 1)[0]);
  return lines.join('\n').replaceAll(/\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/)?/g, ' ');
}

/** Hex with a prefix before each byte: `0x02, 0x98`. */
export const prefixedBytes = listReader(/^(?:0x|&h|\$|\\x|16#|#x)([\da-f]{1,2})$/i, 16);

/** Hex with a suffix after each byte, as assemblers write them: `02h, 0A6h`. */
export const suffixedBytes = listReader(/^0?([\da-f]{2})h$/i, 16);

/** Eight binary digits for each byte. */
export const binaryBytes = listReader(/^([01]{8})$/, 2);

/** Reads a list in which each byte has this form, with its digits as the group. */
function listReader(form: RegExp, radix: number): (list: string) => Uint8Array | undefined {
  return (list) => {
    const tokens = tokensOf(list, (token) => form.test(token));
    if (!tokens || tokens.length < MIN_LISTED_BYTES) return undefined;
    return Uint8Array.from(tokens, (token) => Number.parseInt(form.exec(token)?.[1] ?? '', radix));
  };
}

/** Marks around all digits together: `0x`, `\x`, `'h`. */
const AROUND_DIGITS = /^[\s"'`]*(?:0x|\\x|h')?(?=[\da-f]{2})|(?<=[\da-f]{2})h[\s"'`]*$/gi;

/** Hex digits with any separators between pairs of them. */
export function separatedBytes(list: string): Uint8Array | undefined {
  const isPairs = (token: string) => token.length % 2 === 0 && isHex(token);
  const tokens = tokensOf(list.replaceAll(AROUND_DIGITS, ''), isPairs);
  const bytes = bytesFromHex(tokens?.join('') ?? '');
  return bytes && bytes.length >= MIN_LISTED_BYTES ? bytes : undefined;
}

/**
 * Decimal numbers, signed as Java prints them or not. Pairs of digits between blanks are hex; with
 * commas they may be either.
 */
export function decimalBytes(list: string): Uint8Array | undefined {
  const tokens = tokensOf(list, (token) => /^-?\d{1,3}$/.test(token), /[\s,;]+/);
  if (!tokens || tokens.length < MIN_LISTED_BYTES) return;
  if (!/[,;]/.test(list) && tokens.every(({length}) => length === 2)) return;
  const numbers = tokens.map(Number);
  const highest = numbers.some((one) => one < 0) ? 127 : 255;
  if (numbers.some((one) => one < -128 || one > highest)) return;
  return Uint8Array.from(numbers);
}

/** What stands between separators, if each is of the form; the first few show most that are not. */
function tokensOf(
  list: string,
  isToken: (token: string) => boolean,
  separators = SEPARATORS,
): string[] | undefined {
  const tokens = (most?: number) => list.split(separators, most).filter((token) => token !== '');
  if (!tokens(MIN_LISTED_BYTES).every(isToken)) return undefined;
  const all = tokens();
  return all.every(isToken) ? all : undefined;
}
