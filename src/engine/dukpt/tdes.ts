import {processTwoBlocks} from '../cipher/des.js';
import {
  PASSES_WORDS,
  SCHEDULE_WORDS,
  writeEncipherPasses,
  writeSchedule,
} from '../cipher/des-schedule.js';
import {clear, toBytes, toWords} from '../cipher/words.js';
import {VARIANT_MASKS, type Variant} from './key-usage.js';
import type {Ksn} from './ksn.js';

/**
 * TDES DUKPT (ANSI X9.24-1:2009, Annex A). Keys are four big-endian words; parity bits are not
 * adjusted, because the right half is also used as data.
 */

/** A prepared BDK: its TDES schedules, plain and under the C0 mask. */
export interface PreparedBdk {
  readonly plain: Int32Array;
  readonly masked: Int32Array;
}

/** `C0C0C0C000000000`, the mask that makes the two halves of a derived key differ (A.2). */
const C0 = 0xc0c0c0c0 | 0;

// The schedules of any key and of the masked key differ by the same words.
const c0Difference = new Int32Array(SCHEDULE_WORDS);

/** Working memory; zeroed by `wipeWork`. */
const tdesWork = new Int32Array(2 * SCHEDULE_WORDS + PASSES_WORDS + 4);
const plain = tdesWork.subarray(0, SCHEDULE_WORDS);
const masked = tdesWork.subarray(SCHEDULE_WORDS, 2 * SCHEDULE_WORDS);
const keyPasses = tdesWork.subarray(2 * SCHEDULE_WORDS, 2 * SCHEDULE_WORDS + PASSES_WORDS);
const keyBlocks = tdesWork.subarray(2 * SCHEDULE_WORDS + PASSES_WORDS);

/** Computes the schedules of a BDK of 16 bytes. */
export function prepareBdk(bdk: Uint8Array): PreparedBdk {
  const words = toWords(bdk);
  const prepared = {plain: new Int32Array(PASSES_WORDS), masked: new Int32Array(PASSES_WORDS)};
  writeEncipherPasses(prepared.plain, words);
  words[0]! ^= C0;
  words[2]! ^= C0;
  writeEncipherPasses(prepared.masked, words);
  clear(words);
  return prepared;
}

/** Writes the initial key of the device of `ksn` to `into` (A.6). */
export function writeInitialKey(into: Int32Array, bdk: PreparedBdk, ksn: Ksn): void {
  keyBlocks[0] = keyBlocks[2] = ksn.left;
  keyBlocks[1] = keyBlocks[3] = ksn.right & ~0x1f;
  processTwoBlocks(keyBlocks, bdk.plain, bdk.masked);
  for (let i = 0; i < 4; i++) into[i] = keyBlocks[i]!;
}

/**
 * Replaces `key` by the next key in the derivation of a transaction key (A.2, non-reversible key
 * generation process). `left` and `right` are the register: the last 8 bytes of the initial KSN
 * with the counter bits so far, including that of this step.
 */
export function stepKey(key: Int32Array, left: number, right: number): void {
  const a = key[2]!;
  const b = key[3]!;
  writeSchedule(plain, 0, key[0]!, key[1]!, false);
  if (c0Difference[0] === 0) writeC0Difference();
  for (let w = 0; w < 32; w += 2) {
    masked[w] = plain[w]! ^ c0Difference[w]!;
    masked[w + 1] = plain[w + 1]! ^ c0Difference[w + 1]!;
  }
  keyBlocks[0] = left ^ a;
  keyBlocks[2] = left ^ a ^ C0;
  keyBlocks[1] = keyBlocks[3] = right ^ b;
  processTwoBlocks(keyBlocks, plain, masked);
  key[0] = keyBlocks[2]! ^ a ^ C0;
  key[1] = keyBlocks[3]! ^ b;
  key[2] = keyBlocks[0]! ^ a;
  key[3] = keyBlocks[1]! ^ b;
}

function writeC0Difference(): void {
  writeSchedule(c0Difference, 0, C0, 0, false);
  writeSchedule(masked, 0, 0, 0, false);
  for (let w = 0; w < SCHEDULE_WORDS; w++) c0Difference[w]! ^= masked[w]!;
}

/**
 * The working key (16 bytes) from a transaction key: XORed with the variant mask, then, for data
 * keys, each half encrypted under the whole key (A.4.1).
 */
export function variantKey(
  key: readonly number[],
  variant: Variant,
  selfEncrypted: boolean,
): Uint8Array {
  const {left, right} = MASK_WORDS[variant];
  keyBlocks[0] = key[0]! ^ left;
  keyBlocks[1] = key[1]! ^ right;
  keyBlocks[2] = key[2]! ^ left;
  keyBlocks[3] = key[3]! ^ right;
  if (selfEncrypted) {
    writeEncipherPasses(keyPasses, keyBlocks);
    processTwoBlocks(keyBlocks, keyPasses, keyPasses);
  }
  return toBytes(keyBlocks);
}

/** Zeroes what a derivation has left in working memory. */
export function wipeWork(): void {
  tdesWork.fill(0);
}

/** The masks as words. */
const MASK_WORDS = Object.fromEntries(
  Object.entries(VARIANT_MASKS).map(([variant, hex]) => [
    variant,
    {left: Number.parseInt(hex.slice(0, 8), 16) | 0, right: Number.parseInt(hex.slice(8), 16) | 0},
  ]),
) as Readonly<Record<Variant, {readonly left: number; readonly right: number}>>;
