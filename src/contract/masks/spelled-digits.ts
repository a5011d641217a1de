import {classOf, GAP, NOWHERE, nibbleOf, OTHER} from './character-class.js';
import {DigitRun} from './digit-run.js';
import {BACKSLASH, escapeNear, hideBehindEscape, PERCENT} from './escapes.js';
import type {HiddenText} from './hidden-text.js';

/** What stands at a place: its class (digits: their value), and how many characters stand for it. */
type Token = number;
const WIDTH = 16;
const UNKNOWN: Token = 0;
const token = (kind: number, length: number): Token => length * WIDTH + kind;

const ZERO = 0x30;
const AMPERSAND = 0x26;
const DOT = 0x2e;
const PLUS = 0x2b;
const WIDE_DOT = 0xff0e;
/** The first code of a digit beyond ASCII: the superscript two. */
const FIRST_FOREIGN = 0xb2;

const MAY_BE_SPELLED = /[%\\&\xb2\xb3\xb9\u0660-\uffff]|0x/i;

/** True if digits of `text` may be escapes, or of another script. */
export function mayBeSpelled(text: string): boolean {
  return MAY_BE_SPELLED.test(text);
}

const RUN = new DigitRun(true);

/**
 * Hides card numbers that have a digit or gap as text may spell it: percent-encoded, escaped, as an
 * entity, or of another script.
 */
export function hideSpelled(hidden: HiddenText): void {
  const {text} = hidden;
  const run = RUN;
  let isSpelled = false;
  let gap = false;
  let escaped = NOWHERE;
  let behind = NOWHERE;
  const finish = () => {
    if (isSpelled) {
      run.endGroup();
      hideBehindEscape(run, behind, hidden, () => run.hideCards(hidden));
    }
    run.clear();
    isSpelled = false;
    gap = false;
  };
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i);
    const spelled = spelledAt(text, i, code);
    const kind = spelled === UNKNOWN ? classOf(code) : spelled % WIDTH;
    const length = spelled === UNKNOWN ? 1 : (spelled - kind) / WIDTH;
    if (kind < GAP) {
      if (run.length === 0) behind = escapeNear(escaped, i);
      else if (gap) run.endGroup();
      gap = false;
      isSpelled ||= spelled !== UNKNOWN;
      run.add(kind, i, i + length);
    } else if (kind === GAP && run.length > 0 && !gap) {
      gap = true;
      isSpelled ||= length > 1;
    } else {
      if (run.length > 0) finish();
      if (code === PERCENT || code === BACKSLASH) escaped = i;
    }
    i += length;
  }
  finish();
}

function spelledAt(text: string, at: number, code: number): Token {
  if (code === PERCENT) return percentAt(text, at);
  if (code === BACKSLASH) return escapeAt(text, at);
  if (code === AMPERSAND) return entityAt(text, at);
  if (code === ZERO) return hexNumberAt(text, at);
  if (code === DOT || code === PLUS || code === WIDE_DOT) return token(GAP, 1);
  return code < FIRST_FOREIGN ? UNKNOWN : foreignAt(text, at, code);
}

/** Percent signs may be escaped themselves. */
function percentAt(text: string, at: number): Token {
  let start = at + 1;
  while (text.charCodeAt(start) === 0x32 && text.charCodeAt(start + 1) === 0x35) start += 2;
  const kind = kindOf(hexAt(text, start, 2));
  return kind === OTHER ? UNKNOWN : token(kind, start + 2 - at);
}

/** `\u0034`, `\u{34}` or `\x34`, in a string that may itself be in strings. */
function escapeAt(text: string, at: number): Token {
  let start = at + 1;
  while (start < at + 4 && text.charCodeAt(start) === BACKSLASH) start++;
  const isShort = text.charCodeAt(start) === 0x78;
  if (!isShort && text.charCodeAt(start) !== 0x75) return UNKNOWN;
  if (isShort) return hexToken(text, at, start + 1, 2, 0);
  if (text.charCodeAt(start + 1) !== 0x7b) return hexToken(text, at, start + 1, 4, 0);
  return text.charCodeAt(start + 4) === 0x7d ? hexToken(text, at, start + 2, 2, 1) : UNKNOWN;
}

function hexToken(text: string, at: number, start: number, digits: number, rest: number): Token {
  const kind = kindOf(hexAt(text, start, digits));
  return kind === OTHER ? UNKNOWN : token(kind, start + digits + rest - at);
}

function hexNumberAt(text: string, at: number): Token {
  if ((text.charCodeAt(at + 1) | 0x20) !== 0x78) return UNKNOWN;
  const code = hexAt(text, at + 2, 2);
  if (code < ZERO || code > ZERO + 9) return UNKNOWN;
  return token(code - ZERO, 4 + commaAt(text, at + 4));
}

function commaAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x2c) return 0;
  return text.charCodeAt(at + 1) === 0x20 ? 2 : 1;
}

/** An ASCII digit, a gap, or something else. */
function kindOf(code: number): number {
  if (code < 0) return OTHER;
  const kind = classOf(code);
  return kind <= GAP && code !== 0 ? kind : OTHER;
}

function hexAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const nibble = nibbleOf(text.charCodeAt(i));
    if (nibble > 15) return -1;
    value = 16 * value + nibble;
  }
  return value;
}

const NBSP = '&nbsp;';

function entityAt(text: string, at: number): Token {
  if (text.charCodeAt(at + 1) !== 0x23) {
    return text.startsWith(NBSP, at) ? token(GAP, NBSP.length) : UNKNOWN;
  }
  const isHex = (text.charCodeAt(at + 2) | 0x20) === 0x78;
  const start = isHex ? at + 3 : at + 2;
  let code = 0;
  let i = start;
  for (; i < start + 4; i++) {
    const value = nibbleOf(text.charCodeAt(i));
    if (value >= (isHex ? 16 : 10)) break;
    code = (isHex ? 16 : 10) * code + value;
  }
  if (i === start || text.charCodeAt(i) !== 0x3b) return UNKNOWN;
  const kind = kindOf(code);
  return kind === OTHER ? UNKNOWN : token(kind, i + 1 - at);
}

/** Digits beyond ASCII, by their code point. */
const MEANINGS = new Map<number, Token>();
const MOST_MEANINGS = 4096;

function foreignAt(text: string, at: number, code: number): Token {
  const point = code >= 0xd800 && code < 0xdc00 ? (text.codePointAt(at) ?? code) : code;
  const known = MEANINGS.get(point);
  if (known !== undefined) return known;
  const digit = foreignDigit(String.fromCodePoint(point));
  const meant = digit === undefined ? UNKNOWN : token(digit, point > 0xffff ? 2 : 1);
  if (MEANINGS.size < MOST_MEANINGS) MEANINGS.set(point, meant);
  return meant;
}

/** Also raised, lowered or with a circle around it. */
function foreignDigit(character: string): number | undefined {
  const plain = character.normalize('NFKC');
  if (/^\d$/.test(plain)) return Number(plain);
  if (!/^\p{Nd}$/u.test(plain)) return undefined;
  // Digits of every script follow each other, beginning at a code point that ends with 0 or 6.
  const code = plain.codePointAt(0) ?? 0;
  const isFromZero = /\p{Nd}/u.test(String.fromCodePoint((code & ~15) | 5));
  return (code & 15) - (isFromZero ? 0 : 6);
}
