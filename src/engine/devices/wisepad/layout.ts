import type {TrackNumber} from '../../card/lrc.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import type {Sensitivity} from '../../trace.js';

interface Member {
  readonly meaning: string;
  readonly sensitivity?: Sensitivity;
}

/**
 * The members of the SDK's `decodeData` dictionary by their names in lower case (formats, wisepad.md
 * section 2). Aliases and printed labels are brought to these names first.
 */
export const MEMBERS: Readonly<Record<string, Member>> = {
  formatid: {meaning: 'format ID: how the tracks are encrypted and packed'},
  maskedpan: {meaning: 'PAN, masked'},
  pan: {meaning: 'PAN, clear', sensitivity: 'card'},
  expirydate: {meaning: 'expiry, YYMM'},
  cardholdername: {meaning: 'cardholder name'},
  ksn: {meaning: 'KSN'},
  servicecode: {meaning: 'service code'},
  track1length: {meaning: 'characters of track 1, LRC included'},
  track2length: {meaning: 'characters of track 2, LRC included'},
  track3length: {meaning: 'characters of track 3, LRC included'},
  enctracks: {meaning: 'tracks encrypted, one after the other'},
  enctrack1: {meaning: 'track 1 encrypted'},
  enctrack2: {meaning: 'track 2 encrypted'},
  enctrack3: {meaning: 'track 3 encrypted'},
  track1: {meaning: 'track 1, clear', sensitivity: 'card'},
  track2: {meaning: 'track 2, clear', sensitivity: 'card'},
  track3: {meaning: 'track 3, clear', sensitivity: 'card'},
  track1status: {meaning: 'track 1 status'},
  track2status: {meaning: 'track 2 status'},
  track3status: {meaning: 'track 3 status'},
  partialtrack: {meaning: 'partial track'},
  trackencoding: {meaning: 'track encoding'},
  randomnumber: {meaning: 'random number of the terminal'},
  finalmessage: {meaning: 'final message'},
  encworkingkey: {meaning: 'working key encrypted'},
  mac: {meaning: 'MAC'},
  serialnumber: {meaning: 'serial number'},
  bid: {meaning: 'bID'},
  posentrymode: {meaning: 'point-of-service entry mode'},
  firmwareid: {meaning: 'firmware'},
  bootloaderid: {meaning: 'boot loader'},
  producttype: {meaning: 'product type'},
  data: {meaning: 'data'},
  encpan: {meaning: 'PAN encrypted (manual entry)'},
  enccvv: {meaning: 'CVV encrypted (manual entry): its plaintext form is not known'},
  enctrack2eq: {meaning: 'track 2 equivalent encrypted'},
};

/** Other spellings of members: of older logs, and of what printed labels become. */
export const ALIASES: Readonly<Record<string, string>> = {trackksn: 'ksn'};

/** One format ID that can be decrypted: its setting, and the bytes that each track takes. */
export interface TrackFormat {
  readonly id: string;
  readonly setting: CipherSetting;
  readonly bytes: Readonly<Record<TrackNumber, number>>;
  /** A track 2 of other length when it comes alone: tool-built data. */
  readonly loneTrack2?: number;
  /** How the terminal packs tracks 1, 2 and 3. */
  readonly packing: string;
}

/** Formats 60 and 54, the likelier first (wisepad.md section 2.1). */
export const TRACK_FORMATS: readonly TrackFormat[] = [
  {
    id: '60',
    setting: CARD_DATA_SETTING,
    bytes: {1: 80, 2: 40, 3: 112},
    loneTrack2: 24,
    packing: 'ASCII, or track 2 and 3 with 4 bits a character',
  },
  {
    id: '54',
    setting: {...CARD_DATA_SETTING, mode: 'ecb', selfEncrypted: false},
    bytes: {1: 64, 2: 24, 3: 56},
    packing: 'track 1 with 6 bits a character, tracks 2 and 3 with 4',
  },
];

/** Which tracks a read may hold; of one format no two sets have the same length. */
export const TRACK_SETS: readonly (readonly TrackNumber[])[] = [
  [1],
  [2],
  [3],
  [1, 2],
  [2, 3],
  [1, 3],
  [1, 2, 3],
];

/** The encrypted messages of an EMV TLV list, the likeliest first, and the tag of their KSN. */
export const MESSAGES = [
  {tag: 'C2', ksn: 'C0'},
  {tag: 'C5', ksn: 'C3'},
  {tag: 'C6', ksn: 'C3'},
] as const;

/** The encrypted track 2 equivalent and the tag of its KSN. */
export const TRACK_2_EQUIVALENT = {tag: 'C8', ksn: 'C7'} as const;

/** Where the masked PAN stands: first six, `F`, last four; an odd number ends in filler `F`. */
export const MASKED_PAN_TAGS: ReadonlySet<string> = new Set(['C4', 'DF03']);

/** The serial number, in clear or inside the online message. */
export const SERIAL_TAG = 'DF826E';

/** BBPOS's own tags (SDK names; wisepad.md section 3). */
export const WISEPAD_TAGS: Readonly<Record<string, string>> = {
  C0: 'KSN of the online message',
  C1: 'KSN of the online PIN',
  C2: 'online message, encrypted',
  C3: 'KSN of the batch or reversal message',
  C4: 'PAN, masked',
  C5: 'batch message, encrypted',
  C6: 'reversal message, encrypted',
  C7: 'KSN of the track 2 equivalent',
  C8: 'track 2 equivalent, encrypted',
  C9: 'PAN, encrypted',
  CA: 'random number of the track 2 equivalent',
  CB: 'final message',
  CC: 'service code',
  CD: 'MAC',
  CE: 'KSN of the MAC',
  DC: 'MAC of the online message',
  DF03: 'PAN, masked',
  DF08: 'KSN of the MAC',
  DF0B: 'MAC',
  DF41: 'final message',
  '99': 'PIN block, encrypted',
  DF78: 'id of a KSN',
  DF79: 'version',
  DF8203: 'working key, encrypted',
  DF8204: 'account selected',
  DF826E: 'serial number',
  DF8315: 'data',
  DF8321: 'random number of the PIN block',
  DF834F: 'bID',
};
