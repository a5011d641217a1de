import {COMPILES_DES} from '../../platform/compiles-des.js';
import {wasmMemory} from '../../platform/wasm-code.js';

/**
 * The memory of the DES kernel: tables, keys and blocks. Addresses are bytes; everything is words,
 * big-endian where they are of a block or a key.
 */

/** Each pair of S-boxes followed by P: four tables of 4096 words, see `fillBoxes`. */
export const BOXES = 0;
/** The schedules of parts of keys, see `fillKeyTable`. */
export const KEY_TABLE = 0x10000;
/** Two blocks, processed in place. */
export const DES_BLOCKS = 0x20000;
/** The key that a step of a derivation replaces, four words. */
export const STEP_KEY = DES_BLOCKS + 0x10;
/** The passes of the key from which a derivation makes the next one, and of that key masked. */
export const KEY_PASSES = STEP_KEY + 0x10;
export const MASKED_PASSES = KEY_PASSES + 0x180;
/** The passes of a cipher, and of a key that is tried. */
export const CIPHER_PASSES = MASKED_PASSES + 0x180;
export const TRIAL_PASSES = CIPHER_PASSES + 0x180;

/** A ciphertext and the block before it, and its plaintext: bytes in their own order. */
export const IV = TRIAL_PASSES + 0x180;
export const DATA = IV + 8;
export const MAX_CHAIN_BYTES = 0x4000;
export const OUTPUT = IV + MAX_CHAIN_BYTES + 0x80;
/** Each S-box followed by P: eight tables of 64 words. */
export const SINGLE_BOXES = OUTPUT + MAX_CHAIN_BYTES + 0x80;

/** Bytes of a DES key schedule, and of the three passes of TDES. */
export const SCHEDULE_BYTES = 0x80;
export const PASSES_BYTES = 3 * SCHEDULE_BYTES;

/** Of 64 KiB. */
const PAGES = 3;

/** `C0C0C0C000000000`, the mask that makes the two halves of a derived key differ (A.2). */
export const C0 = 0xc0c0c0c0 | 0;

/** What computes on the memory. */
export interface DesKernel {
  /** Writes the schedule of a key for encryption; parity bits are ignored. */
  schedule(into: number, left: number, right: number): void;
  /** Writes the schedule of a key for decryption. */
  reversed(into: number, left: number, right: number): void;
  /**
   * Encrypts two blocks in place (decrypts, if the passes are in that order), each under its own
   * passes of `bytes` in all.
   */
  two(a: number, b: number, bytes: number): void;
  /**
   * Decrypts the bytes of `DATA` from one index to another to `OUTPUT`, in CBC mode, five blocks at
   * once; up to four more may be overwritten.
   */
  five(from: number, to: number, passes: number, bytes: number): void;
  /** Does the same with two blocks at once. */
  pair(from: number, to: number, passes: number, bytes: number): void;
  /**
   * Replaces the step key by the next one in the derivation of a transaction key (ANSI
   * X9.24-1:2009, A.2, non-reversible key generation process). `left` and `right` are the register:
   * the last 8 bytes of the initial KSN with the counter bits so far, including that of this step.
   */
  step(left: number, right: number): void;
}

/** The memory that the compiled kernel needs, if there can be one. */
export const desMemory = COMPILES_DES ? wasmMemory(PAGES) : undefined;

/** The memory as words and as bytes. */
export const desWords = new Int32Array(desMemory?.buffer ?? new ArrayBuffer(PAGES << 16));
export const desBytes = new Uint8Array(desWords.buffer);

/** Words of the memory at an address. */
export function wordsAt(address: number, count: number): Int32Array {
  return desWords.subarray(address >> 2, (address >> 2) + count);
}
