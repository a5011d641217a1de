import {PaylensError} from '../../contract/paylens-error.js';
import {cmac} from '../../engine/cipher/cmac.js';
import {prepareCipher} from '../../engine/cipher/modes.js';
import {aesKcv, tdesKcv} from '../../engine/dukpt/kcv.js';
import {asTdes} from '../../engine/dukpt/working-key.js';
import {bytesOfHex, upperHexOf} from '../../platform/bytes.js';
import {equalBytes} from '../../platform/hash.js';
import type {KeyAlgorithm} from '../keys/key-entry.js';

/** How a `KC` block makes the value of zeros: encrypted, or their CMAC (ANSI X9.143:2021, 6.3.6). */
const METHODS = {encrypted: '00', cmac: '01'} as const;

/** The data of a `KC` block for `key`: the method and the KCV in the form usual for `algorithm`. */
export function kcvBlock(algorithm: KeyAlgorithm, key: Uint8Array): string {
  if (algorithm === 'tdes') return METHODS.encrypted + tdesKcv(asTdes(key));
  return METHODS.cmac + aesKcv(key);
}

/** Holds `key` against the data of a `KC` block, of two to five bytes. Throws 9015. */
export function checkKcvBlock(
  data: string,
  algorithm: KeyAlgorithm,
  key: Uint8Array,
  where: string,
): void {
  const [, method, value] = /^(0[01])((?:[0-9A-F]{2}){2,5})$/i.exec(data) ?? [];
  if (method === undefined || value === undefined) {
    throw new PaylensError(
      9015,
      `${where}: KC: expected method 00 or 01 and a KCV of two to five bytes`,
    );
  }
  const expected = bytesOfHex(value);
  const found = checkValue(method, algorithm, key).subarray(0, expected.length);
  if (equalBytes(found, expected)) return;
  throw new PaylensError(
    9015,
    `${where}: KC: expected a key of KCV ${value.toUpperCase()}, found ${upperHexOf(found)}`,
  );
}

/** The value of zeros by a method of the `KC` block, of one cipher block. */
export function checkValue(method: string, algorithm: KeyAlgorithm, key: Uint8Array): Uint8Array {
  const cipher = prepareCipher(algorithm, algorithm === 'tdes' ? asTdes(key) : key);
  const zeros = new Uint8Array(cipher.blockSize);
  const value = method === METHODS.cmac ? cmac(cipher, zeros) : cipher.encryptEcb(zeros);
  cipher.wipe();
  return value;
}
