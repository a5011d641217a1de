import {
  beginsWithDigits,
  canBegin,
  canBeginAt,
  canBeginElements,
  canBeginTlv,
  canContinue,
  canFollow,
  classOf,
  DIGITS,
  DIGITS_D_F,
  isSixBitTrack,
  PRINTABLE,
  patternBits,
  wordAt,
} from './block-filter.js';
import {QUESTION_MARK, sixBitsAt} from './read-run.js';

/**
 * A second look at a plaintext of which a block passed the first filter: at its first bytes, of
 * which random ones pass once in some ten. What a reader of card data accepts passes: the rules are
 * those of lists, tracks and padding, as far as the bytes reach.
 */

/** A plaintext by its first bytes. */
export interface Head {
  /** At least 8 bytes, in whole blocks. */
  readonly plain: Uint8Array;
  /** The same blocks, each decrypted on its own: another CBC chain may begin at any of them. */
  readonly blocks: Uint8Array;
  /** Length of the whole plaintext. */
  readonly length: number;
  readonly blockSize: number;
}

/** Whether card data that begins as it should can go on as it does. */
export function canGoOn(head: Head): boolean {
  const {plain, length} = head;
  const hi = wordAt(plain, 0);
  const lo = wordAt(plain, 4);
  if (!canBegin(hi, lo, length)) return false;
  if (canFollow(hi, lo, PRINTABLE) || isPattern(hi, lo) || canBeginElements(hi, lo)) return true;
  if (canBeginTlv(hi, lo, length) && canWalk(head)) return true;
  if (beginsWithDigits(hi, lo) && digitsGoOn(head, 0)) return true;
  return isSixBitTrack(hi) && sixBitDigits(plain);
}

/** Whether data can begin in the second block, or go on there after a first one that is lost. */
export function canGoOnBehind(head: Head): boolean {
  const {plain, blockSize} = head;
  const hi = wordAt(plain, blockSize);
  const lo = wordAt(plain, blockSize + 4);
  if (plain.length <= blockSize || !canContinue(hi, lo)) return false;
  if (isPattern(hi, lo)) return true;
  if (canFollow(hi, lo, DIGITS) && digitsGoOn(head, blockSize)) return true;
  if (!canFollow(hi, lo, PRINTABLE)) return false;
  const stranger = plain.findIndex(
    (byte, at) => at > blockSize && (classOf(byte) & PRINTABLE) === 0,
  );
  return stranger < 0 || endsAt(head, stranger) || plain[stranger - 1] === QUESTION_MARK;
}

function isPattern(hi: number, lo: number): boolean {
  return (hi | lo) === 0 || patternBits(hi, lo) > 0;
}

/** Whether the bytes end here, with padding, or where another chain begins. */
function endsAt({plain, blocks, blockSize}: Head, at: number): boolean {
  const byte = plain[at];
  if (byte === undefined || byte === 0 || byte === 0x80 || byte === 0xff) return true;
  if (byte <= 16 && (at + byte) % 8 === 0) return true;
  return at > 0 && at % blockSize === 0 && canBeginAt(blocks, at);
}

/** The last place of a separator: after a card number of 19 digits, a sentinel and a format. */
const MAX_SEPARATOR = 22;

/** Whether packed digits go on with a separator in its place, to a filler or padding. */
function digitsGoOn(head: Head, from: number): boolean {
  const {plain} = head;
  let separator = -1;
  for (let i = 2 * from + 1; i < 2 * plain.length; i++) {
    const byte = plain[i >> 1]!;
    const nibble = (i & 1) === 0 ? byte >> 4 : byte & 15;
    if (nibble < 10) continue;
    if (nibble === 0xf) return (separator >= 0 && i - separator > 4) || isFilledFrom(head, i);
    if (nibble !== 0xd) return endsAt(head, i >> 1);
    if (separator < 0) separator = i;
    if (from === 0 && separator > MAX_SEPARATOR) return endsAt(head, i >> 1);
  }
  return true;
}

/** After a filler in the place of an expiry is a possible LRC, then more fillers or other padding. */
function isFilledFrom(head: Head, nibble: number): boolean {
  const {plain} = head;
  const lrc = (nibble >> 1) + 1;
  if (lrc >= plain.length || endsAt(head, lrc)) return true;
  const next = plain.subarray(lrc + 1, lrc + 8);
  return next.every((byte) => byte === next[0]);
}

/** Whether three digits follow `%` and the format letter of a track 1 in six bits. */
function sixBitDigits(plain: Uint8Array): boolean {
  return [12, 18, 24].every((bit) => {
    const character = sixBitsAt(plain, bit);
    return character === 0 || (character >= 0x10 && character <= 0x19);
  });
}

/**
 * Walks a list as far as the bytes reach: every object fits into its container, and what follows the
 * last one is padding, a track, or another chain.
 */
function canWalk(head: Head): boolean {
  const {plain, length} = head;
  const ends = [length];
  let at = 0;
  while (at < plain.length) {
    while (ends.length > 1 && at === ends.at(-1)) ends.pop();
    if (at > 0 && (endsAt(head, at) || (ends.length === 1 && isTrackTo(plain, at)))) return true;
    const tag = plain[at]!;
    if (tag < 0x40) return false;
    const field = tagEnd(plain, at);
    const size = plain[field];
    if (size === undefined) return true;
    const more = size < 0x80 ? 0 : size & 0x7f;
    if (size >= 0x80 && (more < 1 || more > 3)) return false;
    const from = field + 1 + more;
    if (from > plain.length) return true;
    const value =
      more === 0
        ? size
        : plain.subarray(field + 1, from).reduce((sum, byte) => 256 * sum + byte, 0);
    const to = from + value;
    if (to > ends.at(-1)! || !canHold(tag, plain, from, to)) return false;
    const isConstructed = (tag & 0x20) !== 0;
    if (isConstructed) ends.push(to);
    at = isConstructed ? from : to;
  }
  return true;
}

/** Universal tags, below 40, are in no list of a card. */
function tagEnd(plain: Uint8Array, at: number): number {
  let end = at + 1;
  if ((plain[at]! & 0x1f) !== 0x1f) return end;
  while (end < plain.length && plain[end]! >= 0x80 && end < at + 3) end++;
  return end + 1;
}

/** Whether a value has the characters or digits of its tag, as far as the bytes reach. */
function canHold(tag: number, plain: Uint8Array, from: number, to: number): boolean {
  const end = Math.min(to, plain.length);
  const isNumber = tag === 0x57 || tag === 0x5a;
  if (!isNumber && (tag !== 0x56 || plain[from] === 0x16)) return true;
  const classes = isNumber ? DIGITS_D_F : PRINTABLE;
  for (let at = from; at < end; at++) {
    if ((classOf(plain[at]!) & classes) === 0) return at > from && !isNumber && at + 1 === to;
  }
  return true;
}

/** Whether the rest of the bytes can be a track after a list. */
function isTrackTo(plain: Uint8Array, at: number): boolean {
  let all = PRINTABLE | DIGITS;
  for (let i = plain[at]! >> 4 === 0xb ? at + 1 : at; i < plain.length; i++)
    all &= classOf(plain[i]!);
  return all !== 0 || canBeginAt(plain, at);
}
