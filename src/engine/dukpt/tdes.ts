import {desKernel} from '../cipher/des.js';
import {
  C0,
  CIPHER_PASSES,
  DES_BLOCKS,
  desWords,
  KEY_PASSES,
  MASKED_PASSES,
  PASSES_BYTES,
  STEP_KEY,
  wordsAt,
} from '../cipher/des-memory.js';
import {writeEncipherPasses} from '../cipher/des-passes.js';
import {toBytes} from '../cipher/words.js';
import {VARIANT_MASKS, type Variant} from './key-usage.js';
import type {Ksn} from './ksn.js';

/**
 * TDES DUKPT (ANSI X9.24-1:2009, Annex A). Keys are four big-endian words; parity bits are not
 * adjusted, because the right half is also used as data.
 */

const keyBlocks = wordsAt(DES_BLOCKS, 4);
/** The key being derived. */
export const stepKey = wordsAt(STEP_KEY, 4);

/** Where a derivation begins: a BDK, or the initial key of a device. */
export interface TdesRoot {
  readonly kind: 'bdk' | 'ik';
  readonly words: Int32Array;
}

/** Makes the step key the initial key of the device of `ksn`: under a BDK by A.6. */
export function loadInitialKey({kind, words: key}: TdesRoot, ksn: Ksn): void {
  stepKey.set(key);
  if (kind === 'ik') return;
  const des = desKernel();
  writeEncipherPasses(des, KEY_PASSES, key);
  writeEncipherPasses(des, MASKED_PASSES, [key[0]! ^ C0, key[1]!, key[2]! ^ C0, key[3]!]);
  keyBlocks[0] = keyBlocks[2] = ksn.left;
  keyBlocks[1] = keyBlocks[3] = ksn.right & ~0x1f;
  des.two(KEY_PASSES, MASKED_PASSES, PASSES_BYTES);
  stepKey.set(keyBlocks);
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
    const des = desKernel();
    writeEncipherPasses(des, KEY_PASSES, keyBlocks);
    des.two(KEY_PASSES, KEY_PASSES, PASSES_BYTES);
  }
  return toBytes(keyBlocks);
}

/** The initial key of the device of `ksn`; the caller wipes it. */
export function tdesInitialKey(root: TdesRoot, ksn: Ksn): Uint8Array {
  loadInitialKey(root, ksn);
  const key = toBytes(stepKey);
  wipeWork();
  return key;
}

/** Zeroes what a derivation has left in working memory. */
export function wipeWork(): void {
  desWords.fill(0, DES_BLOCKS >> 2, CIPHER_PASSES >> 2);
}

/** The masks as words. */
const MASK_WORDS = Object.fromEntries(
  Object.entries(VARIANT_MASKS).map(([variant, hex]) => [
    variant,
    {left: Number.parseInt(hex.slice(0, 8), 16) | 0, right: Number.parseInt(hex.slice(8), 16) | 0},
  ]),
) as Readonly<Record<Variant, {readonly left: number; readonly right: number}>>;
