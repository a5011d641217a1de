import {upperHexOf} from '../../platform/bytes.js';
import type {BlockCipher} from '../cipher/block-cipher.js';
import {cmac} from '../cipher/cmac.js';
import {prepareCipher} from '../cipher/modes.js';

/**
 * The key check value of a TDES key of 16 or 24 bytes: the first three bytes of the encryption of
 * eight zero bytes, six upper-case hex digits (ANSI X9.24-1:2009, 7.2). Throws 9015 for other
 * lengths.
 */
export function tdesKcv(key: Uint8Array): string {
  return check('tdes', key, (cipher) => cipher.encryptEcb(new Uint8Array(8)), 3);
}

/**
 * The key check value of an AES key of 16, 24 or 32 bytes: the first `bytes` bytes (five in X9.143,
 * often shortened to three) of the CMAC of sixteen zero bytes, in upper-case hex (ANSI
 * X9.24-1:2017, Annex A). Throws 9015 for other lengths.
 */
export function aesKcv(key: Uint8Array, bytes: 3 | 5 = 5): string {
  return check('aes', key, (cipher) => cmac(cipher, new Uint8Array(16)), bytes);
}

function check(
  algorithm: 'tdes' | 'aes',
  key: Uint8Array,
  value: (cipher: BlockCipher) => Uint8Array,
  bytes: number,
): string {
  const cipher = prepareCipher(algorithm, key);
  const hex = upperHexOf(value(cipher).subarray(0, bytes));
  cipher.wipe();
  return hex;
}
