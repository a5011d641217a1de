import type {IvCandidate} from '../../input/interpretation.js';
import {bytesFromHex, hexOf, latin1Of} from '../../platform/bytes.js';
import {
  allWaysOf,
  type Chain,
  type ChainReading,
  MIN_PART_BITS,
  mostProven,
  unchain,
  type Way,
  ZERO_IV,
} from './chain.js';
import {openPlain} from './open-plain.js';
import {type Opening, openingOf, printable} from './opened-plaintext.js';

/** Evidence in bits per hex digit that was known in advance. */
const HEX_DIGIT_BITS = 4;

/**
 * Reads a ciphertext whose plaintext, or its beginning, is known to the user: in CBC under each IV,
 * with the first block as IV, in ECB; and if the IV is not known, by the expected data after the
 * first block.
 */
export function readExpected(chain: Chain, expected: readonly string[]): ChainReading | undefined {
  if (expected.length === 0) return undefined;
  const ways = allWaysOf(chain);
  const choice = Math.log2(ways.length * expected.length);
  return mostProven(
    expected.flatMap((hex) => {
      const readings = ways
        .filter(({plain}) => hexOf(plain).startsWith(hex))
        .map((way) => expectedReading(way, hex.length * HEX_DIGIT_BITS - choice));
      return [...withoutDoubt(readings, chain.blockSize), ...withoutIv(chain, hex)];
    }),
  );
}

/** CBC with a zero IV and ECB decrypt the first block alike: a reading without mode replaces both. */
function withoutDoubt(readings: readonly ChainReading[], blockSize: number): ChainReading[] {
  const cbc = readings.find(({mode, iv}) => mode === 'cbc' && iv?.source === 'zero');
  const ecb = readings.find(({mode}) => mode === 'ecb');
  if (!cbc || !ecb) return [...readings];
  const more = grammarBits(cbc) - grammarBits(ecb);
  const likely = more >= MIN_PART_BITS ? cbc : more <= -MIN_PART_BITS ? ecb : undefined;
  const others = readings.filter((one) => one !== cbc && one !== ecb);
  if (likely) return [...others, likely];
  const {iv, bits} = cbc;
  const plain = cbc.plain.slice(0, blockSize);
  const opening = openingOf('data', expectedFact(bits), {text: shownText(plain)});
  return [...others, {mode: undefined, iv, plain, openings: [opening], bits}];
}

/** The evidence apart from the expected beginning. */
function grammarBits({openings}: ChainReading): number {
  const facts = openings.flatMap((one) => one.facts).filter(({kind}) => kind !== 'expected');
  return facts.reduce((sum, {bits}) => sum + bits, 0);
}

/** The blocks after the first are as expected; the IV is computed from the first. */
function withoutIv(chain: Chain, hex: string): ChainReading[] {
  const {blockSize, blocks} = chain;
  const rest = hex.slice(2 * blockSize);
  const head = bytesFromHex(hex.slice(0, 2 * blockSize));
  if (rest === '' || !head || blocks.length <= blockSize) return [];
  const plain = unchain(chain, ZERO_IV.bytes);
  if (!hexOf(plain.subarray(blockSize)).startsWith(rest)) return [];
  const bytes = head.map((byte, i) => byte ^ plain[i]!);
  const iv: IvCandidate = {bytes, source: 'computed'};
  const way = {mode: 'cbc', iv, plain: unchain(chain, bytes)} as const;
  return [expectedReading(way, rest.length * HEX_DIGIT_BITS - 2)];
}

/**
 * The expected beginning and the grammar are evidence from the same bytes, so only the stronger
 * counts.
 */
function expectedReading(way: Way, known: number): ChainReading {
  const own = openPlain(way.plain);
  const bits = Math.max(own?.bits ?? 0, known);
  const facts = [...(own?.facts ?? []), expectedFact(known)];
  const opening: Opening = {packing: 'data', text: shownText(way.plain), ...own, bits, facts};
  return {...way, openings: [opening], bits};
}

function expectedFact(bits: number) {
  return {kind: 'expected', text: 'begins as expected', bits} as const;
}

/** The text before the zeros at the end. */
function shownText(plain: Uint8Array): string {
  return printable(latin1Of(plain.subarray(0, plain.findLastIndex((byte) => byte !== 0) + 1)));
}
