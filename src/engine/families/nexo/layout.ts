import type {Fill} from '../../cipher/padding.js';

import {CARD, HARMLESS, type MemberRow, memberForm, OPAQUE} from '../../forms/members.js';
import type {CipherSetting} from '../../reading.js';

/** An element or member, under the names of both syntaxes. */
export type Name = keyof typeof NEXO_MEMBERS;

/**
 * Elements and members by their names in lower case: of ISO 20022, then of Sale-to-POI messages and
 * gateways (docs/terminals/nexo.md#the-envelope).
 */
export const NEXO_MEMBERS = {
  protectedCard: {names: ['prtctdcarddata', 'protectedcarddata']},
  plainCard: {names: ['plaincarddata', 'sensitivecarddata']},
  envelope: {names: ['envlpddata', 'envelopeddata']},
  recipient: {names: ['rcpt', 'recipient']},
  kek: {names: ['kek']},
  transport: {names: ['keytrnsprt', 'keytransport']},
  keyId: {names: ['keyid', 'keyidentifier'], meaning: 'name of the base key', ...HARMLESS},
  derivation: {
    names: ['derivtnid', 'derivationidentifier'],
    meaning: 'first part of the KSN',
    ...HARMLESS,
  },
  keyAlgorithm: {
    names: ['keyncrptnalgo', 'keyencryptionalgorithm'],
    meaning: 'how the key is derived',
  },
  wrappedKey: {
    names: ['ncrptdkey', 'encryptedkey'],
    meaning: 'second part of the KSN',
    ...HARMLESS,
  },
  content: {names: ['ncrptdcntt', 'encryptedcontent']},
  cipher: {
    names: ['cnttncrptnalgo', 'contentencryptionalgorithm'],
    meaning: 'how the card data is encrypted',
  },
  algorithm: {names: ['algo', 'algorithm'], meaning: 'algorithm', ...HARMLESS},
  iv: {
    names: ['initlstnvctr', 'initialisationvector', 'initializationvector'],
    meaning: 'IV',
    ...OPAQUE,
  },
  padding: {names: ['bpddg', 'bytepadding'], meaning: 'padding', ...HARMLESS},
  data: {names: ['ncrptddata', 'encrypteddata'], meaning: 'encrypted card data', ...OPAQUE},
  pinBlock: {names: ['ncrptdpinblck', 'encryptedpinblock']},
  pinFormat: {names: ['pinfrmt', 'pinformat']},
  component: {names: ['cmpnt']},
  type: {names: ['tp']},
  serial: {names: ['srlnb'], meaning: 'serial number', ...HARMLESS},
  entryMode: {names: ['carddatantrymd', 'entrymode'], meaning: 'input mode', ...HARMLESS},
  pan: {names: ['pan', 'cardnumber', 'number'], meaning: 'card number', ...CARD},
  maskedPan: {names: ['mskdpan', 'maskedpan']},
  bin: {names: ['cardbin']},
  expiry: {names: ['xprydt', 'expirydate', 'expirationdate']},
  serviceCode: {names: ['svccd', 'servicecode']},
  track1: {names: ['trck1', 'track1']},
  track2: {names: ['trck2', 'track2']},
  track3: {names: ['trck3', 'track3']},
  track: {names: ['trckdata', 'trackdata']},
  trackNumber: {names: ['trcknb', 'tracknumb']},
  trackValue: {names: ['trckval', 'trackvalue']},
  holder: {names: ['crdhldrnm', 'cardholdername']},
  securityCode: {names: ['cardsctycd', 'securitycode']},
  derivationName: {
    names: ['keyderivationalgorithm', 'keyderivation'],
    meaning: 'how the key is derived',
    ...HARMLESS,
  },
  cipherName: {
    names: ['encryptionalgorithm', 'encryption'],
    meaning: 'how the card data is encrypted',
    ...HARMLESS,
  },
  keyIndex: {names: ['index', 'keyindex', 'ksn', 'keyserialnumber'], meaning: 'KSN', ...HARMLESS},
  value: {names: ['value', 'payload'], meaning: 'encrypted card data', ...OPAQUE},
} as const satisfies Readonly<Record<string, MemberRow>>;

