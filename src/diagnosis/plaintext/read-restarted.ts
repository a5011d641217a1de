import type {IvCandidate} from '../../input/interpretation.js';
import {concatBytes} from '../../platform/bytes.js';
import {canBeginAt} from './block-filter.js';
import {type Chain, type ChainReading, MIN_PART_BITS, sliceOf, unchain, ZERO_IV} from './chain.js';
import {openPlain} from './open-plain.js';
import type {Opening} from './opened-plaintext.js';

/** Reads several consecutive CBC chains, each with a zero IV. */
export function readRestarted(chain: Chain): ChainReading | undefined {
  const {blocks, blockSize} = chain;
  const starts: number[] = [];
  for (let at = blockSize; at < blocks.length; at += blockSize)
    if (canBeginAt(blocks, at)) starts.push(at);
  if (starts.length === 0 || starts.length > MAX_STARTS) return undefined;
  for (const iv of chain.ivs.slice(0, 3)) {
    const found = splitFrom(chain, 0, iv, starts);
    if (!found) continue;
    const {segments} = found;
    return {
      mode: 'cbc',
      iv,
      plain: concatBytes(...segments.map(({bytes}) => bytes)),
      restarts: segments.slice(1).map(({at}) => at),
      openings: segments.map(({opening}) => opening),
      bits: found.bits - 2 * starts.length - 2,
    };
  }
  return undefined;
}

const MAX_STARTS = 12;

interface Split {
  readonly segments: readonly {at: number; bytes: Uint8Array; opening: Opening}[];
  readonly bits: number;
}

/** The split with most evidence; a block that is text by chance must not begin a separate part. */
function splitFrom(
  chain: Chain,
  at: number,
  iv: IvCandidate,
  starts: readonly number[],
): Split | undefined {
  const later = starts.filter((start) => start > at);
  let best: Split | undefined;
  for (const end of at === 0 ? later : [...later, chain.blocks.length]) {
    const bytes = unchain(sliceOf(chain, at, end), iv.bytes);
    const opening = openPlain(bytes);
    if (!opening || opening.bits < MIN_PART_BITS || opening.packing === 'binary') continue;
    const rest = end === chain.blocks.length ? NO_SEGMENTS : splitFrom(chain, end, ZERO_IV, later);
    if (!rest || (best && best.bits >= opening.bits + rest.bits)) continue;
    best = {segments: [{at, bytes, opening}, ...rest.segments], bits: opening.bits + rest.bits};
  }
  return best;
}

const NO_SEGMENTS: Split = {segments: [], bits: 0};
