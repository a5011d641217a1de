import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';

/** The data elements of DE-127, by their tag: the number of the element (docs/formats/ifsf.md#de-127). */
export const ELEMENTS = {
  pan: 2,
  expiry: 14,
  track2: 35,
  track3: 36,
  track1: 45,
} as const;

/** Bytes of a tag and of the length behind it, which is big-endian. */
export const TAG_BYTES = 1;
export const LENGTH_BYTES = 2;

/** The data request key of X9.24-1:2009, and of the edition of 2004, which does not self-encrypt. */
export const EDITIONS: Readonly<Record<'2009' | '2004', CipherSetting>> = {
  2009: CARD_DATA_SETTING,
  2004: {...CARD_DATA_SETTING, selfEncrypted: false},
};

/** What the elements of a message are, those in a description of it included. */
export const MEANINGS: Readonly<Record<number, string>> = {
  2: 'card number',
  14: 'expiry date',
  35: 'track 2',
  36: 'track 3',
  45: 'track 1',
  52: 'PIN block',
  53: 'security data: the KSN',
  64: 'MAC',
  127: 'encrypted data elements',
  128: 'MAC',
};

/** Elements of the card that stay in clear when a message has no DE-127. */
export const CLEAR_ELEMENTS = [2, 35, 45] as const;
