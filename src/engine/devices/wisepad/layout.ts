import type {TrackNumber} from '../../card/lrc.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import type {TagKinds} from '../../tlv/tags.js';
import type {Sensitivity} from '../../trace.js';

/** A member of the SDK's `decodeData` dictionary. */
export interface Member {
  /** In the SDK's spelling. */
  readonly name: string;
  readonly meaning: string;
  /** As it is printed in `Label: value` lines; absent: it is not. */
  readonly label?: string;
  readonly sensitivity?: Sensitivity;
}

/** The dictionary in the order in which it is printed (docs/formats/wisepad.md#swipe). */
const MEMBER_LIST = [
  {
    name: 'formatID',
    label: 'Format ID',
    meaning: 'format: how the tracks are encrypted and packed',
  },
  {name: 'maskedPAN', label: 'Masked PAN', meaning: 'PAN, masked'},
  {name: 'pan', label: 'PAN', meaning: 'PAN, clear', sensitivity: 'card'},
  {name: 'expiryDate', label: 'Expiry Date', meaning: 'expiry, YYMM'},
  {name: 'cardholderName', label: 'Cardholder Name', meaning: 'cardholder name'},
  {name: 'ksn', label: 'KSN', meaning: 'KSN', sensitivity: 'harmless'},
  {name: 'serviceCode', label: 'Service Code', meaning: 'service code'},
  {name: 'track1Length', label: 'Track 1 Length', meaning: 'characters of track 1, LRC included'},
  {name: 'track2Length', label: 'Track 2 Length', meaning: 'characters of track 2, LRC included'},
  {name: 'track3Length', label: 'Track 3 Length', meaning: 'characters of track 3, LRC included'},
  {
    name: 'encTracks',
    label: 'Encrypted Tracks',
    meaning: 'tracks encrypted, one after the other',
    sensitivity: 'opaque',
  },
  {
    name: 'encTrack1',
    label: 'Encrypted Track 1',
    meaning: 'track 1 encrypted',
    sensitivity: 'opaque',
  },
  {
    name: 'encTrack2',
    label: 'Encrypted Track 2',
    meaning: 'track 2 encrypted',
    sensitivity: 'opaque',
  },
  {
    name: 'encTrack3',
    label: 'Encrypted Track 3',
    meaning: 'track 3 encrypted',
    sensitivity: 'opaque',
  },
  {name: 'serialNumber', label: 'Serial Number', meaning: 'serial number', sensitivity: 'harmless'},
  {name: 'encPAN', meaning: 'PAN encrypted (keyed entry)', sensitivity: 'opaque'},
  {
    name: 'encCVV',
    meaning: 'CVV encrypted (keyed entry): its plaintext form is unknown',
    sensitivity: 'opaque',
  },
  {name: 'encTrack2Eq', meaning: 'track 2 equivalent encrypted', sensitivity: 'opaque'},
  {name: 'track1', meaning: 'track 1, clear', sensitivity: 'card'},
  {name: 'track2', meaning: 'track 2, clear', sensitivity: 'card'},
  {name: 'track3', meaning: 'track 3, clear', sensitivity: 'card'},
  {name: 'track1Status', meaning: 'track 1 status'},
  {name: 'track2Status', meaning: 'track 2 status'},
  {name: 'track3Status', meaning: 'track 3 status'},
  {name: 'partialTrack', meaning: 'partial track'},
  {name: 'trackEncoding', meaning: 'track encoding'},
  {name: 'randomNumber', meaning: 'random number of the terminal', sensitivity: 'opaque'},
  {name: 'finalMessage', meaning: 'final message', sensitivity: 'opaque'},
  {name: 'encWorkingKey', meaning: 'working key encrypted', sensitivity: 'opaque'},
  {name: 'mac', meaning: 'MAC', sensitivity: 'opaque'},
  {name: 'bID', meaning: 'bID'},
  {name: 'posEntryMode', meaning: 'point-of-service entry mode'},
  {name: 'firmwareID', meaning: 'firmware'},
  {name: 'bootloaderID', meaning: 'boot loader'},
  {name: 'productType', meaning: 'product type'},
  {name: 'data', meaning: 'data'},
] as const satisfies readonly Member[];

/** A name of the dictionary in the SDK's spelling. */
export type MemberName = (typeof MEMBER_LIST)[number]['name'];

/** The dictionary by names in lower case; aliases and printed labels are brought to these first. */
export const MEMBERS: Readonly<Record<string, Member>> = Object.fromEntries(
  MEMBER_LIST.map((member) => [member.name.toLowerCase(), member]),
);

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

/** Formats 60 and 54, the likelier first (docs/formats/wisepad.md#format-id). */
export const TRACK_FORMATS: readonly TrackFormat[] = [
  {
    id: '60',
    setting: CARD_DATA_SETTING,
    bytes: {1: 80, 2: 40, 3: 112},
    loneTrack2: 24,
    packing: 'ASCII, or tracks 2 and 3 with 4 bits per character',
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

/** The encrypted card number of a message, and the tag of its KSN. */
export const ENCRYPTED_PAN = {tag: 'C9', ksn: 'C0'} as const;

/** KSNs of online message, PIN, batch, track 2 equivalent and MAC. */
export const KSN_TAGS: ReadonlySet<string> = new Set(['C0', 'C1', 'C3', 'C7', 'CE', 'DF08']);

/**
 * Position of the masked PAN: first six, `F`, last four; an odd number of digits ends in filler
 * `F`.
 */
export const MASKED_PAN_TAGS: ReadonlySet<string> = new Set(['C4', 'DF03']);

/** The serial number, in clear or inside the online message. */
export const SERIAL_TAG = 'DF826E';

export const WISEPAD_TAG_KINDS: TagKinds = {
  ksn: KSN_TAGS,
  serial: new Set([SERIAL_TAG, 'DF834F']),
  opaque: new Set([
    ...[...MESSAGES.map(({tag}) => tag), TRACK_2_EQUIVALENT.tag],
    ...['CA', 'CB', 'CD', 'DC', 'DF0B', 'DF41', 'DF78', 'DF8203', 'DF8321'],
  ]),
};

/** BBPOS's own tags (SDK names; docs/formats/wisepad.md#emv). */
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
