import {exactBase64, readBase64} from './base64.js';
import {
  binaryBytes,
  decimalBytes,
  prefixedBytes,
  separatedBytes,
  suffixedBytes,
} from './byte-list.js';
import {
  controlWords,
  copiedValue,
  decimalList,
  fromUtf8,
  hexOfHex,
  lostEnds,
  unquoted,
  unwrapped,
  upperCased,
  wholeDump,
  withLookAlikes,
  withoutSeparators,
} from './damage.js';
import {
  fromEntities,
  fromPercent,
  fromQuotedPrintable,
  hasSoftBreak,
  unescapeString,
} from './escapes.js';
import {type Look, type Notation, type Place, payloadsOf} from './notation.js';
import {plainCharacters} from './plain-characters.js';
import {typedTexts} from './typed-text.js';

/** Patterns find at least eight bytes: fewer do not identify a payload. */

/** Digits of whole bytes, adjacent or all separated alike. */
const HEX_LOOKS: readonly Look[] = [
  [
    /(?:(?<![0-9A-Za-z])|(?<='h))(?:0x|\\x)?[0-9A-Fa-f]{16,}h?(?![0-9A-Za-z])/g,
    // A time or a card number: none begins with a zero.
    (found) => found.length > MAX_NUMBER_DIGITS || !/^[1-9]\d+$/.test(found),
  ],
  [
    /(?<![0-9A-Za-z]|\d[:.,-])(?:0x)?[0-9A-Fa-f]{2}(?:([ :,;_|./-]|, |\s{1,8})[0-9A-Fa-f]{2}(?:(?:\1|\1?[^\S\n]{0,40}\n\s{0,40})[0-9A-Fa-f]{2}){6,})(?![0-9A-Za-z])/g,
  ],
];

/** Bytes with a prefix or a suffix each, and decimal numbers. */
const ARRAY_LOOKS: readonly Look[] = [
  [
    /(?<![0-9A-Za-z])(?:0x|\\x|16#)[0-9A-Fa-f]{1,2}(?:(?:\.toByte\(\)|u8?)?[\s,;]{0,4}(?:\(\w{4,13}\)\s?)?(?:0x|\\x|16#)[0-9A-Fa-f]{1,2}){7,}(?:\.toByte\(\)|u8?)?(?![0-9A-Za-z])/g,
  ],
  [/(?<![0-9A-Za-z])[0-9A-F]{2,3}h(?:[\s,]{1,4}[0-9A-F]{2,3}h){7,}(?![0-9A-Za-z])/gi],
  [/(?<![\w.-])-?\d{1,3}(?:(?:, ?| )-?\d{1,3}){7,}(?![\w.-])/g, isList],
];

const BINARY_LOOKS: readonly Look[] = [
  [/(?<![0-9A-Za-z])[01]{8}(?:\s[01]{8}){7,}(?![0-9A-Za-z])/g],
];

/** Percent signs or equals signs before all bytes, and strings in quotes with escapes in them. */
const ESCAPE_LOOKS: readonly Look[] = [
  [/(?<![0-9A-Za-z%=])(?:[%=][0-9A-Fa-f]{2}){8,}(?![0-9A-Za-z])/g],
  [
    // Only a quote that is not escaped begins a string, so that each character is read once.
    /(?<=(?<!\\)")(?:[^"\\\n]|\\.){8,}(?=")/g,
    (found) => /\\(?:u00[0189]|x)|[\x80-\x9f]/.test(found),
  ],
];

const BASE64_LOOKS: readonly Look[] = [
  [
    /(?<![\w+/-])(?:[A-Za-z0-9+/_-]{32,}(?:\r?\n[ \t]*(?!--)[A-Za-z0-9+/_-]+)*|[A-Za-z0-9+/_-]{10,31})={0,2}(?![\w+/=-])/g,
    (found) => found.length > MAX_WORD_CHARS || isBase64(found),
  ],
];

/** In words up to this length, base64 is distinguished from names in programs by its letters. */
const MAX_WORD_CHARS = 31;
const MAX_NUMBER_DIGITS = 24;

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

/** Every notation, once, in the order in which `diagnose` tries them. */
export const NOTATIONS: readonly Notation[] = [
  {
    name: 'text',
    finding: {label: 'white-space', detail: 'It was surrounded by spaces or line breaks.'},
    undo: (text) => text.trim(),
  },
  {
    name: 'hex digits',
    finding: {label: 'white-space'},
    looks: HEX_LOOKS,
    decode: (_, list) => [separatedBytes(list)],
    guess: withoutSeparators,
  },
  {
    name: 'text in lines',
    finding: {label: 'white-space', detail: 'It was broken by line breaks.'},
    undo: (text) => text.trim().replaceAll(/\r?\n/g, ''),
    guess: unwrapped,
  },
  {
    name: 'plain characters',
    finding: {
      label: 'white-space',
      detail: 'Some of its characters look like others, or like none.',
    },
    guess: plainCharacters,
  },
  {
    name: 'a hex dump',
    finding: {label: 'white-space', detail: 'It is a hex dump with its offsets.'},
    guess: wholeDump,
  },
  {
    name: 'an array of bytes',
    finding: {label: 'text-escaped', detail: 'The bytes were written in decimal.'},
    looks: ARRAY_LOOKS,
    decode: (_, list) => [prefixedBytes(list), suffixedBytes(list), decimalBytes(list)],
    guess: decimalList,
  },
  {
    name: 'binary digits',
    finding: {label: 'text-escaped', detail: 'The bytes were written in binary.'},
    looks: BINARY_LOOKS,
    decode: (_, list) => [binaryBytes(list)],
  },
  {name: 'look-alikes', finding: {label: 'look-alikes'}, guess: withLookAlikes},
  {
    name: 'quotes',
    finding: {label: 'text-around', detail: 'It was surrounded by quotes.'},
    guess: unquoted,
  },
  {
    name: 'a named value',
    finding: {label: 'text-around', detail: 'It was surrounded by quotes, a name or a comma.'},
    guess: copiedValue,
  },
  {
    name: 'a string with escapes',
    finding: {label: 'text-escaped'},
    isEscape: true,
    looks: ESCAPE_LOOKS,
    undo: unescapeString,
  },
  {name: 'URL encoding', finding: {label: 'text-escaped'}, isEscape: true, undo: fromPercent},
  {
    name: 'quoted-printable',
    finding: {label: 'text-escaped'},
    isEscape: true,
    undo: fromQuotedPrintable,
    // A log of names with hex values looks like it, `key=01...`, but for the end of a full line.
    guess: (text) => (hasSoftBreak(text) ? fromQuotedPrintable(text) : undefined),
  },
  {name: 'XML entities', finding: {label: 'text-escaped'}, isEscape: true, undo: fromEntities},
  {name: 'hex of hex', finding: {label: 'hex-of-hex'}, guess: hexOfHex},
  {
    name: 'base64',
    finding: {label: 'base64'},
    looks: BASE64_LOOKS,
    decode: (text) => [exactBase64(text, 'base64')],
    guess: looseBase64Text,
  },
  {
    name: 'base64url',
    finding: {label: 'base64'},
    decode: (text) => [exactBase64(text, 'base64url')],
    guess: () => undefined,
  },
  {
    name: 'UTF-8',
    finding: {label: 'text-encoding', detail: 'Each byte above 7F had become two.'},
    guess: fromUtf8,
  },
  {
    name: 'control words',
    finding: {label: 'text-escaped', detail: 'Control characters were spelled out.'},
    guess: controlWords,
  },
  {name: 'lost ends', finding: {label: 'frame-lost-character'}, guess: lostEnds},
  {name: 'another keyboard layout', finding: {label: 'keyboard-layout'}, guess: typedTexts},
  {name: 'lower case', finding: {label: 'frame-lower-case'}, guess: upperCased},
];

/** Base64 in either alphabet, however it is padded. */
function looseBase64Text(text: string): string | undefined {
  const decoded = readBase64(text);
  return decoded && payloadsOf(decoded.bytes)[0];
}

/** Characters that write bytes, and how. */
export interface ByteRun extends Place {
  readonly notation: string;
}

/**
 * The places where a text writes at least eight bytes in any notation, by their looks alone, in the
 * order of the text. Decimal numbers, short words and names in programs are left out.
 */
export function byteRuns(text: string): ByteRun[] {
  return NOTATIONS.flatMap(({name, looks = []}) =>
    looks.flatMap(([pattern, isMeant]) =>
      [...text.matchAll(pattern)]
        .filter(([found]) => isMeant?.(found) ?? true)
        .map(({0: found, index}) => ({notation: name, from: index, to: index + found.length})),
    ),
  ).sort((one, other) => one.from - other.from);
}
