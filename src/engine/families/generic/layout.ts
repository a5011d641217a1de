import {ALL_FILLS, type Fill} from '../../cipher/padding.js';
import {HARMLESS, OPAQUE} from '../../forms/members.js';
import type {CipherSetting} from '../../reading.js';
import type {Sensitivity} from '../../trace.js';

/** The members of the generic forms, by their names (docs/terminals/generic.md#generic-forms). */
export const GENERIC_MEMBERS: Readonly<
  Record<string, {meaning: string; sensitivity?: Sensitivity}>
> = {
  ksn: {meaning: 'KSN', ...HARMLESS},
  iv: {meaning: 'IV', ...OPAQUE},
  serial: {meaning: 'serial number', ...HARMLESS},
  encoding: {meaning: 'encoding of the values: hex or base64'},
  track1: {meaning: 'track 1 encrypted', ...OPAQUE},
  track2: {meaning: 'track 2 encrypted', ...OPAQUE},
  track3: {meaning: 'track 3 encrypted', ...OPAQUE},
  data: {meaning: 'encrypted block', ...OPAQUE},
  tlv: {meaning: 'TLV list encrypted', ...OPAQUE},
  encrypted: {meaning: 'encrypted values', ...OPAQUE},
  variant: {meaning: 'key variant'},
  mode: {meaning: 'cipher mode: cbc or ecb'},
  padding: {meaning: 'padding'},
  algorithm: {meaning: 'cipher: tdes or aes'},
  entrymode: {meaning: 'input mode'},
  decryptionparameters: {meaning: 'decryption parameters'},
  sequencenumber: {meaning: 'KSN', ...HARMLESS},
  cbcvector: {meaning: 'IV', ...OPAQUE},
  hasccdata: {meaning: 'ignored: a PAN is always required'},
};

/** True for a name in lower case that has a meaning in a generic form. */
export function isMember(name: string): boolean {
  return Object.hasOwn(GENERIC_MEMBERS, name);
}

/** `variant`: the working key, with or without self-encryption. */
export const GENERIC_VARIANTS: Readonly<
  Record<string, Pick<CipherSetting, 'variant' | 'selfEncrypted'>>
> = {
  data: {variant: 'data', selfEncrypted: true},
  'data-plain': {variant: 'data', selfEncrypted: false},
  pin: {variant: 'pin', selfEncrypted: false},
  mac: {variant: 'mac', selfEncrypted: false},
  'mac-response': {variant: 'mac-response', selfEncrypted: false},
  'data-response': {variant: 'data-response', selfEncrypted: true},
  none: {variant: 'none', selfEncrypted: false},
};

/** `padding`: padding that may follow the plaintext. */
export const GENERIC_PADDINGS: Readonly<Record<string, readonly Fill[]>> = {
  auto: ALL_FILLS,
  none: [],
  zero: ['zero'],
  pkcs7: ['pkcs7'],
  iso7816: ['iso7816'],
  x923: ['x923'],
};

export const GENERIC_ALGORITHMS = {tdes: 'tdes', aes: 'aes'} as const;
export const CIPHER_MODES = {cbc: 'cbc', ecb: 'ecb'} as const;
export const GENERIC_ENTRY_MODES = {swiped: 'swiped', emv: 'emv', keyed: 'keyed'} as const;
export const ENCODINGS = {hex: 'hex', base64: 'base64'} as const;

/** At most this many encrypted values, as in the public deployment's decrypt call. */
export const MAX_VALUES = 100;
