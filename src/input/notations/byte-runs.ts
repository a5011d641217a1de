/** A run of characters of a text: from, to. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Characters that write bytes, and how. */
export interface ByteRun extends Place {
  readonly notation: string;
}

/** At least eight bytes: fewer do not identify a payload. */
const PATTERNS: readonly (readonly [string, RegExp, (found: string) => boolean])[] = [
  [
    'hex digits',
    /(?:(?<![0-9A-Za-z])|(?<='h))(?:0x|\\x)?[0-9A-Fa-f]{16,}h?(?![0-9A-Za-z])/g,
    (found) => !isNumber(found),
  ],
  [
    'hex digits',
    /(?<![0-9A-Za-z]|\d[:.,-])(?:0x)?[0-9A-Fa-f]{2}(?:([ :,;_|./-]|, |\s{1,8})[0-9A-Fa-f]{2}(?:(?:\1|\1?[^\S\n]{0,40}\n\s{0,40})[0-9A-Fa-f]{2}){6,})(?![0-9A-Za-z])/g,
    () => true,
  ],
  [
    'an array of bytes',
    /(?<![0-9A-Za-z])(?:0x|\\x|16#)[0-9A-Fa-f]{1,2}(?:(?:\.toByte\(\)|u8?)?[\s,;]{0,4}(?:\(\w{4,13}\)\s?)?(?:0x|\\x|16#)[0-9A-Fa-f]{1,2}){7,}(?:\.toByte\(\)|u8?)?(?![0-9A-Za-z])/g,
    () => true,
  ],
  [
    'an array of bytes',
    /(?<![0-9A-Za-z])[0-9A-F]{2,3}h(?:[\s,]{1,4}[0-9A-F]{2,3}h){7,}(?![0-9A-Za-z])/gi,
    () => true,
  ],
  [
    'a string with escapes',
    /(?<![0-9A-Za-z%=])(?:[%=][0-9A-Fa-f]{2}){8,}(?![0-9A-Za-z])/g,
    () => true,
  ],
  ['binary digits', /(?<![0-9A-Za-z])[01]{8}(?:\s[01]{8}){7,}(?![0-9A-Za-z])/g, () => true],
  [
    'base64',
    /(?<![\w+/-])(?:[A-Za-z0-9+/_-]{32,}(?:\r?\n[ \t]*(?!--)[A-Za-z0-9+/_-]+)*|[A-Za-z0-9+/_-]{10,31})={0,2}(?![\w+/=-])/g,
    (found) => found.length > MAX_WORD_CHARS || isBase64(found),
  ],
  ['an array of bytes', /(?<![\w.-])-?\d{1,3}(?:(?:, ?| )-?\d{1,3}){7,}(?![\w.-])/g, isList],
  [
    'a string with escapes',
    /(?<=")(?:[^"\\\n]|\\.){8,}(?=")/g,
    (found) => /\\(?:u00[0189]|x)|[\x80-\x9f]/.test(found),
  ],
];

/**
 * The places where a text writes at least eight bytes in any notation, by their looks alone. Decimal
 * numbers, short words and names of programs are none.
 */
export function byteRuns(text: string): ByteRun[] {
  return PATTERNS.flatMap(([notation, pattern, isMeant]) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => isMeant(found))
      .map(({0: found, index}) => ({notation, from: index, to: index + found.length})),
  );
}

/** In words up to this length, base64 is distinguished from names in programs by its letters. */
const MAX_WORD_CHARS = 31;
const MAX_NUMBER_DIGITS = 24;

/** A time, a card number: none begins with a zero. */
function isNumber(found: string): boolean {
  return found.length <= MAX_NUMBER_DIGITS && /^[1-9]\d+$/.test(found);
}

/** Of four characters each, padded or in both cases, and no name of words in lower case. */
function isBase64(found: string): boolean {
  if (found.length % 4 !== 0 || /[a-z]{5}/.test(found)) return false;
  return found.endsWith('=') || (/[A-Z]/.test(found) && /[a-z]/.test(found));
}

/** Columns of small numbers are not bytes. */
function isList(found: string): boolean {
  const [first = '', ...others] = found.split(/, ?| /);
  const all = [first, ...others].map(Number);
  return all.every((one) => one >= -128 && one <= 255) && all.some((one) => one < 0 || one > 99);
}
