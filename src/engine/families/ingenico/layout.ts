import type {Mode} from '../../../contract/process-payload.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import type {Sensitivity} from '../../trace.js';

/** `exit type` of messages 23.x and 87.x. */
export const EXIT_TYPES: Readonly<Record<string, string>> = {
  '0': 'good read',
  '1': 'bad read',
  '2': 'cancelled',
  '3': 'button pressed',
  '6': 'invalid prompt',
  '7': 'encryption failed',
  '8': 'bad key card',
  '9': 'bad format',
  A: 'reader not enabled',
  R: 'reader not enabled',
};

/** Where a card was read. */
export interface CardSource {
  readonly meaning: string;
  readonly mode: Mode;
  /** The On-Guard record has the layout of keyed entry. */
  readonly byHand?: boolean;
}

/** `card source` of messages 23.x, 41.x and 87.x. */
export const CARD_SOURCES: Readonly<Record<string, CardSource>> = {
  M: {meaning: 'magnetic stripe', mode: 'swiped'},
  C: {meaning: 'contactless magstripe mode', mode: 'swiped'},
  m: {meaning: 'mobile', mode: 'swiped'},
  E: {meaning: 'contactless EMV', mode: 'emv'},
  S: {meaning: 'contact EMV', mode: 'emv'},
  Q: {meaning: 'quick chip', mode: 'emv'},
  H: {meaning: 'keyed entry', mode: 'keyed', byHand: true},
  T: {meaning: 'keyed entry', mode: 'keyed', byHand: true},
};

/** Encryption types of configuration value 0091_0001 that can be decrypted here. */
export const READ_TYPES: ReadonlySet<number> = new Set([11, 19]);

/** All other encryption types with public names (docs/terminals/ingenico.md#encryption-types). */
export const CLOSED_TYPES: Readonly<Record<number, string>> = {
  2: 'On-Guard FPE',
  9: 'RSA-OAEP',
  14: 'S1',
};

/** The possible settings of a type 11 or 19 record, most likely first. */
export const RECORD_SETTINGS: readonly CipherSetting[] = [
  CARD_DATA_SETTING,
  {...CARD_DATA_SETTING, variant: 'pin', selfEncrypted: false},
  {...CARD_DATA_SETTING, selfEncrypted: false},
];

/**
 * `<KSN>:<indicator>:<length>:<ciphertext>`, the encrypted track 3 of types 11 and 19
 * (docs/terminals/ingenico.md#track-3-record).
 */
export const RECORD_PARTS = ['KSN', 'indicator', 'length', 'ciphertext'] as const;
export const RECORD_SENSITIVITIES: Readonly<
  Partial<Record<(typeof RECORD_PARTS)[number], Sensitivity>>
> = {KSN: 'harmless', ciphertext: 'opaque'};

/** The indicator's meaning for the plaintext. */
export const RECORD_INDICATORS: Readonly<Record<string, string>> = {
  '1': 'track 1',
  '2': 'track 2',
  '3': 'keyed entry',
  '4': 'tracks 1 and 2',
};

/** Separators between the items of a plaintext: configurable, `|` by default. */
export const SEPARATORS = ['|', '#', '\0', ';'] as const;

/** One field of an On-Guard record. */
export interface OnGuardField {
  readonly name: string;
  /** Number of characters; absent: given by two decimal digits before the field. */
  readonly width?: number;
  readonly form?: RegExp;
  readonly sensitivity?: Sensitivity;
  /** Absent in keyed entry. */
  readonly swipeOnly?: boolean;
}

/** The On-Guard record up to its encrypted flag (docs/terminals/ingenico.md#on-guard-record). */
export const ON_GUARD_HEAD: readonly OnGuardField[] = [
  {name: 'first six digits', width: 6, form: /^\d{6}$/},
  {name: 'last four digits', width: 4, form: /^\d{4}$/},
  {name: 'PAN length', width: 2, form: /^\d\d$/},
  {name: 'mod-10 flag', width: 1},
  {name: 'expiry, YYMM', width: 4},
  {name: 'service code', width: 3},
  {name: 'language', width: 1},
  {name: 'cardholder name', swipeOnly: true},
  {name: 'encrypted flag', width: 1, form: /^[01]$/},
];

/** After flag 1. */
export const ON_GUARD_ENCRYPTED: readonly OnGuardField[] = [
  {name: 'encryption format', width: 1},
  {name: 'KSN', width: 20, form: /^[0-9A-F]{20}$/i, sensitivity: 'harmless'},
  {name: 'KSN extension', width: 4},
  {name: 'IC (FPE track 2)'},
  {name: 'PAN, AES'},
  {name: 'LS'},
  {name: 'extended language', width: 1},
];

/** After flag 0: a whitelisted card. */
export const ON_GUARD_CLEAR: readonly OnGuardField[] = [
  {name: 'track 1, clear', sensitivity: 'card', swipeOnly: true},
  {name: 'track 2, clear', sensitivity: 'card'},
  {name: 'extended language', width: 1},
];

/** Ingenico's own tags in 33.x messages (docs/terminals/ingenico.md#emv-tags). */
export const INGENICO_TAGS: Readonly<Record<string, string>> = {
  FF1D: 'PAN, masked',
  FF1E: 'track 1 encrypted',
  FF1F: 'track 2 encrypted',
  FF20: 'ETB (Voltage)',
  FF21: 'track 3 encrypted',
  '1003': 'confirmation code',
  '1005': 'transaction type',
  '1010': 'error code',
  '1014': 'payment type',
  '1017': 'track 1 of a swipe',
  '1018': 'track 2 of a swipe',
  '1019': 'track 3 of a swipe',
};

/** SW1 SW2 of a successful response. */
export const RA1_SUCCESS = '9000';