/** By the name in lower case, without the prefix of a namespace. */
export const NEXO_FORM = memberForm<Name>(NEXO_MEMBERS, (name) => name);

type Working = Pick<CipherSetting, 'variant' | 'selfEncrypted'>;

const REQUEST_KEY: Working = {variant: 'data', selfEncrypted: true};
const RESPONSE_KEY: Working = {variant: 'data-response', selfEncrypted: true};
const WITHOUT_SELF_ENCRYPTION: Working = {variant: 'data', selfEncrypted: false};

/** Working keys to try by the way of derivation, most likely first. */
export const DERIVATIONS: Readonly<Record<string, readonly Working[]>> = {
  dkp9: [REQUEST_KEY],
  dkpt: [WITHOUT_SELF_ENCRYPTION, REQUEST_KEY],
  'id-dukpt-wrap': [WITHOUT_SELF_ENCRYPTION, REQUEST_KEY],
  da12: [REQUEST_KEY],
  da19: [REQUEST_KEY],
  da25: [REQUEST_KEY],
  dukpt2009: [REQUEST_KEY, RESPONSE_KEY],
  aesdukpt128ecb: [REQUEST_KEY],
  dukpt2017: [REQUEST_KEY],
};

/** A host's answer is encrypted under the response key, or under that of the request. */
export function ofResponse(keys: readonly Working[]): readonly Working[] {
  return [RESPONSE_KEY, ...keys.filter(({variant}) => variant !== 'data-response')];
}

type Cipher = Pick<CipherSetting, 'algorithm' | 'mode'>;

export const NEXO_CIPHERS: Readonly<Record<string, Cipher>> = {
  e3dc: {algorithm: 'tdes', mode: 'cbc'},
  'des-ede3-cbc': {algorithm: 'tdes', mode: 'cbc'},
  'des-ede3-ecb': {algorithm: 'tdes', mode: 'ecb'},
  des112cbc: {algorithm: 'tdes', mode: 'cbc'},
  ea2c: {algorithm: 'aes', mode: 'cbc'},
  ea9c: {algorithm: 'aes', mode: 'cbc'},
  ea5c: {algorithm: 'aes', mode: 'cbc'},
  aes128cbc: {algorithm: 'aes', mode: 'cbc'},
};

/** Ways to wrap a key: the key itself can be given. */
export const WRAPPED_KEYS: Readonly<Record<string, string>> = {
  ukpt: 'UKPT key wrapping',
  uka1: 'UKPT key wrapping by AES',
  uka2: 'UKPT key wrapping by AES',
  uka3: 'UKPT key wrapping by AES',
  'id-ukpt-wrap': 'UKPT key wrapping',
  e3dc: 'a key wrapped by TDES',
  ea2c: 'a key wrapped by AES',
  ea9c: 'a key wrapped by AES',
  ea5c: 'a key wrapped by AES',
};

/** Schemes that are refused whatever key is given. */
export const CLOSED_KEY_SCHEMES: Readonly<Record<string, string>> = {
  n108: 'NIST SP 800-108 key derivation',
  ersa: 'RSA key transport',
  rsao: 'RSA key transport',
  rsaencryption: 'RSA key transport',
};

/** Values of BPddg and the padding that each means. */
export const NEXO_PADDINGS: Readonly<Record<'NUL8' | 'NULL' | 'NULG' | 'LNGT', Fill>> = {
  NUL8: 'iso7816',
  NULL: 'zero',
  NULG: 'x923',
  LNGT: 'pkcs7',
};

/** Entry modes of ISO 20022 and of Sale-to-POI messages. */
export const NEXO_ENTRY_MODES: Readonly<Record<string, 'swiped' | 'emv' | 'keyed'>> = {
  cicc: 'emv',
  ectl: 'emv',
  icc: 'emv',
  contactless: 'emv',
  mgst: 'swiped',
  ctls: 'swiped',
  magstripe: 'swiped',
  phys: 'keyed',
  keyed: 'keyed',
  manual: 'keyed',
};

/** Bytes of the first part of a KSN, by the bytes of the whole. */
export const FIRST_PART: Readonly<Record<number, number>> = {10: 5, 12: 8};
