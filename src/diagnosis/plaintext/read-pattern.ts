import {isFill} from '../../engine/cipher/padding.js';
import {latin1Of} from '../../platform/bytes.js';
import {allWaysOf, type Chain, type ChainReading, mostProven, type Way} from './chain.js';
import {fillOf} from './open-card.js';
import {textBits} from './open-text.js';
import {openingOf, printable} from './opened-plaintext.js';

const MIN_PATTERN_BYTES = 16;
const MAX_PERIOD_BYTES = 64;
const BYTE_BITS = 8;

/**
 * Reads test data: at least 16 bytes from the start that repeat after any number of bytes. A block of
 * the ciphertext that occurred before proves nothing again, since its plaintext follows from the first.
 */
export function readPattern(chain: Chain): ChainReading | undefined {
  if (chain.blocks.length < MIN_PATTERN_BYTES) return undefined;
  const ways = allWaysOf(chain);
  const isFresh = freshBytes(chain);
  const choice = Math.log2(ways.length * MAX_PERIOD_BYTES);
  return mostProven(ways.flatMap((way) => repeating(way, isFresh, choice)));
}

/** For each byte of the ciphertext, whether its block is the first of its kind. */
function freshBytes({ciphertext, blockSize}: Chain): Uint8Array {
  const seen = new Set<string>();
  const fresh = new Uint8Array(ciphertext.length);
  for (let at = 0; at < ciphertext.length; at += blockSize) {
    const block = latin1Of(ciphertext.subarray(at, at + blockSize));
    if (!seen.has(block)) fresh.fill(1, at, at + blockSize);
    seen.add(block);
  }
  return fresh;
}

/** By the period that proves most. */
function repeating(way: Way, isFresh: Uint8Array, choice: number): ChainReading[] {
  const {plain} = way;
  const from = isFresh.length - plain.length;
  let best = {end: 0, period: 0, bits: -Infinity};
  for (let period = 1; period <= MAX_PERIOD_BYTES && period < plain.length; period++) {
    const end = endOfPattern(plain, period);
    if (end < MIN_PATTERN_BYTES || end <= period) continue;
    const unit = plain.subarray(0, period).filter((_, at) => isFresh[from + at]);
    let bits = textBits(latin1Of(unit), 0) - choice;
    for (let at = period; at < end; at++) if (isFresh[from + at]) bits += BYTE_BITS;
    if (bits > best.bits) best = {end, period, bits};
  }
  return best.end > 0 ? [patternReading(way, best)] : [];
}

function endOfPattern(plain: Uint8Array, period: number): number {
  let end = period;
  while (end < plain.length && plain[end] === plain[end - period]) end++;
  return Math.min(end, plain.length);
}

function patternReading(
  way: Way,
  {end, period, bits}: Readonly<Record<'end' | 'period' | 'bits', number>>,
): ChainReading {
  const {plain} = way;
  const isFilled = isFill(plain, end);
  const fact = {kind: 'other', text: `pattern: ${end} bytes repeat every ${period}`, bits} as const;
  const opening = openingOf('data', fact, {
    text: printable(latin1Of(plain.subarray(0, end))),
    unread: isFilled ? 0 : plain.length - end,
    fill: isFilled ? fillOf(plain, end) : undefined,
  });
  return {...way, openings: [opening], bits};
}
