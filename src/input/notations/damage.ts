import {
  bytesFromLatin1,
  bytesOfHex,
  isHex,
  latin1Of,
  upperHexOf,
  utf8Of,
} from '../../platform/bytes.js';
import {decimalBytes} from './byte-list.js';
import {hexDumps} from './hex-dump.js';
import type {Guess} from './notation.js';

/** Hex digits with spaces, line endings, colons, commas, dashes or `0x` between the bytes. */
export function withoutSeparators(text: string): string | undefined {
  if (!/[\s:,\-_\\x]/.test(text)) return undefined;
  const compact = text
    .replaceAll(/(?:0x|\\x)(?=[0-9a-f]{2})/gi, '')
    .replaceAll(/[\s:,\-_;"'[\]{}()<>]/g, '');
  return compact.length >= 16 && isHex(compact) ? compact : undefined;
}

/** Keyboard text that a page or log broke into lines; binary frames may contain line endings. */
export function unwrapped(text: string): string | undefined {
  if (!/[!-~] *\r?\n *[!-~]/.test(text) || /[^\r\n -~]/.test(text)) return undefined;
  return text.replaceAll(/\r?\n/g, '');
}

/** Of 6 KiB at least, which is more than a terminal sends. */
const MAX_DUMP_CHARS = 32_768;

/** The bytes of a text that is one hex dump, as printed. */
export function wholeDump(text: string): string | undefined {
  if (text.length > MAX_DUMP_CHARS) return undefined;
  const [dump, other] = hexDumps(text);
  if (!dump || other) return undefined;
  const around = text.slice(0, dump.from) + text.slice(dump.to);
  return around.trim() === '' ? upperHexOf(dump.bytes) : undefined;
}

/** Bytes in decimal, in brackets or not: `[-114, -126, 206]`. */
export function decimalList(text: string): string | undefined {
  const list = text.trim().replaceAll(/^[[({]|[\])}]?;?$/g, '');
  const bytes = /^[\d\s,;-]+$/.test(list) ? decimalBytes(list) : undefined;
  return bytes && upperHexOf(bytes);
}

/** Hex with letters mistaken for digits: O for 0, I and l for 1. */
export function fromLookAlikes(text: string): string | undefined {
  if (!/[OIL]/i.test(text)) return undefined;
  const digits = text.replaceAll(/\s/g, '').replaceAll(/O/gi, '0').replaceAll(/[IL]/gi, '1');
  return digits.length >= 16 && isHex(digits) ? digits : undefined;
}

/** The same, and where the first of the letters is. */
export function withLookAlikes(text: string): Guess[] {
  const digits = fromLookAlikes(text);
  if (digits === undefined) return [];
  const at = text.search(/[OIL]/i);
  return [{text: digits, detail: `The first is the ${text.charAt(at)} at ${at}.`}];
}

/** All text in one pair of quotes, including names. */
const IN_QUOTES = /^["'`“‘„]([^"'`“”‘’„]{15,})["'`”’“][,;]?$/;

export function unquoted(text: string): string | undefined {
  return IN_QUOTES.exec(text.trim())?.[1];
}

/** A value copied from a script, a log or JSON: `payload = '02...';`. */
const COPIED =
  /^(?:(?:[\w[\]*]{1,20}\s{1,4}){0,3}["']?[A-Za-z_][\w.-]{0,38}["']?\s{0,4}(?:=>|[:=])\s{0,4})?["'`“‘„]?([^"'`“”‘’„]{15,}[^"'`“”‘’„\s,;])["'`”’“]?[,;]?$/;

export function copiedValue(text: string): string | undefined {
  return COPIED.exec(text.trim())?.[1];
}

/** Text whose bytes are again text. */
export function hexOfHex(text: string): string | undefined {
  const compact = text.replaceAll(/\s/g, '');
  if (compact.length < 32 || compact.length % 2 !== 0 || !isHex(compact)) return undefined;
  const inner = latin1Of(bytesOfHex(compact));
  return /^[\t\n\r -~]+$/.test(inner) ? inner : undefined;
}

/** Bytes that were written as UTF-8 characters and read as single bytes. */
export function fromUtf8(text: string): string | undefined {
  if (!/[\xc2\xc3][\x80-\xbf]/.test(text) || /[^\0-\xff]/.test(text)) return undefined;
  const decoded = utf8Of(bytesFromLatin1(text));
  return decoded.includes('\ufffd') || /[^\0-\xff]/.test(decoded) ? undefined : decoded;
}

const CONTROL_WORDS: Readonly<Record<string, string>> = {
  STX: '\x02',
  ETX: '\x03',
  FS: '\x1c',
  GS: '\x1d',
  RS: '\x1e',
  US: '\x1f',
  CR: '\r',
  LF: '\n',
};

/** Control characters that a log spells out: `[STX]`. */
export function controlWords(text: string): string | undefined {
  return text.replaceAll(
    /[[<{](STX|ETX|FS|GS|RS|US|CR|LF)[\]>}]/g,
    (_, word: string) => CONTROL_WORDS[word] ?? '',
  );
}

/** A capture through a text field often loses the first `0` or the last `3`. */
export function lostEnds(text: string): Guess[] {
  const first = 'The first 0 was lost.';
  const last = 'The last 3 was lost.';
  const repaired: Guess[] = [];
  const begins = /^2[0-9a-f]{5}/i.test(text);
  const ends = text.endsWith('0');
  if (begins) repaired.push({text: `0${text}`, detail: first});
  if (ends && text.startsWith('02')) repaired.push({text: `${text}3`, detail: last});
  if (begins && ends) repaired.push({text: `0${text}3`, detail: `${first} ${last}`});
  if (text.startsWith('02') && !text.endsWith('03')) {
    repaired.push({text: `${text}03`, detail: 'The ETX at the end was lost.'});
  }
  return repaired;
}

/** A frame whose hex digits and letters were changed to lower case. */
export function upperCased(text: string): string | undefined {
  return /^0?2[0-9a-f]{3}.*[%;*=?]/s.test(text) && /[a-f]/.test(text)
    ? text.toUpperCase()
    : undefined;
}
