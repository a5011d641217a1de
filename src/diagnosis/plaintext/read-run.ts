import {isFill} from '../../engine/cipher/padding.js';
import {objectEnds} from '../../input/anchors/object-end.js';
import {canBeginAt, classOf, DIGITS_D_F, PRINTABLE} from './block-filter.js';
import {type Chain, type ChainReading, MIN_PART_BITS, mostProven, waysOf} from './chain.js';
import {openCard} from './open-card.js';

/** Reads a ciphertext that ends where its data does; the bytes after it do not belong to it. */
export function readBeginning(chain: Chain): ChainReading | undefined {
  const choice = Math.log2(chain.ciphertext.length);
  const found = waysOf(chain).flatMap((way): ChainReading[] => {
    const {plain} = way;
    const first = plain.subarray(0, MAX_CARD_BYTES);
    const ends = canBeginAt(plain) ? endsOf(first, chain.blockSize) : [];
    return ends.flatMap((end) => {
      const opening = openCard(plain.subarray(0, end));
      if (!opening) return [];
      const bits = opening.bits - choice;
      return [{...way, plain: plain.slice(0, end), openings: [opening], bits}];
    });
  });
  return mostProven(found);
}

/** More than any card's data: every end before it is tried, at the cost of all bytes up to it. */
const MAX_CARD_BYTES = 2048;

/** The first byte of a track in characters of six bits. */
const SIX_BIT_START = 0x16;

/** The ends of blocks, at least two, where a plaintext that begins here can end. */
function endsOf(plain: Uint8Array, blockSize: number): number[] {
  const isSixBit = plain[0] === SIX_BIT_START;
  // Printable characters; packed digits with separator, sentinel or filler; length bytes of padding.
  const stranger = plain.findIndex(
    (byte, at) => at > 0 && byte > 0x10 && (classOf(byte) & (PRINTABLE | DIGITS_D_F)) === 0,
  );
  // The LRC after a track's characters or digits may be any byte.
  const last = isSixBit || stranger < 0 ? plain.length : stranger + 1;
  const tags = tagEnds(plain);
  const ends: number[] = [];
  for (let end = 2 * blockSize; end <= plain.length; end += blockSize) {
    // Padding may take a whole extra block.
    const from = end - 2 * blockSize;
    if (last > from || tags.some((at) => at > from && at <= end)) ends.push(end);
  }
  return ends;
}

/** The ends of the objects of a TLV list, as far as it can be parsed. */
export function tagEnds(plain: Uint8Array): number[] {
  return objectEnds(plain).filter((end) => end <= plain.length);
}

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
