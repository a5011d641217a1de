import {
  base64Of,
  base64UrlOf,
  bytesFromHex,
  bytesFromLatin1,
  isHex,
  isLatin1,
  latin1Of,
  looseBase64,
  upperHexOf,
} from '../../platform/bytes.js';
import {readByteLists} from './byte-list.js';
import {ESCAPES} from './escapes.js';

/** One meaning of a text: the payload in the forms that a reader may accept, and its notation. */
export interface Meant {
  readonly payloads: readonly string[];
  readonly notation: string;
}

/**
 * Every way to read a text that is one payload from end to end: as it is, in lines, with escapes, as a
 * list of bytes, in base64. Hex digits alone are hex.
 */
export function meanings(text: string): Meant[] {
  const trimmed = text.trim();
  const compact = trimmed.replaceAll(/\s/g, '');
  if (isHex(compact)) return [hexMeaning(trimmed, compact), ...decimals(trimmed)];
  const inner = ESCAPES.flatMap(([notation, undo]) =>
    unescapedMeanings(undo(text) ?? text, text, notation),
  );
  const plain = {payloads: [trimmed], notation: 'text'};
  return [plain, ...linesAsOne(trimmed), ...inner, ...encoded(trimmed)];
}

/** Hex digits are the payload, in either case, or are the characters of one. */
function hexMeaning(text: string, digits: string): Meant {
  const others = payloadsOf(bytesFromHex(digits) ?? new Uint8Array());
  return {payloads: [text, ...others], notation: 'hex digits'};
}

/** The forms in which bytes can be a payload: text, hex digits, or one character per byte. */
export function payloadsOf(bytes: Uint8Array): string[] {
  const text = latin1Of(bytes);
  if (/^[\t\r\n\x20-\x7e]*$/.test(text)) return [text.trim()];
  return [upperHexOf(bytes), text];
}

function linesAsOne(text: string): Meant[] {
  if (!/\n/.test(text)) return [];
  return [{payloads: [text.replaceAll(/\r?\n/g, '')], notation: 'text in lines'}];
}

/** Numbers of one or three digits, and bits, between blanks are not pairs of hex digits. */
function decimals(text: string): Meant[] {
  if (!/(?:^|\s)(?:\d(?:\d\d)?|[01]{8})(?:\s|$)/.test(text)) return [];
  return encoded(text);
}

function unescapedMeanings(text: string, given: string, notation: string): Meant[] {
  if (text === given) return [];
  const payloads = isLatin1(text) ? payloadsOf(bytesFromLatin1(text)) : [text];
  return [{payloads: [...payloads, text], notation}, ...encoded(text.trim())];
}

function encoded(text: string): Meant[] {
  const lists = readByteLists(text);
  if (lists.length > 0) {
    return lists.map(({bytes, notation}) => ({payloads: payloadsOf(bytes), notation}));
  }
  const decoded = readBase64(text);
  if (!decoded?.isExact) return [];
  return [{payloads: payloadsOf(decoded.bytes), notation: decoded.notation}];
}

const BASE64 = /^[A-Za-z0-9+/]{12,}=*$/;
const BASE64URL = /^[\w-]{12,}=*$/;
const MIN_EXACT_CHARS = 16;

interface DecodedText {
  readonly bytes: Uint8Array;
  readonly notation: string;
  /** Padded as the standard says or not at all, and without stray bits. */
  readonly isExact: boolean;
}

/** RFC 4648, sections 4 and 5: in lines or not, without other characters. */
export function readBase64(text: string): DecodedText | undefined {
  const compact = text.replaceAll(/\s/g, '');
  const isUrl = !BASE64.test(compact);
  if (isHex(compact) || (isUrl && !BASE64URL.test(compact))) return undefined;
  const bytes = looseBase64(compact);
  const digits = compact.replace(/=+$/, '');
  const isWhole = compact === digits || (compact.length % 4 === 0 && !compact.endsWith('==='));
  const again = isUrl ? base64UrlOf(bytes) : base64Of(bytes).replace(/=+$/, '');
  const isExact = isWhole && again === digits && digits.length >= MIN_EXACT_CHARS;
  return {bytes, notation: isUrl ? 'base64url' : 'base64', isExact};
}
