import type {Algorithm} from './cipher/block-cipher.js';
import type {AesKeyType} from './dukpt/key-usage.js';
import type {Ksn} from './dukpt/ksn.js';

/**
 * The algorithm that enciphers card data: under a KSN of 12 bytes AES, else what the format says,
 * also where an AES key serves the KSN of 10 bytes: its terminal kept the format (ANSI X9.24-3:2017,
 * KSN compatibility mode).
 */
export function dataAlgorithm(ksn: Ksn, format: Algorithm): Algorithm {
  return ksn.scheme === 'aes' ? 'aes' : format;
}

/** The AES DUKPT working key for `algorithm`: 2TDEA, or AES as long as its base key in bytes. */
export function dataKeyType(algorithm: Algorithm, baseKeyLength: number): AesKeyType {
  return algorithm === 'tdes' ? '2tdea' : (AES_TYPES[baseKeyLength] ?? 'aes128');
}

const AES_TYPES: Readonly<Record<number, AesKeyType>> = {16: 'aes128', 24: 'aes192', 32: 'aes256'};
