import {ALL_FILLS, type Fill} from '../../cipher/padding.js';
import type {Variant} from '../../dukpt/key-usage.js';
import type {Sensitivity} from '../../trace.js';

/** The members of the generic forms and their meanings (docs/formats/generic.md#generic-forms). */
export const MEMBERS: Readonly<Record<string, string>> = {
  ksn: 'KSN',
  iv: 'IV',
  serial: 'serial number',
  encoding: 'encoding of the values: hex or base64',
  track1: 'track 1 encrypted',
  track2: 'track 2 encrypted',
  track3: 'track 3 encrypted',
  data: 'encrypted block',
  tlv: 'TLV list encrypted',
  encrypted: 'encrypted values',
  variant: 'key variant',
  mode: 'cipher mode: cbc or ecb',
  padding: 'padding',
  algorithm: 'cipher: tdes or aes',
  entrymode: 'input mode',
  decryptionparameters: 'decryption parameters',
  sequencenumber: 'KSN',
  cbcvector: 'IV',
  hasccdata: 'ignored: a PAN is always required',
};

/** Value kinds of known members; any other member may contain anything. */
export const SENSITIVITIES: Readonly<Record<string, Sensitivity>> = {
  ksn: 'harmless',
  sequencenumber: 'harmless',
  serial: 'harmless',
  iv: 'opaque',
  cbcvector: 'opaque',
  track1: 'opaque',
  track2: 'opaque',
  track3: 'opaque',
  data: 'opaque',
  tlv: 'opaque',
  encrypted: 'opaque',
  value: 'opaque',
};

interface KeySetting {
  readonly variant: Variant;
  readonly selfEncrypted: boolean;
}

/** `variant`: the working key, with or without self-encryption. */
export const VARIANTS: Readonly<Record<string, KeySetting>> = {
  data: {variant: 'data', selfEncrypted: true},
  'data-plain': {variant: 'data', selfEncrypted: false},
  pin: {variant: 'pin', selfEncrypted: false},
  mac: {variant: 'mac', selfEncrypted: false},
  'mac-response': {variant: 'mac-response', selfEncrypted: false},
  'data-response': {variant: 'data-response', selfEncrypted: true},
  none: {variant: 'none', selfEncrypted: false},
};

/** `padding`: padding that may follow the plaintext. */
export const PADDINGS: Readonly<Record<string, readonly Fill[]>> = {
  auto: ALL_FILLS,
  none: [],
  zero: ['zero'],
  pkcs7: ['pkcs7'],
  iso7816: ['iso7816'],
  x923: ['x923'],
};

export const ALGORITHMS = {tdes: 'tdes', aes: 'aes'} as const;
export const CIPHER_MODES = {cbc: 'cbc', ecb: 'ecb'} as const;
export const ENTRY_MODES = {swiped: 'swiped', emv: 'emv', keyed: 'keyed'} as const;
export const ENCODINGS = {hex: 'hex', base64: 'base64'} as const;

/** At most this many encrypted values, as in the public deployment's decrypt call. */
export const MAX_VALUES = 100;
