const TIME_COLON = '(?::|%3a)';
const YEAR = '(?:19|20)\\d\\d';
const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const HOUR = '(?:[01]\\d|2[0-4])';
const SIXTY = '[0-5]\\d';
const ZONE = `(?: ?(?:z|(?:[+-]|%2b)\\d\\d(?:${TIME_COLON}?\\d\\d)?))?`;
const TIME = `${HOUR}${TIME_COLON}${SIXTY}(?:${TIME_COLON}[0-6]\\d(?:[.,]\\d{1,9})?)?${ZONE}`;
const DATE = `(?:${YEAR}([-./])${MONTH}\\1${DAY}|[0-3]?\\d([-./])[0-3]?\\d\\2${YEAR})`;
const BASIC_TIME = `${HOUR}${SIXTY}[0-6]\\d`;
const IPV4_OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const HEX4 = '[\\da-f]{1,4}';

/** Numbers that may satisfy Luhn by chance and are no card, each as it is usually written. */
const TOKENS = new RegExp(
  `(?<!\\d)(?=[\\da-f])(?:${[
    // Dates and times of ISO 8601, and the usual forms of logs.
    `(?<!\\d)${DATE}(?:(?:t|[ ,_+]|, |%20)${TIME})?(?![\\d:])`,
    `(?<!\\d|\\d[:.])${TIME}(?![\\d:])`,
    `(?<!\\d)${YEAR}${MONTH}${DAY}(?:[t _-]?${BASIC_TIME}(?:\\d{3})?|[ _-]${TIME})(?!\\d)`,
    `(?<=\\dt)${BASIC_TIME}(?:[.,]\\d{1,9})?${ZONE}(?!\\d)`,
    // IP addresses; a version 6 has eight groups, or begins as assigned ones do.
    `(?<!\\d|\\d\\.)${IPV4_OCTET}(?:\\.${IPV4_OCTET}){3}(?::\\d{1,5})?(?!\\d|\\.\\d)`,
    `(?<![\\da-z:])(?=[\\d:]{0,38}[a-f])[\\da-f]{3,4}(?::${HEX4}){7}(?![\\da-z:])`,
    `(?<![\\da-z:])(?:2[\\da-f]{3}|f[c-f][\\da-f]{2}|64)(?::${HEX4}){0,6}::${HEX4}(?::${HEX4}){0,5}(?![\\da-z:])`,
    // UUIDs: of one without letters, every digit may be one of a card.
    '(?<![\\da-z])(?=[\\d-]{0,35}[a-f])[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}(?![\\da-z])',
    // KSNs, filled with F in front or with the usual beginning of a counter. Without a letter behind the
    // fill it may be a card number that was given as a KSN.
    '(?<![\\da-z])(?:f{4}(?=\\d{0,15}[a-f])[\\da-f]{16}(?:[\\da-f]{4})?|[\\da-f]{14}e[01][\\da-f]{4})(?![\\da-z])',
  ].join('|')})`,
  'gi',
);

/** For each character of a text, 1 if it belongs to such a number. */
export function neverCards(text: string): Uint8Array {
  const marks = new Uint8Array(text.length);
  for (const {0: token, index} of text.matchAll(TOKENS)) marks.fill(1, index, index + token.length);
  return marks;
}
