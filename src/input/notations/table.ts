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
import {fromEntities, fromPercent, fromQuotedPrintable, unescapeString} from './escapes.js';
import {ARRAY_LOOKS, BASE64_LOOKS, BINARY_LOOKS, ESCAPE_LOOKS, HEX_LOOKS} from './looks.js';
import {type Notation, type Place, payloadsOf} from './notation.js';
import {typedTexts} from './typed-text.js';

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
    // A log of names with hex values looks like it: `key=01...`.
    guess: () => undefined,
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
  {
    name: 'another keyboard layout',
    finding: {label: 'keyboard-layout'},
    guess: (text) =>
      typedTexts(text).map(({text: meant, layouts}) => ({
        text: meant,
        detail: `The layout was ${layouts.join(' or ')}.`,
      })),
  },
  {name: 'lower case', finding: {label: 'frame-lower-case'}, guess: upperCased},
];

/** Base64 in either alphabet, however it is padded. */
function looseBase64Text(text: string): string | undefined {
  const decoded = readBase64(text);
  return decoded && payloadsOf(decoded.bytes)[0];
}

/** Characters that write bytes, and how. */
interface ByteRun extends Place {
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
