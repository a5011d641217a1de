import {PaylensError} from '../../contract/paylens-error.js';
import {processFiveBlocks, processTwoBlocks} from './des.js';
import {PASSES_WORDS, writeDecipherPasses, writeEncipherPasses} from './des-schedule.js';
import {isSameWords} from './words.js';

interface Vector {
  readonly key: readonly number[];
  readonly plain: readonly number[];
  readonly cipher: readonly number[];
}

/** Known answers, big-endian words. */
const DES_VECTORS: readonly Vector[] = [
  // NIST SP 800-67 Rev. 1, Appendix B: three keys, ECB, "The qufck brown fox jump".
  {
    key: [0x01234567, 0x89abcdef, 0x23456789, 0xabcdef01, 0x456789ab, 0xcdef0123],
    plain: [0x54686520, 0x71756663],
    cipher: [0xa826fd8c, 0xe53b855f],
  },
  {
    key: [0x01234567, 0x89abcdef, 0x23456789, 0xabcdef01, 0x456789ab, 0xcdef0123],
    plain: [0x6b206272, 0x6f776e20],
    cipher: [0xcce21c81, 0x12256fe6],
  },
  // ANSI X9.24-1:2009, A.4: PIN block of KSN FFFF9876543210E00001 under its PIN key, two keys.
  {
    key: [0x042666b4, 0x9184cf5c, 0x68de9628, 0xd0397b36],
    plain: [0x041274ed, 0xcba9876f],
    cipher: [0x1b9c1845, 0xeb993a7a],
  },
];

/** The code paths of the kernel, by the number of blocks that select them. */
const KERNELS = [
  {count: 2, run: (blocks: Int32Array, p: Int32Array) => processTwoBlocks(blocks, p, p)},
  {count: 5, run: (blocks: Int32Array, p: Int32Array) => processFiveBlocks(blocks, p)},
] as const;

type Kernel = (typeof KERNELS)[number];

let isDesProven = false;

/** Checks the kernel against the known answers, once; throws 1 if one of them differs. */
export function proveDes(): void {
  if (isDesProven) return;
  const holds = KERNELS.every((kernel) => DES_VECTORS.every((vector) => holdsIn(kernel, vector)));
  if (!holds) throw new PaylensError(1, 'the DES kernel failed its self-test');
  isDesProven = true;
}

function holdsIn({count, run}: Kernel, {key, plain, cipher}: Vector): boolean {
  const words = Int32Array.from(key);
  const blocks = Int32Array.from(repeated(plain, count));
  const passes = new Int32Array(PASSES_WORDS);
  writeEncipherPasses(passes, words);
  run(blocks, passes);
  if (!isSameWords(blocks, repeated(cipher, count))) return false;
  writeDecipherPasses(passes, words);
  run(blocks, passes);
  return isSameWords(blocks, repeated(plain, count));
}

function repeated(block: readonly number[], count: number): number[] {
  return Array.from({length: count}, () => block).flat();
}
