import {type DesKernel, SCHEDULE_BYTES} from './des-memory.js';

/**
 * Writes the three passes of TDES encryption (E, D, E), of a key of four words (K1 K2 K1) or six
 * (NIST SP 800-67).
 */
export function writeEncipherPasses(des: DesKernel, into: number, key: ArrayLike<number>): void {
  const third = key.length === 4 ? 0 : 4;
  des.schedule(into, key[0]!, key[1]!);
  des.reversed(into + SCHEDULE_BYTES, key[2]!, key[3]!);
  des.schedule(into + 2 * SCHEDULE_BYTES, key[third]!, key[third + 1]!);
}

/** Writes the three passes of TDES decryption (D, E, D); see `writeEncipherPasses`. */
export function writeDecipherPasses(des: DesKernel, into: number, key: ArrayLike<number>): void {
  const third = key.length === 4 ? 0 : 4;
  des.reversed(into, key[third]!, key[third + 1]!);
  des.schedule(into + SCHEDULE_BYTES, key[2]!, key[3]!);
  des.reversed(into + 2 * SCHEDULE_BYTES, key[0]!, key[1]!);
}
