import type {Fill} from '../../cipher/padding.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import type {Sensitivity} from '../../trace.js';

/** An element or member, under the names of both syntaxes. */
export type Name = keyof typeof NAMES;

/**
 * The names of elements and members in lower case: of ISO 20022, then of Sale-to-POI messages and
 * gateways (docs/formats/nexo.md#the-envelope).
 */
export const NAMES = {
  protectedCard: ['prtctdcarddata', 'protectedcarddata'],
  plainCard: ['plaincarddata', 'sensitivecarddata'],
  envelope: ['envlpddata', 'envelopeddata'],
  recipient: ['rcpt', 'recipient'],
  kek: ['kek'],
  transport: ['keytrnsprt', 'keytransport'],
  keyId: ['keyid', 'keyidentifier'],
  derivation: ['derivtnid', 'derivationidentifier'],
  keyAlgorithm: ['keyncrptnalgo', 'keyencryptionalgorithm'],
  wrappedKey: ['ncrptdkey', 'encryptedkey'],
  content: ['ncrptdcntt', 'encryptedcontent'],
  cipher: ['cnttncrptnalgo', 'contentencryptionalgorithm'],
  algorithm: ['algo', 'algorithm'],
  iv: ['initlstnvctr', 'initialisationvector', 'initializationvector'],
  padding: ['bpddg', 'bytepadding'],
  data: ['ncrptddata', 'encrypteddata'],
  pinBlock: ['ncrptdpinblck', 'encryptedpinblock'],
  component: ['cmpnt'],
  type: ['tp'],
  serial: ['srlnb'],
  entryMode: ['carddatantrymd', 'entrymode'],
  pan: ['pan', 'cardnumber', 'number'],
  maskedPan: ['mskdpan', 'maskedpan'],
  bin: ['cardbin'],
  expiry: ['xprydt', 'expirydate', 'expirationdate'],
  serviceCode: ['svccd', 'servicecode'],
  track1: ['trck1', 'track1'],
  track2: ['trck2', 'track2'],
  track3: ['trck3', 'track3'],
  track: ['trckdata', 'trackdata'],
  trackNumber: ['trcknb', 'tracknumb'],
  trackValue: ['trckval', 'trackvalue'],
  holder: ['crdhldrnm', 'cardholdername'],
  securityCode: ['cardsctycd', 'securitycode'],
  derivationName: ['keyderivationalgorithm', 'keyderivation'],
  cipherName: ['encryptionalgorithm', 'encryption'],
  keyIndex: ['index', 'keyindex', 'ksn', 'keyserialnumber'],
  value: ['value', 'payload'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** What `inspect` says of elements, and how their values are masked. */
export const MEANINGS: Readonly<Partial<Record<Name, readonly [string, Sensitivity?]>>> = {
  keyId: ['name of the base key', 'harmless'],
  derivation: ['first part of the KSN', 'harmless'],
  keyAlgorithm: ['how the key is derived'],
  wrappedKey: ['second part of the KSN', 'harmless'],
  cipher: ['how the card data is encrypted'],
  algorithm: ['algorithm', 'harmless'],
  iv: ['IV', 'opaque'],
  padding: ['padding', 'harmless'],
  data: ['encrypted card data', 'opaque'],
  serial: ['serial number', 'harmless'],
  entryMode: ['input mode', 'harmless'],
  pan: ['card number', 'card'],
  keyIndex: ['KSN', 'harmless'],
  value: ['encrypted card data', 'opaque'],
  derivationName: ['how the key is derived', 'harmless'],
  cipherName: ['how the card data is encrypted', 'harmless'],
};

type Working = Pick<CipherSetting, 'variant' | 'selfEncrypted'>;

const REQUEST: Working = {variant: 'data', selfEncrypted: true};
const RESPONSE: Working = {variant: 'data-response', selfEncrypted: true};
const WITHOUT_SELF_ENCRYPTION: Working = {variant: 'data', selfEncrypted: false};

/** Working keys to try by the way of derivation, most likely first. */
export const DERIVATIONS: Readonly<Record<string, readonly Working[]>> = {
  dkp9: [REQUEST],
  dkpt: [WITHOUT_SELF_ENCRYPTION, REQUEST],
  'id-dukpt-wrap': [WITHOUT_SELF_ENCRYPTION, REQUEST],
  da12: [REQUEST],
  da19: [REQUEST],
  da25: [REQUEST],
  dukpt2009: [REQUEST, RESPONSE],
  aesdukpt128ecb: [REQUEST],
  dukpt2017: [REQUEST],
};

/** A host's answer is encrypted under the response key, or under that of the request. */
export function ofResponse(keys: readonly Working[]): readonly Working[] {
  return [RESPONSE, ...keys.filter(({variant}) => variant !== 'data-response')];
}

type Cipher = Pick<CipherSetting, 'algorithm' | 'mode'>;

export const CIPHERS: Readonly<Record<string, Cipher>> = {
  e3dc: {algorithm: 'tdes', mode: 'cbc'},
  'des-ede3-cbc': {algorithm: 'tdes', mode: 'cbc'},
  'des-ede3-ecb': {algorithm: 'tdes', mode: 'ecb'},
  des112cbc: {algorithm: 'tdes', mode: 'cbc'},
  ea2c: {algorithm: 'aes', mode: 'cbc'},
  ea9c: {algorithm: 'aes', mode: 'cbc'},
  ea5c: {algorithm: 'aes', mode: 'cbc'},
  aes128cbc: {algorithm: 'aes', mode: 'cbc'},
};

/** Ways to wrap a key: whoever has the key itself can decrypt. Others' names are not repeated. */
export const WRAPPED: Readonly<Record<string, string>> = {
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
export const CLOSED: Readonly<Record<string, string>> = {
  n108: 'NIST SP 800-108 key derivation',
  ersa: 'RSA key transport',
  rsao: 'RSA key transport',
  rsaencryption: 'RSA key transport',
};

/** Values of BPddg and the padding that each means. */
export const PADDINGS: Readonly<Record<'NUL8' | 'NULL' | 'NULG' | 'LNGT', Fill>> = {
  NUL8: 'iso7816',
  NULL: 'zero',
  NULG: 'x923',
  LNGT: 'pkcs7',
};

/** Entry modes of ISO 20022 and of Sale-to-POI messages. */
export const ENTRY_MODES: Readonly<Record<string, 'swiped' | 'emv' | 'keyed'>> = {
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

/** The usual setting, for the page of docs. */
export const NEXO_SETTING: CipherSetting = CARD_DATA_SETTING;
/** Bytes of the first part of a KSN, by the bytes of the whole. */
export const FIRST_PART: Readonly<Record<number, number>> = {10: 5, 12: 8};
