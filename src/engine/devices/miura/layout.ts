import type {TagKinds} from '../../tlv/tags.js';

/**
 * The tags of Miura's MPI with card data and related data, under the names used by reader, writer,
 * docs and `inspect` (docs/formats/miura.md#tags).
 */
export const TAG = {
  sredData: 'DFAE02',
  sredKsn: 'DFAE03',
  pinBlock: 'DFAE04',
  pinKsn: 'DFAE05',
  maskedTrack2: 'DFAE22',
  maskedEquivalent: 'DFAE57',
  maskedPan: 'DFAE5A',
  cardStatus: '48',
  track1: '5F21',
  track2: '5F22',
  track3: '5F23',
} as const;

/** Names of Miura's own tags; EMV tags are named elsewhere. */
export const MIURA_TAGS: Readonly<Record<string, string>> = {
  E0: 'command data',
  E1: 'response data',
  E2: 'decision required',
  E3: 'transaction approved',
  E4: 'online authorisation required',
  E5: 'transaction declined',
  E6: 'status changed',
  ED: 'configuration',
  EE: 'encrypted data',
  EF: 'software information',
  '48': 'card status',
  '63': 'ATR',
  [TAG.sredData]: 'SRED data, encrypted',
  [TAG.sredKsn]: 'SRED KSN',
  DFAE01: 'P2PE status',
  [TAG.pinBlock]: 'online PIN block',
  [TAG.pinKsn]: 'PIN KSN',
  DFAE06: 'MAC',
  DFAE07: 'MAC result',
  [TAG.maskedTrack2]: 'track 2, masked',
  [TAG.maskedEquivalent]: 'track 2 equivalent, masked',
  [TAG.maskedPan]: 'PAN, masked',
  DFA121: 'track 1 (JIS II)',
  DFA122: 'track 2 (JIS II)',
  DFA123: 'track 3 (JIS II)',
  DF0D: 'software identity',
  DF7F: 'software version',
  DF28: 'CVM status',
  DF30: 'contactless kernel and mode',
};

export const KSN_TAGS: ReadonlySet<string> = new Set([TAG.sredKsn, TAG.pinKsn]);

export const MIURA_TAG_KINDS: TagKinds = {
  ksn: KSN_TAGS,
  opaque: new Set([TAG.sredData, 'DFAE04', 'DFAE06', '63', 'DF0D', 'DF7F']),
};

/** The nibble that hides a digit in DFAE57 and DFAE5A; DFAE22 uses `*`. */
export const MASK_NIBBLE = 'F';

/** Templates with card data: of a card status or response, and of a transaction going online. */
export const TEMPLATES = {response: 'E1', online: 'E4'} as const;

/** Most SRED blobs in one payload; terminals send one or two. */
export const MAX_BLOBS = 32;

/** Byte 2 of tag 48; bits 1, 2 and 3 indicate that tracks 1, 2 and 3 are present. */
export const CARD_STATUS = {swipeData: 0x01} as const;
