import {PaylensError} from '../../contract/paylens-error.js';
import type {Algorithm} from '../reading.js';
import {AesCipher} from './aes-cipher.js';
import {TdesCipher} from './tdes-cipher.js';

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

const KEY_LENGTHS = {tdes: [16, 24], aes: [16, 24, 32]} as const;

/**
 * Makes a cipher ready for `key`: 16 or 24 bytes for TDES, 16, 24 or 32 for AES, else 9015. The
 * caller may wipe `key` at once.
 */
export function prepareCipher(algorithm: Algorithm, key: Uint8Array): BlockCipher {
  const lengths: readonly number[] = KEY_LENGTHS[algorithm];
  if (!lengths.includes(key.length)) {
    const detail = `${algorithm.toUpperCase()} key: expected ${lengths.join(' or ')} bytes`;
    throw new PaylensError(9015, `${detail}, found ${key.length}`);
  }
  return algorithm === 'tdes' ? new TdesCipher(key) : new AesCipher(key);
}
