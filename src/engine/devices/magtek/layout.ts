import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import type {Sensitivity} from '../../trace.js';

/**
 * The fields of a MagneSafe V5 string, separated by `|`, in order
 * (docs/formats/magtek.md#the-v5-string).
 */
export const FIELDS: readonly {readonly name: string; readonly sensitivity?: Sensitivity}[] = [
  {name: 'masked tracks'},
  {name: 'reader status'},
  {name: 'track 1 encrypted', sensitivity: 'opaque'},
  {name: 'track 2 encrypted', sensitivity: 'opaque'},
  {name: 'track 3 encrypted', sensitivity: 'opaque'},
  {name: 'MagnePrint status'},
  {name: 'MagnePrint encrypted', sensitivity: 'opaque'},
  {name: 'serial number', sensitivity: 'harmless'},
  {name: 'session ID encrypted', sensitivity: 'opaque'},
  {name: 'KSN', sensitivity: 'harmless'},
  {name: 'CRC'},
  {name: 'CRC encrypted', sensitivity: 'opaque'},
  {name: 'format code'},
];

/** Indexes of the fields that the reader uses. */
export const AT = {masked: 0, status: 1, tracks: 2, serial: 7, ksn: 9, format: 12} as const;

/** Reader status and format code of a swipe. */
export const STATUS_SWIPED = '0600';
export const FORMAT_CODE = '0000';

/** MagTek encrypts card data under the PIN key, without self-encryption. */
export const MAGTEK_SETTING: CipherSetting = {
  ...CARD_DATA_SETTING,
  variant: 'pin',
  selfEncrypted: false,
};
