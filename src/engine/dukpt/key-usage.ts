import type {Algorithm} from '../cipher/block-cipher.js';
import type {Ksn} from './ksn.js';

/**
 * The variants of a TDES DUKPT transaction key (ANSI X9.24-1:2009, Annex A.4.1): each half of the
 * key is XORed with a mask. `data` is for requests (terminal to host).
 */
export const VARIANT_MASKS = {
  none: '0000000000000000',
  pin: '00000000000000FF',
  mac: '000000000000FF00',
  'mac-response': '00000000FF000000',
  data: '0000000000FF0000',
  'data-response': '000000FF00000000',
} as const;

export type Variant = keyof typeof VARIANT_MASKS;

/** The usages of AES DUKPT working keys (ANSI X9.24-3:2017, 6.3.2, table 2). */
export const AES_KEY_USAGES = {
  kek: 0x0002,
  pin: 0x1000,
  'mac-generation': 0x2000,
  'mac-verification': 0x2001,
  mac: 0x2002,
  'data-encryption': 0x3000,
  'data-decryption': 0x3001,
  data: 0x3002,
  derivation: 0x8000,
  'initial-key': 0x8001,
} as const;

export type AesKeyUsage = keyof typeof AES_KEY_USAGES;

/** Types of AES DUKPT working keys: algorithm and length (X9.24-3:2017, 6.3.2, table 3). */
export const AES_KEY_TYPES = {
  '2tdea': {algorithm: 0, bytes: 16},
  '3tdea': {algorithm: 1, bytes: 24},
  aes128: {algorithm: 2, bytes: 16},
  aes192: {algorithm: 3, bytes: 24},
  aes256: {algorithm: 4, bytes: 32},
  hmac128: {algorithm: 5, bytes: 16},
  hmac192: {algorithm: 5, bytes: 24},
  hmac256: {algorithm: 5, bytes: 32},
} as const;

export type AesKeyType = keyof typeof AES_KEY_TYPES;

/**
 * The algorithm that encrypts card data: AES under a KSN of 12 bytes, otherwise the algorithm of
 * the format. This holds even if an AES key serves a KSN of 10 bytes, since its terminal kept the
 * format (ANSI X9.24-3:2017, KSN compatibility mode).
 */
export function dataAlgorithm(ksn: Ksn | undefined, format: Algorithm): Algorithm {
  return ksn?.scheme === 'aes' ? 'aes' : format;
}

/**
 * The AES DUKPT working key type for `algorithm`: 2TDEA, or AES with the length of the base key in
 * bytes.
 */
export function dataKeyType(algorithm: Algorithm, baseKeyLength: number): AesKeyType {
  return algorithm === 'tdes' ? '2tdea' : (AES_TYPES[baseKeyLength] ?? 'aes128');
}

const AES_TYPES: Readonly<Record<number, AesKeyType>> = {16: 'aes128', 24: 'aes192', 32: 'aes256'};
