import type {TagKinds} from '../../../tlv/tags.js';

/** ID TECH's own tags (80000503-001, TLV Tag Reference Guide; docs/formats/idtech.md#tags). */
export const IDTECH_TAGS: Readonly<Record<string, string>> = {
  DFEE12: 'KSN',
  FFEE12: 'KSN (first NEO generation)',
  DFEE23: 'swipe frame',
  DFEE25: 'result code',
  DFEE26: 'encryption information',
  DFEF4B: 'DFEF4D setting',
  DFEF4C: 'lengths of track 1, 2, 3 and PAN in DFEF4D',
  DFEF4D: 'tracks and PAN, encrypted as one',
  DFEF5B: 'PAN, masked',
  DFEF5D: 'track 2 equivalent, masked',
  DFEF17: 'track 1 (magstripe mode)',
  DFEF18: 'track 2 (magstripe mode)',
  FFEE13: 'contactless track 1',
  FFEE14: 'contactless track 2',
  FFEE01: 'group of contactless data',
  FF8105: 'data record',
  FF8106: 'discretionary data',
  DFEE31: 'track 1 discretionary data',
  DFEE32: 'track 2 discretionary data',
  DF31: 'track 1 data',
  DF32: 'track 2 data',
  DF812A: 'track 1 discretionary data (kernel 2)',
  DF812B: 'track 2 discretionary data (kernel 2)',
  DF8115: 'error indication',
  DF8116: 'user interface request data',
  DF8129: 'outcome parameter set',
  DFEE00: 'transaction status',
  DFEE04: 'transaction data',
  DFEF57: 'firmware version',
  DFEC18: 'kernel version',
  DFEE1D: 'mask settings',
  DFEF1A: 'transaction setting',
  DFED28: 'transaction setting',
};

/** Tags whose value is a magnetic stripe track, with its track number. */
export const IDTECH_TRACK_TAGS: Readonly<Record<string, 1 | 2>> = {
  DFEF17: 1,
  DFEF18: 2,
  FFEE13: 1,
  FFEE14: 2,
};

/** ID TECH's own tags whose clear value is card data. */
export const IDTECH_CARD_TAGS: ReadonlySet<string> = new Set([
  ...Object.keys(IDTECH_TRACK_TAGS),
  ...['DFEF4D', 'DFEE31', 'DFEE32', 'DF31', 'DF32', 'DF812A', 'DF812B'],
]);

export const IDTECH_TAG_KINDS: TagKinds = {
  ksn: new Set(['DFEE12', 'FFEE12']),
  opaque: new Set(['DFEF4C', 'DF8116', 'DF8129', 'DFEF57', 'DFEC18']),
};
