import type {IvCandidate} from '../../input/interpretation.js';
import {bytesFromHex, hexOf, latin1Of} from '../../platform/bytes.js';
import {
  type Chain,
  type ChainReading,
  MIN_PART_BITS,
  unchain,
  type Way,
  waysOf,
  ZERO_IV,
} from './chain.js';
import {openPlain} from './open-plain.js';
import type {Opening} from './opened-plaintext.js';

/** Evidence in bits per hex digit that was known in advance. */
const HEX_DIGIT_BITS = 4;

/**
 * Reads a ciphertext whose plaintext, or its beginning, is known to the user: in CBC under each IV,
 * with the first block as IV, in ECB; and if the IV is not known, by the expected data after the
 * first block.
 */
export function readExpected(chain: Chain, expected: readonly string[]): ChainReading | undefined {
  if (expected.length === 0) return undefined;
  const ways = [...waysOf(chain)];
  const choice = Math.log2(ways.length * expected.length);
  const all = expected.flatMap((hex) => {
    const met = ways.filter(({plain}) => hexOf(plain).startsWith(hex));
    const readings = met.map((way) => expectedReading(way, hex.length * HEX_DIGIT_BITS - choice));
    return [...withoutDoubt(readings, chain.blockSize), ...withoutIv(chain, hex)];
  });
  return all.sort((a, b) => b.bits - a.bits)[0];
}

/** CBC with a zero IV and ECB decrypt the first block alike: a reading without mode replaces both. */
function withoutDoubt(readings: readonly ChainReading[], blockSize: number): ChainReading[] {
  const [cbc, ecb] = [
    readings.find(({mode, iv}) => mode === 'cbc' && iv?.source === 'zero'),
    readings.find(({mode}) => mode === 'ecb'),
  ];
  if (!cbc || !ecb) return [...readings];
  const more = textBitsOf(cbc) - textBitsOf(ecb);
  const wrong = more >= MIN_PART_BITS ? ecb : more <= -MIN_PART_BITS ? cbc : undefined;
  const others = readings.filter((one) => one !== cbc && one !== ecb);
  return [...others, ...(wrong ? [wrong === ecb ? cbc : ecb] : [firstBlockOf(cbc, blockSize)])];
}

/** The evidence apart from the expected beginning. */
function textBitsOf({openings}: ChainReading): number {
  const facts = openings.flatMap((one) => one.facts).filter(({kind}) => kind !== 'expected');
  return facts.reduce((sum, {bits}) => sum + bits, 0);
}

function firstBlockOf({iv, plain, bits}: ChainReading, blockSize: number): ChainReading {
  const block = plain.slice(0, blockSize);
  const fact = {kind: 'expected', text: 'begins as expected', bits} as const;
  const opening: Opening = {packing: 'data', text: textOf(block), bits, facts: [fact]};
  return {mode: undefined, iv, plain: block, restarts: [], openings: [opening], bits};
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
  return blocks.length > blockSize ? [expectedReading(way, rest.length * HEX_DIGIT_BITS - 2)] : [];
}

/**
 * The expected beginning and the grammar are evidence from the same bytes, so only the stronger
 * counts.
 */
function expectedReading(way: Way, known: number): ChainReading {
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
