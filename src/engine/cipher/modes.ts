import {PaylensError} from '../../contract/paylens-error.js';
import {AesCipher} from './aes-cipher.js';
import type {Algorithm, BlockCipher} from './block-cipher.js';
import {TdesCipher} from './tdes-cipher.js';

const KEY_LENGTHS = {tdes: [16, 24], aes: [16, 24, 32]} as const;

/**
 * Makes a cipher for `key`: 16 or 24 bytes for TDES, 16, 24 or 32 for AES, else throws 9015. The
 * caller may wipe `key` immediately.
 */
export function prepareCipher(algorithm: Algorithm, key: Uint8Array): BlockCipher {
  const lengths: readonly number[] = KEY_LENGTHS[algorithm];
  if (!lengths.includes(key.length)) {
    const detail = `${algorithm.toUpperCase()} key: expected ${lengths.join(' or ')} bytes`;
    throw new PaylensError(9015, `${detail}, found ${key.length}`);
  }
  return algorithm === 'tdes' ? new TdesCipher(key) : new AesCipher(key);
}
