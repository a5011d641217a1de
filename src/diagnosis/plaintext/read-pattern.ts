import {isFill} from '../../engine/cipher/padding.js';
import {latin1Of} from '../../platform/bytes.js';
import {freshBytes} from '../../platform/fresh-bytes.js';
import {allWaysOf, type Chain, type ChainReading, mostProven, type Way} from './chain.js';
import {fillOf} from './open-card.js';
import {textBits} from './open-text.js';
import {openingOf, printable} from './opened-plaintext.js';

const MIN_PATTERN_BYTES = 16;
const MAX_PERIOD_DIGITS = 128;
/** Evidence in bits of a hex digit that follows from another, and of one next to the one before. */
const DIGIT_BITS = {repeated: 4, counted: 2.9} as const;

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
  let isFresh: readonly boolean[] | undefined;
  const fresh = (plain: Uint8Array) => {
    isFresh ??= areFresh(chain);
    return isFresh.slice(isFresh.length - plain.length);
  };
  return mostProven(ways.flatMap((way) => patternsIn(way, () => fresh(way.plain), choice)));
}

/** For each byte of the ciphertext, whether its block is the first of its kind. */
function areFresh({ciphertext, blockSize}: Chain): boolean[] {
  const seen = new Set<string>();
  const fresh: boolean[] = [];
  for (let at = 0; at < ciphertext.length; at += blockSize) {
    const block = latin1Of(ciphertext.subarray(at, at + blockSize));
    for (let i = 0; i < blockSize; i++) fresh.push(!seen.has(block));
    seen.add(block);
  }
  return fresh;
}

/** `fresh` tells for each byte whether it proves something. */
function patternsIn(way: Way, fresh: () => readonly boolean[], choice: number): ChainReading[] {
  const {plain} = way;
  const digits = unpackDigits(plain);
  const found: ChainReading[] = [];
  for (let period = 1; period <= MAX_PERIOD_DIGITS && period < digits.length; period++) {
    const end = endOfRepeats(digits, period);
    if (end < 2 * MIN_PATTERN_BYTES || end <= period) continue;
    // A few digits after an odd period prove nothing.
    if (period % 2 === 1 && (end - period + 1) * DIGIT_BITS.repeated <= choice) continue;
    const isFresh = fresh();
    const unit = plain.subarray(0, period >> 1).filter((_, at) => isFresh[at]);
    const isText = period % 2 === 0 && unit.every((byte) => byte < 0x7f);
    const known = isText ? textBits(latin1Of(unit), 0) : 0;
    const bits = known + freshDigits(isFresh, period, end) * DIGIT_BITS.repeated - choice;
    if (bits > 0) found.push(patternReading(way, end, `repeat every ${period}`, bits));
  }
  const end = endOfCount(digits);
  if (end < 2 * MIN_PATTERN_BYTES) return found;
  const bits = freshDigits(fresh(), 0, end) * DIGIT_BITS.counted - choice;
  return [...found, patternReading(way, end, 'count up or down', bits)];
}

function unpackDigits(plain: Uint8Array): Uint8Array {
  const digits = freshBytes(2 * plain.length);
  for (let i = 0; i < digits.length; i++) digits[i] = (plain[i >> 1]! >> (4 - 4 * (i & 1))) & 15;
  return digits;
}

function freshDigits(isFresh: readonly boolean[], begin: number, end: number): number {
  return isFresh.slice(begin >> 1, end >> 1).filter(Boolean).length * 2;
}

/** The end of the last whole byte, in digits, up to which each digit repeats one `period` before. */
function endOfRepeats(digits: Uint8Array, period: number): number {
  let end = period;
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

function patternReading(way: Way, end: number, what: string, bits: number): ChainReading {
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
