import {PaylensError, rethrowTerminalFault} from '../../contract/paylens-error.js';
import type {CardContent} from '../../engine/card/card-content.js';
import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import {latin1Of} from '../../platform/bytes.js';
import {canBeginAt} from './block-filter.js';
import {
  betterReading,
  type Chain,
  type ChainReading,
  explainedBytes,
  MIN_PART_BITS,
  mostProven,
  prependedWay,
  type Way,
  waysOf,
  ZERO_IV,
} from './chain.js';
import {openCard, pansIn} from './open-card.js';
import {openPlain, STRONG_BITS} from './open-plain.js';
import {openDense} from './open-text.js';
import type {Opening, Packing} from './opened-plaintext.js';
import {readDamaged, readHeadless} from './read-damaged.js';
import {readRestarted} from './read-restarted.js';
import {readRun} from './read-run.js';

/**
 * Reads a ciphertext under one key in every possible way: CBC under each IV, ECB, restarts between
 * tracks, first block lost, a damaged block. Returns the reading with most evidence, if any makes
 * sense.
 */
export function readChain(chain: Chain): ChainReading | undefined {
  const whole = readWhole(chain);
  if (whole?.accepted) return whole;
  const isStrong =
    whole !== undefined &&
    whole.bits >= STRONG_BITS &&
    explainedBytes(whole) === whole.plain.length;
  const ways = isStrong
    ? [readRestarted]
    : [readRestarted, readRun, readPrepended, readHeadless, readDamaged];
  const best = ways.map((read) => read(chain)).reduce(betterReading, whole);
  // If nothing is proven, a plaintext of unknown form is worth a try.
  return best && best.bits >= REQUIRED_BITS ? best : (readDense(chain) ?? best);
}

function readDense(chain: Chain): ChainReading | undefined {
  const found = waysOf(chain, [chain.ivs[0] ?? ZERO_IV]).flatMap((way): ChainReading[] => {
    // Most keys end here, so that repeated blocks are looked for only if there is something.
    const opening = openDense(way.plain) && openDense(way.plain, freshOf(way, chain));
    return opening ? [{...way, openings: [opening], bits: opening.bits - 1}] : [];
  });
  return mostProven(found);
}

/**
 * The plaintext of blocks that are not deciphered as an earlier one was: their bytes follow from
 * those, and prove nothing again.
 */
function freshOf({plain, mode}: Way, {ciphertext, blockSize}: Chain): Uint8Array {
  const known = new Set<string>();
  const before = mode === 'cbc' ? blockSize : 0;
  const fresh: number[] = [];
  for (let at = 0; at < plain.length; at += blockSize) {
    const source = latin1Of(ciphertext.subarray(Math.max(at - before, 0), at + blockSize));
    if (known.has(source)) continue;
    known.add(source);
    fresh.push(...plain.subarray(at, at + blockSize));
  }
  return Uint8Array.from(fresh);
}

function readWhole(chain: Chain): ChainReading | undefined {
  const choice = Math.log2(chain.ivs.length + 1);
  const found = waysOf(chain).flatMap((way, i): ChainReading[] => {
    const {opening, ...checks} = openWhole(way.plain, chain);
    if (!opening) return [];
    return [{...way, openings: [opening], bits: opening.bits - (i === 0 ? 0 : choice), ...checks}];
  });
  return mostProven(found);
}

/** What a plaintext is as a whole, and what the payload's reader says to it. */
function openWhole(
  plain: Uint8Array,
  {open, special, isProven}: Chain,
): Pick<ChainReading, 'accepted' | 'refused'> & {readonly opening?: Opening | undefined} {
  const generic = openPlain(plain, special);
  if (!open || !(isProven || canBeginAt(plain))) return {opening: generic};
  const content = openOrReason(plain, open);
  if (typeof content === 'string') return {opening: generic, refused: content};
  const opening: Opening = {
    packing: acceptedPacking(generic, content),
    text: generic?.text ?? content.keyed?.text ?? latin1Of(plain),
    bits: Math.max(content.bits ?? 0, generic?.bits ?? 0),
    facts: [...(content.facts ?? []), ...(generic?.facts ?? [])],
    content,
    fill: generic?.fill,
  };
  return {opening, accepted: true};
}

function openOrReason(plain: Uint8Array, open: NonNullable<Chain['open']>): CardContent | string {
  try {
    return open(plain);
  } catch (error) {
    rethrowTerminalFault(error);
    return error instanceof PaylensError ? error.detail : '';
  }
}

/** If the payload's reader accepted the text as card data, it is not other text or binary data. */
function acceptedPacking(generic: Opening | undefined, {keyed, tlv}: CardContent): Packing {
  if (tlv && (generic?.packing ?? 'binary') === 'binary') return 'tlv';
  if (!generic) return keyed && /[=?]/.test(keyed.text) ? 'ascii' : 'bcd';
  return generic.packing === 'text' ? 'ascii' : generic.packing;
}

/** Tries the first block of the ciphertext as IV. */
function readPrepended(chain: Chain): ChainReading | undefined {
  const way = prependedWay(chain);
  const opening = way && openCard(way.plain);
  if (!opening || opening.bits < MIN_PART_BITS) return undefined;
  // A track without its first block has a number that is too short.
  if (opening.packing === 'ascii' && pansIn([opening]).length === 0) return undefined;
  return {...way, openings: [opening], bits: opening.bits - 2};
}
