import {PaylensError} from '../../contract/paylens-error.js';
import {
  AES_SCHEDULE_WORDS,
  aesRounds,
  decipherBlock,
  encipherBlock,
  writeAes128InverseSchedule,
  writeAesInverseSchedule,
  writeAesSchedule,
} from './aes.js';
import {isSameWords} from './words.js';

/** FIPS 197, Appendix C: the key bytes count up from 0, the plaintext is 00112233...EEFF. */
const PLAIN = [0x00112233, 0x44556677, 0x8899aabb, 0xccddeeff];
const CIPHERS = [
  [0x69c4e0d8, 0x6a7b0430, 0xd8cdb780, 0x70b4c55a],
  [0xdda97ca4, 0x864cdfe0, 0x6eaf70a0, 0xec0d7191],
  [0x8ea2b7ca, 0x516745bf, 0xeafc4990, 0x4b496089],
] as const;

let isAesProven = false;

/** Checks the kernel against the known answers, once; throws 1 if one of them differs. */
export function proveAes(): void {
  if (isAesProven) return;
  const holds = CIPHERS.every((cipher, i) => holdsFor(4 + 2 * i, cipher));
  if (!holds) throw new PaylensError(1, 'the AES kernel failed its self-test');
  isAesProven = true;
}

function holdsFor(keyWords: number, cipher: readonly number[]): boolean {
  const key = Int32Array.from({length: keyWords}, (_, i) => 0x00010203 + i * 0x04040404);
  const schedule = new Int32Array(AES_SCHEDULE_WORDS);
  const inverse = new Int32Array(AES_SCHEDULE_WORDS);
  writeAesSchedule(schedule, key, keyWords);
  writeAesInverseSchedule(inverse, schedule, keyWords);
  const block = Int32Array.from(PLAIN);
  encipherBlock(block, schedule, aesRounds(keyWords));
  if (!isSameWords(block, cipher)) return false;
  decipherBlock(block, inverse, aesRounds(keyWords));
  if (!isSameWords(block, PLAIN)) return false;
  if (keyWords !== 4) return true;
  const direct = new Int32Array(AES_SCHEDULE_WORDS);
  writeAes128InverseSchedule(direct, key);
  return isSameWords(direct, [...inverse]);
}
