import {
  AES_SCHEDULE_WORDS,
  aesRounds,
  encipherBlock,
  encipherOverKey,
  writeAesSchedule,
} from '../cipher/aes.js';
import {clear, toWords} from '../cipher/words.js';
import {AES_KEY_TYPES, AES_KEY_USAGES, type AesKeyType, type AesKeyUsage} from './key-usage.js';
import type {Ksn} from './ksn.js';

/**
 * AES DUKPT (ANSI X9.24-3:2017, 6.3). Keys are four, six or eight big-endian words, at the start of
 * an array of eight.
 */

/** An AES key prepared for deriving other keys. */
export interface AesSchedule {
  readonly schedule: Int32Array;
  readonly keyWords: number;
}

/** The kind of key to derive: the first half of its derivation data, and its length. */
export interface KeyForm {
  /** Version, block counter 1, usage; then algorithm and length in bits (6.3.2). */
  readonly first: number;
  readonly second: number;
  readonly words: number;
}

/** From the KSN: the initial key ID in two words, and the counter. */
export interface AesIdentity {
  readonly left: number;
  readonly right: number;
  readonly counter: number;
}

/** Working memory of derivations; zeroed by `wipeAesWork`. */
const aesWork = new Int32Array(AES_SCHEDULE_WORDS);
const derivationBlock = new Int32Array(4);

/** Prepares an AES key (16, 24 or 32 bytes). */
export function prepareAesKey(key: Uint8Array): AesSchedule {
  const words = toWords(key);
  const schedule = new Int32Array(AES_SCHEDULE_WORDS);
  writeAesSchedule(schedule, words, words.length);
  clear(words);
  return {schedule, keyWords: words.length};
}

/**
 * The identity from a KSN of 12 bytes. From one of 10 bytes (KSN compatibility mode): the 59 bits
 * of the TDES KSN, shifted right by four in 64.
 */
export function aesIdentity({left, right, scheme, counter}: Ksn): AesIdentity {
  if (scheme === 'aes') return {left, right, counter};
  return {left: left >>> 4, right: (left << 28) | ((right & ~0x1f) >>> 4), counter};
}

/** The form of a working key of `usage` and `type`. */
export function keyForm(usage: AesKeyUsage, type: AesKeyType): KeyForm {
  const {algorithm, bytes} = AES_KEY_TYPES[type];
  const first = 0x01010000 | AES_KEY_USAGES[usage];
  return {first, second: (algorithm << 16) | (8 * bytes), words: bytes / 4};
}

/**
 * Replaces `key` by the key of `form` derived from it; `left` and `right` are the second half of
 * the derivation data.
 */
export function deriveAesKey(
  key: Int32Array,
  keyWords: number,
  form: KeyForm,
  left: number,
  right: number,
): void {
  if (keyWords === 4 && form.words === 4) {
    encipherOverKey(key, form.first, form.second, left, right);
    return;
  }
  writeAesSchedule(aesWork, key, keyWords);
  deriveUnder(key, aesWork, keyWords, form, left, right);
}

/**
 * Derives a key under a schedule and writes it to `into` (X9.24-3:2017, 6.3.3: one block per 16
 * bytes of key).
 */
export function deriveUnder(
  into: Int32Array,
  schedule: Int32Array,
  keyWords: number,
  {first, second, words}: KeyForm,
  left: number,
  right: number,
): void {
  for (let done = 0; done < words; done += 4) {
    derivationBlock[0] = first + done * 0x4000;
    derivationBlock[1] = second;
    derivationBlock[2] = left;
    derivationBlock[3] = right;
    encipherBlock(derivationBlock, schedule, aesRounds(keyWords));
    into[done] = derivationBlock[0]!;
    into[done + 1] = derivationBlock[1]!;
    if (done + 2 === words) return;
    into[done + 2] = derivationBlock[2]!;
    into[done + 3] = derivationBlock[3]!;
  }
}

/** Zeroes what derivations have left in working memory. */
export function wipeAesWork(): void {
  aesWork.fill(0);
  clear(derivationBlock);
}
