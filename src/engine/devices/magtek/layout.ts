import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import type {Sensitivity} from '../../trace.js';

/**
 * The fields of a MagneSafe V5 string, separated by `|`, in their order
 * (docs/formats/magtek.md#the-v5-string).
 */
export const FIELDS = [
  'masked tracks',
  'reader status',
  'track 1 encrypted',
  'track 2 encrypted',
  'track 3 encrypted',
  'MagnePrint status',
  'MagnePrint encrypted',
  'serial number',
  'session ID encrypted',
  'KSN',
  'CRC',
  'CRC encrypted',
  'format code',
] as const;

/** What is known of the values of some of them. */
export const SENSITIVITIES: Readonly<Partial<Record<(typeof FIELDS)[number], Sensitivity>>> = {
  'track 1 encrypted': 'opaque',
  'track 2 encrypted': 'opaque',
  'track 3 encrypted': 'opaque',
  'MagnePrint encrypted': 'opaque',
  'serial number': 'harmless',
  'session ID encrypted': 'opaque',
  KSN: 'harmless',
  'CRC encrypted': 'opaque',
};

/** Where the fields stand that the reader uses. */
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
