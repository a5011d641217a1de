import {type Fault, PaylensError} from '../../contract/paylens-error.js';

export type Algorithm = 'tdes' | 'aes';
export type CipherMode = 'cbc' | 'ecb';

/**
 * A block cipher under one key, in the modes that terminals use (NIST SP 800-38A). Every result
 * has bytes of its own, in an ArrayBuffer that others may share. Data that is not whole blocks: 2102;
 * an IV that is not exactly one block: 2602. Without an IV the chain starts at zero.
 */
export interface BlockCipher {
  /** Bytes of a block: 8 for TDES, 16 for AES. */
  readonly blockSize: 8 | 16;
  decryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array;
  decryptEcb(data: Uint8Array): Uint8Array;
  encryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array;
  encryptEcb(data: Uint8Array): Uint8Array;
  /** Zeroes the key; the cipher must not be used after it. */
  wipe(): void;
}

/** Bytes of a block. */
export function blockSizeOf(algorithm: Algorithm): 8 | 16 {
  return algorithm === 'aes' ? 16 : 8;
}

/** Throws 2102 unless `data` is a whole number of cipher blocks. */
export function checkBlocks(data: Uint8Array, blockSize: number): void {
  if (data.length % blockSize === 0) return;
  throw new PaylensError(
    2102,
    `ciphertext: expected a multiple of ${blockSize} bytes, found ${data.length}`,
  );
}

/** Throws 2102 unless `ciphertext` is one or more whole blocks. `name` says where it stands. */
export function demandBlocks(
  name: string,
  ciphertext: Uint8Array,
  blockSize: 8 | 16 = 8,
  extras: {readonly fault?: Fault} = {},
): void {
  if (ciphertext.length > 0 && ciphertext.length % blockSize === 0) return;
  throw new PaylensError(
    2102,
    `${name}: expected whole blocks of ${blockSize} bytes, found ${ciphertext.length} bytes`,
    extras,
  );
}

/** Throws 2602 unless `iv` is absent or exactly one cipher block. */
export function checkIv(iv: Uint8Array | undefined, blockSize: number): void {
  if (iv === undefined || iv.length === blockSize) return;
  throw new PaylensError(2602, `expected ${blockSize} bytes, found ${iv.length}`);
}
