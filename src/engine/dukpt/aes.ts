import {AES_SCHEDULE_WORDS, aesRounds, encipherBlock, writeAesSchedule} from '../cipher/aes.js';
import {readWord, toWords} from '../cipher/words.js';
import {AES_KEY_TYPES, AES_KEY_USAGES, type AesKeyType, type AesKeyUsage} from './key-usage.js';
import type {Ksn} from './ksn.js';

/**
 * AES DUKPT (ANSI X9.24-3:2017, 6.3). Keys are four, six or eight big-endian words, at the
 * beginning of an array of eight.
 */

/** An AES key made ready to derive others from. */
export interface AesSchedule {
  readonly schedule: Int32Array;
  readonly keyWords: number;
}

/** Which key is derived: the fields of the derivation data (X9.24-3:2017, 6.3.2). */
export interface Derivation {
  readonly usage: AesKeyUsage;
  readonly type: AesKeyType;
  /** The last eight bytes of the derivation data. */
  readonly left: number;
  readonly right: number;
}

/** Of a KSN: the initial key ID in two words, and the counter. */
export interface AesIdentity {
  readonly left: number;
  readonly right: number;
  readonly counter: number;
}

/** The type of an AES key by its length in words. */
export const AES_TYPES: Readonly<Record<number, AesKeyType>> = {
  4: 'aes128',
  6: 'aes192',
  8: 'aes256',
};

/** Under work in a derivation; zeroed by `wipeAesWork`. */
const work = new Int32Array(AES_SCHEDULE_WORDS);
const block = new Int32Array(4);

/** Makes an AES key (16, 24 or 32 bytes) ready. */
export function prepareAesKey(key: Uint8Array): AesSchedule {
  const words = toWords(key);
  const schedule = new Int32Array(AES_SCHEDULE_WORDS);
  writeAesSchedule(schedule, words, words.length);
  words.fill(0);
  return {schedule, keyWords: words.length};
}

/**
 * The identity in a KSN of 12 bytes; in one of 10 bytes (KSN compatibility mode) the 59 bits of
 * the TDES KSN, shifted right by four in 64.
 */
export function aesIdentity({bytes, scheme, counter}: Ksn): AesIdentity {
  const left = readWord(bytes, 0);
  const right = readWord(bytes, 4);
  if (scheme === 'aes') return {left, right, counter};
  return {left: left >>> 4, right: (left << 28) | ((right & ~0x1f) >>> 4), counter};
}

/** Writes the key that `derivation` names, derived from `key`, to `into`. */
export function deriveAesKey(
  into: Int32Array,
  key: Int32Array,
  keyWords: number,
  derivation: Derivation,
): void {
  writeAesSchedule(work, key, keyWords);
  deriveUnder(into, {schedule: work, keyWords}, derivation);
}

/** The same from a key made ready (X9.24-3:2017, 6.3.3: one block of key for each 16 bytes). */
export function deriveUnder(
  into: Int32Array,
  {schedule, keyWords}: AesSchedule,
  {usage, type, left, right}: Derivation,
): void {
  const {algorithm, bytes} = AES_KEY_TYPES[type];
  for (let done = 0; done < bytes; done += 16) {
    block[0] = 0x01010000 + done * 0x1000 + AES_KEY_USAGES[usage];
    block[1] = (algorithm << 16) | (8 * bytes);
    block[2] = left;
    block[3] = right;
    encipherBlock(block, schedule, aesRounds(keyWords));
    for (let i = 0; i < 4 && done + 4 * i < bytes; i++) into[done / 4 + i] = block[i]!;
  }
}

/** Zeroes what derivations have left in working memory. */
export function wipeAesWork(): void {
  work.fill(0);
  block.fill(0);
}
