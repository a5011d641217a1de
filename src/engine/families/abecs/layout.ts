import type {CipherMode} from '../../cipher/block-cipher.js';
import {HARMLESS, OPAQUE} from '../../forms/members.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import type {Part} from '../../trace.js';

interface Definition {
  /** The id of the object in a message, in hex. */
  readonly id: string;
  readonly meaning: string;
  readonly sensitivity: NonNullable<Part['sensitivity']>;
  /** Its value is text in a message as well. */
  readonly isText?: true;
}

const HARMLESS_TEXT = {...HARMLESS, isText: true} as const;
const COPY = {sensitivity: 'card', isText: true} as const;

/** The objects of commands and responses that concern card data (docs/terminals/abecs.md#gtk). */
export const OBJECTS = {
  SPE_MTHDDAT: {id: '0003', meaning: 'method of encryption', ...HARMLESS_TEXT},
  SPE_OPNDIG: {id: '0008', meaning: 'leading digits in cleartext', ...HARMLESS_TEXT},
  SPE_IVCBC: {id: '001D', meaning: 'IV', ...OPAQUE},
  PP_TRK1INC: {id: '8041', meaning: 'track 1, truncated', ...COPY},
  PP_TRK2INC: {id: '8042', meaning: 'track 2, truncated', ...COPY},
  PP_TRK3INC: {id: '8043', meaning: 'track 3, truncated', ...COPY},
  PP_TRACK1: {id: '8044', meaning: 'track 1 encrypted', ...OPAQUE},
  PP_TRACK2: {id: '8045', meaning: 'track 2 encrypted', ...OPAQUE},
  PP_TRACK3: {id: '8046', meaning: 'track 3 encrypted', ...OPAQUE},
  PP_TRK1KSN: {id: '8047', meaning: 'KSN of track 1', ...HARMLESS},
  PP_TRK2KSN: {id: '8048', meaning: 'KSN of track 2', ...HARMLESS},
  PP_TRK3KSN: {id: '8049', meaning: 'KSN of track 3', ...HARMLESS},
  PP_ENCPAN: {id: '804A', meaning: 'card number encrypted', ...OPAQUE},
  PP_ENCPANKSN: {id: '804B', meaning: 'KSN of the card number', ...HARMLESS},
  PP_KSN: {id: '804C', meaning: 'KSN', ...HARMLESS},
  PP_ENCKRAND: {id: '8063', meaning: 'random key under the RSA key of the caller', ...OPAQUE},
} as const satisfies Readonly<Record<string, Definition>>;

/** The name of an object. */
export type ObjectName = keyof typeof OBJECTS;

/** Every object by its name, in the order of their ids. */
export const DEFINITIONS = Object.entries(OBJECTS) as readonly (readonly [
  ObjectName,
  Definition,
])[];

/** How a value of SPE_MTHDDAT encrypts. */
export interface Method {
  readonly setting: CipherSetting;
  readonly meaning: string;
  /** Under a working key of 8 bytes: single DES. */
  readonly singleDes?: boolean;
}

function method(mode: CipherMode, meaning: string, more: Partial<CipherSetting> = {}): Method {
  return {setting: {...CARD_DATA_SETTING, mode, ...more}, meaning};
}

const DES = {singleDes: true} as const;
const PIN_KEY = {variant: 'pin', selfEncrypted: false} as const;

/** Those with a random key under RSA (90, 91) and unknown ones are refused. */
export const ABECS_METHODS: Readonly<Record<string, Method>> = {
  '00': {...method('ecb', 'working key, DES, ECB'), ...DES},
  '01': {...method('cbc', 'working key, DES, CBC'), ...DES},
  '10': method('ecb', 'working key, TDES, ECB'),
  '11': method('cbc', 'working key, TDES, CBC'),
  '30': method('ecb', 'DUKPT, DAT#1: the PIN key, ECB; obsolete', PIN_KEY),
  '50': method('ecb', 'DUKPT, DAT#3: the data key, self-encrypted, ECB'),
  '51': method('cbc', 'DUKPT, DAT#3: the data key, self-encrypted, CBC'),
};

/** Digits in clear in front of the tracks: possible values of SPE_OPNDIG. */
export const OPEN_DIGITS = [0, 2, 4, 6, 8] as const;
