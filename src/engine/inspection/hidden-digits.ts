import {hideCards} from '../../contract/masks/digit-groups.js';
import {bytesFromHex, latin1Of, looseBase64, upperHexOf} from '../../platform/bytes.js';

/** What decimal digits in hex can be: packed digits, or chance in ciphertext and text. */
export type HexDigits = 'packed' | 'chance';

/** For each UTF-16 code unit of a text, whether it is hidden. */
export type Hidden = Uint8Array;

/** At least twelve digits of any script, with single spaces and hyphens between groups. */
const RUN = /\p{Nd}(?:[ -]?\p{Nd}){11,}/gu;
/** Digits that all have the same prefix: in the hex of text, unpacked, or escaped. */
const PREFIXED = /(.{1,6}?)\d(?:\1\d){10,}/gs;
/**
 * The hex of ASCII or JIS X 0201 digits, with spaces and hyphens between groups, with or without a
 * parity bit.
 */
const SEVEN_BIT = /[3B]\d(?:(?:[2A][0D])?[3B]\d){11,}/gi;
const SHIFT_JIS = /(?:82(?:4F|5[0-8])){12,}/gi;
/** A card number at the start of a plaintext: alone, filled, or before an expiry date. */
const PACKED_CARD = /^[1-9]\d{11,18}(?=F*$|D\d{4})/i;
/** The hex of printable ASCII: text, whose first letters may look like digits. */
const PRINTABLE = /^(?:[2-6][\da-f]|7[\da-e])+$/i;
const BASE64_TOKEN = /[A-Za-z0-9+/_-]{8,}={0,2}/g;
/** It may be cut, or lack its padding. */
const BASE64_TEXT = /^(?:[A-Za-z0-9+/_-]{4}\s*)*(?:[A-Za-z0-9+/_-]{1,3}={0,2}\s*)?$/;

/**
 * Finds the digits of card numbers in a field that contains card data or is unknown: every run of
 * 12 or more, as text, packed, unpacked, in the hex of any encoding, and in base64. The first six
 * and last four of a run stay, of 12 only the last four. If hex digits may be `chance`, packed ones
 * count only if they satisfy Luhn or are at the start of a plaintext.
 */
export function hiddenDigits(text: string, digits: HexDigits = 'packed'): Hidden {
  const hidden = new Uint8Array(text.length);
  if (text.length < MIN_TEXT_CHARS) return hidden;
  const isHex = /^[\da-f]+$/i.test(text);
  const bytes = isHex ? bytesFromHex(text) : undefined;
  const spelled = hideSpelled(text, hidden);
  const isDigits = ({0: run, index}: RegExpExecArray) =>
    !isIn(spelled, index, run.length) && !(isHex && isHexOfDigits(run, index));
  const runs = Array.from(text.matchAll(RUN)).filter(isDigits);
  if (isHex && digits === 'chance') hideLikely(text, runs, hidden);
  else for (const {0: run, index} of runs) hideRun(run, index, hidden);
  if (bytes) hideText(bytes, hidden, digits);
  // Hex that was cut inside a byte, and a part of a text, are base64 only by chance.
  else if (!isHex && BASE64_TEXT.test(text)) hideEncoded(text, 0, hidden, digits);
  else
    for (const {0: token, index} of text.matchAll(BASE64_TOKEN))
      hideEncoded(token, index, hidden, 'chance');
  return hidden;
}

/** Replaces hidden characters by asterisks. */
export function starred(text: string, hidden: Hidden): string {
  let shown = '';
  let end = 0;
  for (let at = hidden.indexOf(1); at >= 0; at = hidden.indexOf(1, end)) {
    shown += text.slice(end, at);
    end = hidden.indexOf(0, at);
    if (end < 0) end = text.length;
    shown += '*'.repeat(end - at);
  }
  return shown + text.slice(end);
}

/** Six bytes of packed digits in base64. */
const MIN_TEXT_CHARS = 8;
/** A longer run of digits is no card number, whatever it encodes. */
const MAX_CARD_DIGITS = 19;

