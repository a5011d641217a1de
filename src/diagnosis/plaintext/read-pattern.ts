import {isFill} from '../../engine/cipher/padding.js';
import {latin1Of} from '../../platform/bytes.js';
import {freshBytes} from '../../platform/fresh-bytes.js';
import {allWaysOf, type Chain, type ChainReading, type Way} from './chain.js';
import {fillOf} from './open-card.js';
import {textBits} from './open-text.js';
import {openingOf, printable} from './opened-plaintext.js';

const MIN_PATTERN_BYTES = 16;
const MAX_PERIOD_DIGITS = 128;
/** Evidence in bits of a hex digit that follows from another, and of one next to the one before. */
const DIGIT_BITS = {repeated: 4, counted: 2.9} as const;

/** A pattern that begins with the plaintext of a way; `end` in digits. */
interface Pattern {
  readonly way: Way;
  readonly end: number;
  readonly what: string;
  readonly bits: number;
}

/**
 * Reads test data: at least 16 bytes from the start that repeat after any number of hex digits, or
 * count up or down digit by digit. A block of the ciphertext that occurred before proves nothing
 * again, since its plaintext follows from the first.
 */
export function readPattern(chain: Chain): ChainReading | undefined {
  if (chain.blocks.length < MIN_PATTERN_BYTES) return undefined;
  const ways = allWaysOf(chain);
  const choice = Math.log2(ways.length * MAX_PERIOD_DIGITS);
  // Every wrong key of a thorough stage comes here, and hardly any needs it.
  let counts: Uint32Array | undefined;
  const fresh = ({plain}: Way) => {
    counts ??= freshCounts(chain);
    return counts.subarray(counts.length - 1 - plain.length);
  };
  const found = ways.flatMap((way) => patternsIn(way, () => fresh(way), choice));
  const [most] = found.sort((a, b) => b.bits - a.bits);
  return most && patternReading(most);
}

/** For each byte of the ciphertext, and its end, how many before it are in the first block of its kind. */
function freshCounts({ciphertext, blockSize}: Chain): Uint32Array {
  const seen = new Set<string>();
  const counts = new Uint32Array(Math.ceil(ciphertext.length / blockSize) * blockSize + 1);
  for (let at = 0; at < ciphertext.length; at += blockSize) {
    const block = latin1Of(ciphertext.subarray(at, at + blockSize));
    const each = seen.has(block) ? 0 : 1;
    for (let i = at; i < at + blockSize; i++) counts[i + 1] = counts[i]! + each;
    seen.add(block);
  }
  return counts;
}

/** `fresh` tells how many bytes before each one prove something. */
function patternsIn(way: Way, fresh: () => Uint32Array, choice: number): Pattern[] {
  const {plain} = way;
  const digits = unpackDigits(plain);
  const found: Pattern[] = [];
  const ends = new Uint32Array(MAX_PERIOD_DIGITS + 1);
  for (let period = 1; period <= MAX_PERIOD_DIGITS && period < digits.length; period++) {
    const end = endOfRepeats(digits, period, knownEnd(ends, period));
    ends[period] = end;
    if (end < 2 * MIN_PATTERN_BYTES || end <= period) continue;
    // A few digits after an odd period prove nothing.
    if (period % 2 === 1 && (end - period + 1) * DIGIT_BITS.repeated <= choice) continue;
    const bits = bitsOfRepeats(plain, period, end, fresh()) - choice;
    if (bits > 0) found.push({way, end, what: `repeat every ${period}`, bits});
  }
  const end = endOfCount(digits);
  if (end < 2 * MIN_PATTERN_BYTES) return found;
  const bits = freshDigits(fresh(), 0, end) * DIGIT_BITS.counted - choice;
  return [...found, {way, end, what: 'count up or down', bits}];
}

/** The evidence of a unit that is text, and of the digits that repeat it. */
function bitsOfRepeats(
  plain: Uint8Array,
  period: number,
  end: number,
  counts: Uint32Array,
): number {
  const unit = plain.subarray(0, period >> 1).filter((_, at) => counts[at + 1]! > counts[at]!);
  const isText = period % 2 === 0 && unit.every((byte) => byte < 0x7f);
  const known = isText ? textBits(latin1Of(unit), 0) : 0;
  return known + freshDigits(counts, period, end) * DIGIT_BITS.repeated;
}

/** Where what repeats after a part of the period ends, so that its digits are not compared again. */
function knownEnd(ends: Uint32Array, period: number): number {
  let known = period;
  for (let part = 1; 2 * part <= period; part++)
    if (period % part === 0) known = Math.max(known, ends[part]!);
  return known;
}

function unpackDigits(plain: Uint8Array): Uint8Array {
  const digits = freshBytes(2 * plain.length);
  for (let i = 0; i < digits.length; i++) digits[i] = (plain[i >> 1]! >> (4 - 4 * (i & 1))) & 15;
  return digits;
}

function freshDigits(counts: Uint32Array, begin: number, end: number): number {
  return (counts[end >> 1]! - counts[begin >> 1]!) * 2;
}

/** The end of the last whole byte, in digits, up to which each digit repeats one `period` before. */
function endOfRepeats(digits: Uint8Array, period: number, known: number): number {
  let end = known;
  while (end < digits.length && digits[end] === digits[end - period]) end++;
  return end - (end % 2);
}

/** The same for digits one above or below the one before, or one of 0 and 9, or 0 and F, together. */
function endOfCount(digits: Uint8Array): number {
  let end = 1;
  while (end < digits.length && isNext(digits[end - 1]!, digits[end]!)) end++;
  return end - (end % 2);
}

function isNext(a: number, b: number): boolean {
  const step = Math.abs(a - b);
  return step === 1 || (a * b === 0 && (step === 9 || step === 15));
}

function patternReading({way, end, what, bits}: Pattern): ChainReading {
  const {plain} = way;
  const bytes = end / 2;
  const isFilled = isFill(plain, bytes);
  const fact = {kind: 'other', text: `pattern: ${end} digits ${what}`, bits} as const;
  const opening = openingOf('data', fact, {
    text: printable(latin1Of(plain.subarray(0, bytes))),
    unread: isFilled ? 0 : plain.length - bytes,
    fill: isFilled ? fillOf(plain, bytes) : undefined,
  });
  return {...way, openings: [opening], bits};
}
