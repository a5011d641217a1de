import {
  DATA,
  DES_BLOCKS,
  type DesKernel,
  desBytes,
  IV,
  OUTPUT,
  PASSES_BYTES,
  SINGLE_BOXES,
  STEP_KEY,
  TRIAL_PASSES,
  wordsAt,
} from './des-memory.js';
import {writeDecipherPasses, writeEncipherPasses} from './des-passes.js';
import {isSameWords, toBytes, toWords} from './words.js';

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

/** ANSI X9.24-1:2009, A.4: an initial key, the register of its first transaction, and its key. */
const STEP_VECTOR = {
  key: [0x6ac292fa, 0xa1315b4d, 0x858ab3a3, 0xd7d5933a],
  register: [0x98765432, 0x10e00001],
  next: [0x042666b4, 0x9184cfa3, 0x68de9628, 0xd0397bc9],
} as const;

/** Whether a kernel gives the known answers; what is in its memory stays. */
export function isRightDes(kernel: DesKernel): boolean {
  const work = wordsAt(DES_BLOCKS, (SINGLE_BOXES - DES_BLOCKS) >> 2);
  const saved = work.slice();
  const isRight = DES_VECTORS.every((one) => isRightTdes(kernel, one)) && isRightStep(kernel);
  work.set(saved);
  saved.fill(0);
  return isRight;
}

function isRightTdes(kernel: DesKernel, {key, plain, cipher}: Vector): boolean {
  const blocks = wordsAt(DES_BLOCKS, 4);
  blocks.set([...plain, ...plain]);
  writeEncipherPasses(kernel, TRIAL_PASSES, key);
  kernel.two(TRIAL_PASSES, TRIAL_PASSES, PASSES_BYTES);
  if (!isSameWords(blocks, [...cipher, ...cipher])) return false;
  writeDecipherPasses(kernel, TRIAL_PASSES, key);
  return [kernel.five, kernel.pair].every((decrypt) => {
    desBytes.fill(0, IV, DATA);
    desBytes.fill(0, OUTPUT, OUTPUT + 8);
    desBytes.set(toBytes(Int32Array.from(cipher)), DATA);
    decrypt(0, 8, TRIAL_PASSES, PASSES_BYTES);
    return isSameWords(toWords(desBytes.subarray(OUTPUT, OUTPUT + 8)), plain);
  });
}

function isRightStep(kernel: DesKernel): boolean {
  const key = wordsAt(STEP_KEY, 4);
  key.set(STEP_VECTOR.key);
  kernel.step(...STEP_VECTOR.register);
  return isSameWords(key, STEP_VECTOR.next);
}
