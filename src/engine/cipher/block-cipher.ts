import {PaylensError, type ReadFault} from '../../contract/paylens-error.js';

export type Algorithm = 'tdes' | 'aes';
export type CipherMode = 'cbc' | 'ecb';

/**
 * A block cipher under one key, in the modes that terminals use (NIST SP 800-38A). Every result has
 * its own bytes, possibly in a shared ArrayBuffer. Throws 2102 if data is not whole blocks, 2602 if
 * an IV is not exactly one block. Without an IV, CBC starts from zero.
 */
export interface BlockCipher {
  /** Block size in bytes: 8 for TDES, 16 for AES. */
  readonly blockSize: 8 | 16;
  decryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array;
  decryptEcb(data: Uint8Array): Uint8Array;
  encryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array;
  encryptEcb(data: Uint8Array): Uint8Array;
  /** Zeroes the key; the cipher must not be used afterwards. */
  wipe(): void;
}

/** Block size in bytes. */
export function blockSizeOf(algorithm: Algorithm): 8 | 16 {
  return algorithm === 'aes' ? 16 : 8;
}

/** Throws 2102 unless `data` is a whole number of cipher blocks. */
export function checkBlocks(data: Uint8Array, blockSize: number): void {
  if (data.length % blockSize === 0) return;
  const detail = `ciphertext: expected a multiple of ${blockSize} bytes, found ${data.length}`;
  throw new PaylensError(2102, detail);
}

/** Throws 2102 unless `ciphertext` is one or more whole blocks; `name` appears in the message. */
export function assertBlocks(
  name: string,
  ciphertext: Uint8Array,
  blockSize: 8 | 16 = 8,
  extras?: {readonly fault?: ReadFault},
): void {
  if (ciphertext.length > 0 && ciphertext.length % blockSize === 0) return;
  const detail = `${name}: expected whole blocks of ${blockSize} bytes, found ${ciphertext.length} bytes`;
  throw new PaylensError(2102, detail, extras);
}

/** Throws 2602 unless `iv` is absent or exactly one cipher block. */
export function checkIv(iv: Uint8Array | undefined, blockSize: number): void {
  if (iv === undefined || iv.length === blockSize) return;
  throw new PaylensError(2602, `expected ${blockSize} bytes, found ${iv.length}`);
}
