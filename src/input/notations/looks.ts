import type {Look} from './notation.js';

/** Patterns find at least eight bytes: fewer do not identify a payload. */

/** Digits of whole bytes, adjacent or all separated alike. */
export const HEX_LOOKS: readonly Look[] = [
  [
    /(?:(?<![0-9A-Za-z])|(?<='h))(?:0x|\\x)?[0-9A-Fa-f]{16,}h?(?![0-9A-Za-z])/g,
    (found) => !isNumber(found),
  ],
  [
    /(?<![0-9A-Za-z]|\d[:.,-])(?:0x)?[0-9A-Fa-f]{2}(?:([ :,;_|./-]|, |\s{1,8})[0-9A-Fa-f]{2}(?:(?:\1|\1?[^\S\n]{0,40}\n\s{0,40})[0-9A-Fa-f]{2}){6,})(?![0-9A-Za-z])/g,
  ],
];

/** Bytes with a prefix or a suffix each, and decimal numbers. */
export const ARRAY_LOOKS: readonly Look[] = [
  [
    /(?<![0-9A-Za-z])(?:0x|\\x|16#)[0-9A-Fa-f]{1,2}(?:(?:\.toByte\(\)|u8?)?[\s,;]{0,4}(?:\(\w{4,13}\)\s?)?(?:0x|\\x|16#)[0-9A-Fa-f]{1,2}){7,}(?:\.toByte\(\)|u8?)?(?![0-9A-Za-z])/g,
  ],
  [/(?<![0-9A-Za-z])[0-9A-F]{2,3}h(?:[\s,]{1,4}[0-9A-F]{2,3}h){7,}(?![0-9A-Za-z])/gi],
  [/(?<![\w.-])-?\d{1,3}(?:(?:, ?| )-?\d{1,3}){7,}(?![\w.-])/g, isList],
];

export const BINARY_LOOKS: readonly Look[] = [
  [/(?<![0-9A-Za-z])[01]{8}(?:\s[01]{8}){7,}(?![0-9A-Za-z])/g],
];

/** Percent signs or equals signs before all bytes, and strings in quotes with escapes in them. */
export const ESCAPE_LOOKS: readonly Look[] = [
  [/(?<![0-9A-Za-z%=])(?:[%=][0-9A-Fa-f]{2}){8,}(?![0-9A-Za-z])/g],
  [
    // Only a quote that is not escaped begins a string, so that each character is read once.
    /(?<=(?<!\\)")(?:[^"\\\n]|\\.){8,}(?=")/g,
    (found) => /\\(?:u00[0189]|x)|[\x80-\x9f]/.test(found),
  ],
];

export const BASE64_LOOKS: readonly Look[] = [
  [
    /(?<![\w+/-])(?:[A-Za-z0-9+/_-]{32,}(?:\r?\n[ \t]*(?!--)[A-Za-z0-9+/_-]+)*|[A-Za-z0-9+/_-]{10,31})={0,2}(?![\w+/=-])/g,
    (found) => found.length > MAX_WORD_CHARS || isBase64(found),
  ],
];

/** In words up to this length, base64 is distinguished from names in programs by its letters. */
const MAX_WORD_CHARS = 31;
const MAX_NUMBER_DIGITS = 24;

/** A time or a card number: none begins with a zero. */
function isNumber(found: string): boolean {
  return found.length <= MAX_NUMBER_DIGITS && /^[1-9]\d+$/.test(found);
}

/** Whole groups of four characters, padded or in both cases, and not a name in lower-case words. */
function isBase64(found: string): boolean {
  if (found.length % 4 !== 0 || /[a-z]{5}/.test(found)) return false;
  return found.endsWith('=') || (/[A-Z]/.test(found) && /[a-z]/.test(found));
}

/** Columns of small numbers are not bytes. */
function isList(found: string): boolean {
  const all = found.split(/, ?| /).map(Number);
  return all.every((one) => one >= -128 && one <= 255) && all.some((one) => one < 0 || one > 99);
}
