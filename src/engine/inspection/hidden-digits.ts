import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
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
const SEVEN_BIT_CELL = /(?:[2A][0D])?[3B]\d/gi;
const SHIFT_JIS = /(?:82(?:4F|5[0-8])){12,}/gi;
const FILL_DIGIT = /^(..?)\1*.?$/s;
/** A card number at the start of a plaintext: alone, filled, or before an expiry date. */
const PACKED_CARD = /^[1-9]\d{11,18}(?=F*$|D\d{4})/i;
/** The hex of printable ASCII: text, whose first letters may look like digits. */
const PRINTABLE = /^(?:[2-6][\da-f]|7[\da-e])+$/i;
const BASE64_TOKEN = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const BASE64_TEXT = /^(?:[A-Za-z0-9+/_-]{4}\s*)*(?:[A-Za-z0-9+/_-]{2}(?:==|[A-Za-z0-9+/_-]=)\s*)?$/;

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
  else for (const {0: run, index} of runs) hideNumber(digitCells(run, index, DIGIT), hidden);
  if (bytes) hideText(bytes, hidden, digits);
  else hideBase64(text, hidden, digits);
  return hidden;
}

/** Replaces hidden characters by asterisks. */
export function starred(text: string, hidden: Hidden): string {
  return hidden.includes(1)
    ? text.replace(/./gs, (unit, i: number) => (hidden[i] ? '*' : unit))
    : text;
}

/** Six bytes of packed digits in base64. */
const MIN_TEXT_CHARS = 8;

/** A digit as written, and its position. */
interface Digit {
  readonly text: string;
  readonly start: number;
}

function hideLikely(hex: string, runs: readonly RegExpExecArray[], hidden: Hidden): void {
  for (const {0: run, index} of runs) {
    if (FILL_DIGIT.test(run)) continue;
    const redacted = redactCardNumbers(run);
    for (let i = 0; i < run.length; i++) if (redacted[i] === '*') hidden[index + i] = 1;
  }
  if (PRINTABLE.test(hex)) return;
  hideNumber(digitCells(PACKED_CARD.exec(hex)?.[0] ?? '', 0, DIGIT), hidden);
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
  const hide = (run: string, index: number, cell: RegExp) => {
    if (hideNumber(digitCells(run, index, cell), hidden))
      spelled.fill(1, index, index + run.length);
  };
  for (const {0: run, index} of text.matchAll(SEVEN_BIT)) hide(run, index, SEVEN_BIT_CELL);
  for (const {0: run, index} of text.matchAll(SHIFT_JIS)) hide(run, index, /.{4}/g);
  for (const {0: run, 1: prefix = '', index} of text.matchAll(PREFIXED)) {
    hide(run, index, new RegExp(`.{${prefix.length + 1}}`, 'gs'));
  }
  return spelled;
}

function isIn(spelled: Uint8Array, start: number, length: number): boolean {
  return !spelled.subarray(start, start + length).includes(0);
}

const DIGIT = /\p{Nd}/gu;

function digitCells(run: string, index: number, cell: RegExp): Digit[] {
  return Array.from(run.matchAll(cell), (found) => ({text: found[0], start: index + found.index}));
}

/** Hides the middle of a number, unless it is padding: one or two digits repeated. */
function hideNumber(digits: readonly Digit[], hidden: Hidden): boolean {
  if (FILL_DIGIT.test(digits.map(({text}) => text.at(-1)).join(''))) return false;
  const from = digits.length > 12 ? 6 : 0;
  for (const {text, start} of digits.slice(from, -4)) hidden.fill(1, start, start + text.length);
  return true;
}

function hideText(bytes: Uint8Array, hidden: Hidden, digits: HexDigits): void {
  hiddenDigits(latin1Of(bytes), digits).forEach((isHidden, i) => {
    if (isHidden) hidden.fill(1, 2 * i, 2 * i + 2);
  });
}

function hideBase64(text: string, hidden: Hidden, digits: HexDigits): void {
  if (BASE64_TEXT.test(text)) {
    hideEncoded(text, 0, hidden, digits);
    return;
  }
  // A part of a text matches base64 only by chance.
  for (const {0: token, index} of text.matchAll(BASE64_TOKEN)) {
    hideEncoded(token, index, hidden, 'chance');
  }
}

function hideEncoded(text: string, start: number, hidden: Hidden, digits: HexDigits): void {
  const bytes = looseBase64(text);
  const inside = hiddenDigits(upperHexOf(bytes), digits);
  if (!inside.includes(1)) return;
  const places = Array.from(text.matchAll(/\S/g), ({index}) => start + index);
  for (let i = 0; i < bytes.length; i++) {
    if (!inside[2 * i] && !inside[2 * i + 1]) continue;
    const last = Math.floor((8 * i + 7) / 6);
    for (let at = Math.floor((8 * i) / 6); at <= last; at++) hidden[places[at] ?? 0] = 1;
  }
}
