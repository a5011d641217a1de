import {bytesFromHex, hexOf, latin1Of} from '../../platform/bytes.js';
import type {IvCandidate} from '../input/interpretation.js';
import {type Chain, type ChainReading, sliceOf, unchain, ZERO_IV} from './chain.js';
import {openPlain} from './open-plain.js';
import type {Opening} from './opened-plaintext.js';

/** Evidence in bits per hex digit that was known in advance. */
const DIGIT_BITS = 4;

/**
 * Reads a ciphertext whose plaintext, or its beginning, is known to the user: in CBC under each IV,
 * with the first block as IV, in ECB; and if the IV is not known, by the expected data after the
 * first block.
 */
export function readExpected(chain: Chain, expected: readonly string[]): ChainReading | undefined {
  if (expected.length === 0) return undefined;
  const ways = [...waysOf(chain)];
  const choice = Math.log2(ways.length * expected.length);
  const all = expected.flatMap((hex) => [
    ...ways
      .filter(({plain}) => hexOf(plain).startsWith(hex))
      .map((way) => readingOf(way, hex.length * DIGIT_BITS - choice)),
    ...withoutIv(chain, hex),
  ]);
  return all.sort((a, b) => b.bits - a.bits)[0];
}

type Way = Pick<ChainReading, 'mode' | 'plain'> & {readonly iv: IvCandidate};

function* waysOf(chain: Chain): Generator<Way> {
  const {ciphertext, blocks, blockSize} = chain;
  for (const iv of chain.ivs) yield {mode: 'cbc', iv, plain: unchain(chain, iv.bytes)};
  if (blocks.length === blockSize) return;
  yield {mode: 'ecb', iv: ZERO_IV, plain: blocks};
  const bytes = ciphertext.slice(0, blockSize);
  const plain = unchain(sliceOf(chain, blockSize, blocks.length), bytes);
  yield {mode: 'cbc', iv: {bytes, source: 'prepended'}, plain};
}

/** The blocks after the first are as expected; the IV is computed from the first. */
function withoutIv(chain: Chain, hex: string): ChainReading[] {
  const {blockSize, blocks} = chain;
  const rest = hex.slice(2 * blockSize);
  const head = bytesFromHex(hex.slice(0, 2 * blockSize));
  const plain = unchain(chain, ZERO_IV.bytes);
  if (rest === '' || !head || !hexOf(plain.subarray(blockSize)).startsWith(rest)) return [];
  const bytes = head.map((byte, i) => byte ^ plain[i]!);
  const iv: IvCandidate = {bytes, source: 'computed'};
  const way = {mode: 'cbc', iv, plain: unchain(chain, bytes)} as const;
  return blocks.length > blockSize ? [readingOf(way, rest.length * DIGIT_BITS - 2)] : [];
}

/**
 * The expected beginning and the grammar are evidence from the same bytes, so only the stronger
 * counts.
 */
function readingOf(way: Way, known: number): ChainReading {
  const own = openPlain(way.plain);
  const fact = {kind: 'expected', text: 'begins as expected', bits: known} as const;
  const facts = [...(own?.facts ?? []), fact];
  const bits = Math.max(own?.bits ?? 0, known);
  const opening: Opening = {packing: 'data', text: textOf(way.plain), ...own, bits, facts};
  return {...way, restarts: [], openings: [opening], bits};
}

function textOf(plain: Uint8Array): string {
  const text = latin1Of(plain).replace(/\0+$/, '');
  return /^[\t\n\r -~]+$/.test(text) ? text : '';
}
