import {isFill} from '../../engine/cipher/padding.js';
import {canBeginAt} from './block-filter.js';
import {type Chain, type ChainReading, MIN_PART_BITS, mostProven, waysOf} from './chain.js';
import {openCard} from './open-card.js';
import {MAX_CARD_BYTES, SIX_BIT_START, tagEnds} from './read-beginning.js';

/**
 * Reads tracks and lists that were concatenated and encrypted together, in CBC or ECB, so that only
 * the plaintext shows where each part ends. Tracks in characters are read as one text elsewhere.
 */
export function readRun(chain: Chain): ChainReading | undefined {
  const ways = waysOf(chain);
  const choice = Math.log2(ways.length);
  const found = ways.flatMap((way): ChainReading[] => {
    const run = partsFrom(way.plain, 0, chain.blockSize);
    if (!run || run.openings.length < 2) return [];
    return [{...way, openings: run.openings, bits: run.bits - choice}];
  });
  return mostProven(found);
}

type Run = Pick<ChainReading, 'openings' | 'bits'>;

/** Cost of the choice where a part ends. */
const RUN_CHOICE_BITS = 4;
const MAX_PARTS = 4;

/** The parts with most evidence from `at` to the end; empty at the end. */
function partsFrom(
  plain: Uint8Array,
  at: number,
  blockSize: number,
  most = MAX_PARTS,
): Run | undefined {
  if (at === plain.length) return {openings: [], bits: 0};
  if (most === 0 || !canBeginAt(plain, at)) return undefined;
  let best: Run | undefined;
  for (const end of partEnds(plain, at, blockSize)) {
    const opening = openCard(plain.subarray(at, end));
    if (!opening || opening.bits < MIN_PART_BITS) continue;
    const rest = partsFrom(plain, end, blockSize, most - 1);
    if (!rest) continue;
    const bits = opening.bits - RUN_CHOICE_BITS + rest.bits;
    if (!best || bits > best.bits) best = {openings: [opening, ...rest.openings], bits};
  }
  return best;
}

/**
 * The possible ends of a part that begins at `at`: after its last character or tag, or after its
 * padding.
 */
function partEnds(plain: Uint8Array, at: number, blockSize: number): number[] {
  const ends = new Set<number>();
  for (const end of contentEnds(plain.subarray(0, at + MAX_CARD_BYTES + 1), at)) {
    if (end <= at || end > plain.length) continue;
    ends.add(end);
    for (const filled of filledEnds(plain, end, blockSize)) ends.add(filled);
  }
  return [...ends].filter((end) => end - at <= MAX_CARD_BYTES);
}

function contentEnds(plain: Uint8Array, at: number): number[] {
  const first = plain[at] ?? 0;
  const tags = tagEnds(plain.subarray(at))
    .slice(-MAX_TAGS)
    .map((end) => at + end);
  if (first === SIX_BIT_START) return [sixBitEnd(plain, at), ...tags];
  if (first >> 4 === 0xb) return [nibblesEnd(plain, at, 1)];
  return [...textEnds(plain, at), nibblesEnd(plain, at, 0), ...tags];
}

/** Tag ends to try: the walk may run a few objects too far. */
const MAX_TAGS = 4;
export const QUESTION_MARK = 0x3f;

/** The end of the characters, and the index after the last end sentinel and its LRC. */
function textEnds(plain: Uint8Array, at: number): number[] {
  let end = at;
  while (end < plain.length && plain[end]! >= 0x20 && plain[end]! <= 0x7e) end++;
  const sentinel = plain.subarray(at, end).lastIndexOf(QUESTION_MARK);
  return sentinel < 0 ? [end] : [end, at + sentinel + 1, at + sentinel + 2];
}

/** The index after the F that ends packed digits, and the `lrc` digits after it. */
function nibblesEnd(plain: Uint8Array, at: number, lrc: number): number {
  const nibble = (i: number) => (plain[i >> 1]! >> (i % 2 === 0 ? 4 : 0)) & 15;
  for (let i = 2 * at + 1; i < 2 * plain.length; i++) {
    if (nibble(i) === 0xf) return Math.ceil((i + 1 + lrc) / 2);
    if (nibble(i) > 9 && nibble(i) !== 0xd) return i >> 1;
  }
  return plain.length;
}

/** The index after 1F, which is `?` in six bits, and its LRC. */
function sixBitEnd(plain: Uint8Array, at: number): number {
  for (let bit = 8 * at; bit + 12 <= 8 * plain.length; bit += 6) {
    if (sixBitsAt(plain, bit) === 0x1f) return Math.ceil((bit + 12) / 8);
  }
  return plain.length;
}

/** The character of six bits at a bit. */
export function sixBitsAt(plain: Uint8Array, bit: number): number {
  const byte = bit >> 3;
  const word = (plain[byte]! << 8) | (plain[byte + 1] ?? 0);
  return (word >> (10 - (bit & 7))) & 0x3f;
}

/** The index after the zeros, and the ends of blocks up to which there is only padding. */
function filledEnds(plain: Uint8Array, end: number, blockSize: number): number[] {
  const ends: number[] = [];
  let last = end;
  while (last < plain.length && plain[last] === 0) last++;
  if (last > end) ends.push(last);
  const block = end + blockSize - (end % blockSize);
  for (const whole of [block, block + blockSize]) {
    if (whole <= plain.length && isFill(plain.subarray(0, whole), end)) ends.push(whole);
  }
  return ends;
}
