import type {CipherMode} from '../../cipher/block-cipher.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import type {Sensitivity} from '../../trace.js';

interface Definition {
  /** The id of the object in a message, in hex. */
  readonly id: string;
  readonly meaning: string;
  readonly sensitivity: Sensitivity;
  /** Whether its value is text in a message as well. */
  readonly isText: boolean;
}

function binary(id: string, meaning: string, sensitivity: Sensitivity = 'opaque'): Definition {
  return {id, meaning, sensitivity, isText: false};
}

function textual(id: string, meaning: string, sensitivity: Sensitivity = 'harmless'): Definition {
  return {id, meaning, sensitivity, isText: true};
}

/** The objects of commands and responses that concern card data (docs/terminals/abecs.md#gtk). */
export const OBJECTS = {
  SPE_MTHDDAT: textual('0003', 'method of encryption'),
  SPE_OPNDIG: textual('0008', 'leading digits in cleartext'),
  SPE_IVCBC: binary('001D', 'IV'),
  PP_TRK1INC: textual('8041', 'track 1, truncated', 'card'),
  PP_TRK2INC: textual('8042', 'track 2, truncated', 'card'),
  PP_TRK3INC: textual('8043', 'track 3, truncated', 'card'),
  PP_TRACK1: binary('8044', 'track 1 encrypted'),
  PP_TRACK2: binary('8045', 'track 2 encrypted'),
  PP_TRACK3: binary('8046', 'track 3 encrypted'),
  PP_TRK1KSN: binary('8047', 'KSN of track 1', 'harmless'),
  PP_TRK2KSN: binary('8048', 'KSN of track 2', 'harmless'),
  PP_TRK3KSN: binary('8049', 'KSN of track 3', 'harmless'),
  PP_ENCPAN: binary('804A', 'card number encrypted'),
  PP_ENCPANKSN: binary('804B', 'KSN of the card number', 'harmless'),
  PP_KSN: binary('804C', 'KSN', 'harmless'),
  PP_ENCKRAND: binary('8063', 'random key under the RSA key of the caller'),
} as const;

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
  readonly singleDes: boolean;
}

function method(mode: CipherMode, meaning: string, more: Partial<CipherSetting> = {}): Method {
  return {setting: {...CARD_DATA_SETTING, mode, ...more}, meaning, singleDes: false};
}

const PIN_KEY = {variant: 'pin', selfEncrypted: false} as const;

/** Those with a random key under RSA (90, 91) and unknown ones are refused. */
export const ABECS_METHODS: Readonly<Record<string, Method>> = {
  '00': {...method('ecb', 'working key, DES, ECB'), singleDes: true},
  '01': {...method('cbc', 'working key, DES, CBC'), singleDes: true},
  '10': method('ecb', 'working key, TDES, ECB'),
  '11': method('cbc', 'working key, TDES, CBC'),
  '30': method('ecb', 'DUKPT, DAT#1: the PIN key, ECB; obsolete', PIN_KEY),
  '50': method('ecb', 'DUKPT, DAT#3: the data key, self-encrypted, ECB'),
  '51': method('cbc', 'DUKPT, DAT#3: the data key, self-encrypted, CBC'),
};

/** Digits in cleartext before the tracks: possible values of SPE_OPNDIG. */
export const OPEN_DIGITS = [0, 2, 4, 6, 8] as const;
