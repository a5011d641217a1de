import {isFill} from '../../engine/cipher/padding.js';
import {hexOf, latin1Of} from '../../platform/bytes.js';
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
  const isFresh = freshBytes(chain);
  const choice = Math.log2(ways.length * MAX_PERIOD_DIGITS);
  return mostProven(ways.flatMap((way) => patternsIn(way, isFresh, choice)));
}

/** For each byte of the ciphertext, whether its block is the first of its kind. */
function freshBytes({ciphertext, blockSize}: Chain): boolean[] {
  const seen = new Set<string>();
  const fresh: boolean[] = [];
  for (let at = 0; at < ciphertext.length; at += blockSize) {
    const block = latin1Of(ciphertext.subarray(at, at + blockSize));
    for (let i = 0; i < blockSize; i++) fresh.push(!seen.has(block));
    seen.add(block);
  }
  return fresh;
}

function patternsIn(way: Way, isFresh: readonly boolean[], choice: number): ChainReading[] {
  const {plain} = way;
  const digits = hexOf(plain);
  const from = isFresh.length - plain.length;
  const freshDigits = (begin: number, end: number) =>
    isFresh.slice(from + (begin >> 1), from + (end >> 1)).filter(Boolean).length * 2;
  const found: ChainReading[] = [];
  for (let period = 1; period <= MAX_PERIOD_DIGITS && period < digits.length; period++) {
    const end = endOfPattern(digits, period, (at) => digits[at] === digits[at - period]);
    if (end < 2 * MIN_PATTERN_BYTES || end <= period) continue;
    const unit = plain.subarray(0, period >> 1).filter((_, at) => isFresh[from + at]);
    const isText = period % 2 === 0 && unit.every((byte) => byte < 0x7f);
    const known = isText ? textBits(latin1Of(unit), 0) : 0;
    const bits = known + freshDigits(period, end) * DIGIT_BITS.repeated - choice;
    if (bits > 0) found.push(patternReading(way, end, `repeat every ${period}`, bits));
  }
  const end = endOfPattern(digits, 1, (at) => isNext(digits, at));
  if (end < 2 * MIN_PATTERN_BYTES) return found;
  const bits = freshDigits(0, end) * DIGIT_BITS.counted - choice;
  return [...found, patternReading(way, end, 'count up or down', bits)];
}

/** The end of the last whole byte, in digits, up to which `follows` is true from `start` on. */
function endOfPattern(digits: string, start: number, follows: (at: number) => boolean): number {
  let end = start;
  while (end < digits.length && follows(end)) end++;
  return end - (end % 2);
}

/** True for a hex digit one above or below the one before, or one of 0 and 9, or 0 and F, together. */
function isNext(digits: string, at: number): boolean {
  const [low = 0, high = 0] = [...digits.slice(at - 1, at + 1)]
    .map((digit) => Number.parseInt(digit, 16))
    .sort((a, b) => a - b);
  return high - low === 1 || (low === 0 && (high === 9 || high === 15));
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
