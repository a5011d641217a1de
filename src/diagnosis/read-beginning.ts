import {canBeginAt} from './block-filter.js';
import {type Chain, type ChainReading, unchain, ZERO_IV} from './chain.js';
import {openCard} from './open-card.js';

/** Reads a ciphertext that ends where its data does; what stands behind it is no part of it. */
export function readBeginning(chain: Chain): ChainReading | undefined {
  const {ciphertext, blocks, blockSize} = chain;
  let best: ChainReading | undefined;
  for (const [mode, plain, iv] of [
    ...chain.ivs.map((iv) => ['cbc', unchain(chain, iv.bytes), iv] as const),
    ['ecb', blocks, ZERO_IV] as const,
  ]) {
    if (!canBeginAt(plain)) continue;
    for (let end = 2 * blockSize; end <= ciphertext.length; end += blockSize) {
      const opening = openCard(plain.subarray(0, end));
      if (!opening) continue;
      const bits = opening.bits - Math.log2(ciphertext.length);
      if (best && best.bits >= bits) continue;
      const bytes = plain.slice(0, end);
      best = {mode, iv, plain: bytes, restarts: [], openings: [opening], bits};
    }
  }
  return best;
}
