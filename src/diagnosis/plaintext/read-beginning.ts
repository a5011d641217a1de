import {objectEnds} from '../../input/anchors/object-end.js';
import {canBeginAt, classOf, DIGITS_D_F, PRINTABLE} from './block-filter.js';
import {type Chain, type ChainReading, mostProven, waysOf} from './chain.js';
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
export const MAX_CARD_BYTES = 2048;

/** The first byte of a track in characters of six bits. */
export const SIX_BIT_START = 0x16;

/** The ends of blocks, at least two, where a plaintext that begins here can end. */
function endsOf(plain: Uint8Array, blockSize: number): number[] {
  const isSixBit = plain[0] === SIX_BIT_START;
  const last = isSixBit ? plain.length : characterEnd(plain);
  const tags = tagEnds(plain);
  const ends: number[] = [];
  for (let end = 2 * blockSize; end <= plain.length; end += blockSize) {
    // Padding may take a whole extra block.
    const from = end - 2 * blockSize;
    if (last > from || tags.some((at) => at > from && at <= end)) ends.push(end);
  }
  return ends;
}

/** The end of a track's characters or digits; its LRC, which may be any byte, included. */
function characterEnd(plain: Uint8Array): number {
  const stranger = plain.findIndex((byte, at) => at > 0 && !isOfTrack(byte));
  return stranger < 0 ? plain.length : stranger + 1;
}

/**
 * Printable characters; packed digits with separator, sentinel or filler; length bytes of padding.
 */
function isOfTrack(byte: number): boolean {
  return byte <= 0x10 || (classOf(byte) & (PRINTABLE | DIGITS_D_F)) !== 0;
}

/** The ends of the objects of a TLV list, as far as it can be parsed. */
export function tagEnds(plain: Uint8Array): number[] {
  return objectEnds(plain).filter((end) => end <= plain.length);
}