function hideLikely(hex: string, runs: readonly RegExpExecArray[], hidden: Hidden): void {
  for (const {0: run, index} of runs) {
    if (run.length > MAX_CARD_DIGITS || isRepetition(run, endsOf(run, 1))) continue;
    hideCards(run, (at) => {
      hidden[index + at] = 1;
    });
  }
  if (PRINTABLE.test(hex)) return;
  hideRun(PACKED_CARD.exec(hex)?.[0] ?? '', 0, hidden);
}

/**
 * Every other digit is the 3 of an ASCII digit; a card number in the remaining ones is found by
 * `hideSpelled`.
 */
function isHexOfDigits(run: string, index: number): boolean {
  return (index % 2 === 0 ? /^(?:3\d|20)+\d?$/ : /^\d(?:3\d|20)+\d?$/).test(run);
}

/** Marks the positions of the numbers found. */
function hideSpelled(text: string, hidden: Hidden): Uint8Array {
  const spelled = new Uint8Array(text.length);
  const hide = (run: string, index: number, ends: readonly number[]) => {
    if (hideNumber(run, index, ends, hidden)) spelled.fill(1, index, index + run.length);
  };
  for (const {0: run, index} of text.matchAll(SEVEN_BIT)) hide(run, index, endsOf(run, 2, '2Aa'));
  for (const {0: run, index} of text.matchAll(SHIFT_JIS)) hide(run, index, endsOf(run, 4));
  for (const {0: run, 1: prefix = '', index} of text.matchAll(PREFIXED))
    hide(run, index, endsOf(run, prefix.length + 1));
  return spelled;
}

/** Where the digits of a run end: each has `width` characters, unless it begins with one of `between`. */
function endsOf(run: string, width: number, between = ''): number[] {
  const ends: number[] = [];
  for (let end = width; end <= run.length; end += width) {
    const first = run[end - width]!;
    const isHalf = width === 1 && first >= '\ud800' && first < '\udc00';
    if (!isHalf && !between.includes(first)) ends.push(end);
  }
  return ends;
}

function isIn(spelled: Uint8Array, start: number, length: number): boolean {
  return !spelled.subarray(start, start + length).includes(0);
}

const SHOWN_BETWEEN = ' -';

function hideRun(run: string, index: number, hidden: Hidden): void {
  hideNumber(run, index, endsOf(run, 1, SHOWN_BETWEEN), hidden, SHOWN_BETWEEN);
}

/** Hides the middle of a number but its separators, unless it is padding: one or two digits repeated. */
function hideNumber(
  run: string,
  index: number,
  ends: readonly number[],
  hidden: Hidden,
  shown = '',
): boolean {
  if (isRepetition(run, ends)) return false;
  const last = ends.at(-5) ?? 0;
  for (let at = ends.length > 12 ? ends[5]! : 0; at < last; at++)
    if (!shown.includes(run[at]!)) hidden[index + at] = 1;
  return true;
}

/** True if one digit is repeated, or two are, and any one follows. */
function isRepetition(run: string, ends: readonly number[]): boolean {
  const digit = (i: number) => run.charCodeAt(ends[i]! - 1);
  const isRepeated = (width: number, count: number) => {
    let i = width;
    while (i < count && digit(i) === digit(i - width)) i++;
    return i >= count;
  };
  const {length} = ends;
  return isRepeated(1, length - 1) || isRepeated(2, length - (length % 2));
}

function hideText(bytes: Uint8Array, hidden: Hidden, digits: HexDigits): void {
  hiddenDigits(latin1Of(bytes), digits).forEach((isHidden, i) => {
    if (isHidden) hidden.fill(1, 2 * i, 2 * i + 2);
  });
}

function hideEncoded(text: string, start: number, hidden: Hidden, digits: HexDigits): void {
  const bytes = looseBase64(text);
  const inside = hiddenDigits(upperHexOf(bytes), digits);
  if (!inside.includes(1)) return;
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) if (!/\s/.test(text[at]!)) places.push(start + at);
  for (let i = 0; i < bytes.length; i++) {
    if (!inside[2 * i] && !inside[2 * i + 1]) continue;
    const last = Math.floor((8 * i + 7) / 6);
    for (let at = Math.floor((8 * i) / 6); at <= last; at++) hidden[places[at] ?? 0] = 1;
  }
}
