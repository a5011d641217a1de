import {latin1Of} from '../../../platform/bytes.js';
import type {Part, Sensitivity} from '../../trace.js';

/**
 * The fields of ID TECH's encrypted swipe and keyed output, under the names used by reader, writer,
 * docs and `inspect` (ID TECH 80000502-001, Encrypted Data Output Formats;
 * docs/formats/idtech.md#the-swipe-frame).
 */
export const FIELDS = {
  stx: 'STX',
  length: 'length of the card data, little-endian',
  lrc: 'LRC: XOR of the card data',
  checksum: 'CheckSum: sum of the card data modulo 256',
  etx: 'ETX',
  filler: 'padding after ETX',
  encodeType: 'card encode type',
  trackStatus: 'track status',
  length1: 'track 1 plaintext length',
  length2: 'track 2 plaintext length',
  length3: 'track 3 plaintext length',
  maskStatus: 'clear/mask sent status (field 8)',
  encryptStatus: 'encrypted/hash sent status (field 9)',
  optionalLength: 'number of optional bytes',
  optional: 'optional status bytes (field 11)',
  masked1: 'track 1 masked',
  masked2: 'track 2 masked',
  masked3: 'track 3 masked or in cleartext',
  additional: 'additional data, clear',
  cipher1: 'track 1 encrypted',
  cipher2: 'track 2 encrypted',
  cipher3: 'track 3 encrypted',
  cipher12: 'tracks 1 and 2 encrypted as one',
  cipher123: 'tracks 1, 2 and 3 encrypted as one',
  transArmor: 'encrypted by TransArmor',
  session: 'session ID',
  hash1: 'track 1 hash',
  hash2: 'track 2 hash',
  hash3: 'track 3 hash',
  serial: 'reader serial number',
  ksn: 'KSN',
  macLength: 'MAC length, little-endian',
  mac: 'MAC (HMAC-SHA256)',
  macKsn: 'MAC KSN',
  reserved: 'unused lengths',
  keyedStatus: 'keyed entry status',
  keyedLength: 'keyed entry plaintext length',
  keyedCipher: 'keyed entry encrypted',
  keyedHash: 'keyed entry hash',
  expiryLength: 'length of EXP',
  expiry: 'EXP, clear',
  addressLength: 'length of ADR',
  address: 'ADR, clear',
  zipLength: 'length of ZIP',
  zip: 'ZIP, clear',
} as const;

export type Field = keyof typeof FIELDS;

/** The layout of the card data after an encode type. */
export type Layout = 'enhanced' | 'original' | 'keyed-enhanced' | 'keyed-original';

interface EncodeType {
  readonly meaning: string;
  readonly layout: Layout;
  /** False for cards without a PAN: all their clear data counts as card data. */
  readonly hasPan?: false;
}

/**
 * Field 3. The high bit means enhanced, but 85 is original
 * (docs/formats/idtech.md#card-encode-type).
 */
export const ENCODE_TYPES: Readonly<Record<number, EncodeType>> = {
  0: {meaning: 'ISO/ABA card, original layout', layout: 'original'},
  1: {meaning: 'AAMVA card, original layout', layout: 'original', hasPan: false},
  3: {meaning: 'other card, original layout', layout: 'original', hasPan: false},
  128: {meaning: 'ISO/ABA card, enhanced layout', layout: 'enhanced'},
  129: {meaning: 'AAMVA card, enhanced layout', layout: 'enhanced', hasPan: false},
  131: {meaning: 'other card, enhanced layout', layout: 'enhanced', hasPan: false},
  133: {meaning: 'keyed entry, original layout', layout: 'keyed-original'},
  192: {meaning: 'keyed entry, enhanced layout', layout: 'keyed-enhanced'},
};

/** Field 4: bits 3 to 5 indicate the tracks sampled, bit 6 that optional bytes follow. */
export const TRACK_STATUS = {optionalBytes: 0x40} as const;

/** Field 8. Bits 0 to 2: masked or clear track present. */
export const MASK_STATUS = {aes: 0x10, chip: 0x20, pinKey: 0x40, serial: 0x80} as const;

/** Field 9. Bits 0 to 2: encrypted track present; bits 3 to 5: hash present. */
export const ENCRYPT_STATUS = {anyTrack: 0x07, hash1: 0x08, session: 0x40, ksn: 0x80} as const;

/** Field 11. Bit 1: bits 4, 3, 2 give the algorithm, which is TransArmor. */
export const OPTIONAL = {sha256: 0x01, transArmor: 0x02, mac: 0x20} as const;

/** Field 6 of type 85: the clear fields after the hash. */
export const KEYED_STATUS = {zip: 0x01, address: 0x02, expiry: 0x04, session: 0x08} as const;

/** The meaning of a field's bytes if their hex does not show it, and their kind of value. */
export function saidBy(
  field: Field,
  bytes: Uint8Array,
): Pick<Part, 'meaning' | 'text' | 'sensitivity'> {
  const meaning = meaningOf(field, bytes);
  const sensitivity = SENSITIVITIES[field];
  return {
    ...(meaning === undefined ? {} : {meaning}),
    ...(TEXTS.has(field) ? {text: latin1Of(bytes)} : {}),
    ...(sensitivity ? {sensitivity} : {}),
  };
}

function meaningOf(field: Field, bytes: Uint8Array): string | undefined {
  const [value = 0, high = 0] = bytes;
  const bits = STATUS_BITS[field];
  if (bits) return bitsMeaning(bits, value);
  if (field === 'encodeType') return ENCODE_TYPES[value]?.meaning;
  return LENGTHS.has(field) ? `${high * 256 + value}` : undefined;
}

const SENSITIVITIES: {readonly [F in Field]?: Sensitivity} = {
  ...{cipher1: 'opaque', cipher2: 'opaque', cipher3: 'opaque', cipher12: 'opaque'},
  ...{cipher123: 'opaque', transArmor: 'opaque', keyedCipher: 'opaque', session: 'opaque'},
  ...{hash1: 'opaque', hash2: 'opaque', hash3: 'opaque', keyedHash: 'opaque', mac: 'opaque'},
  ...{serial: 'harmless', ksn: 'harmless', macKsn: 'harmless'},
};

function bitsMeaning(names: readonly string[], value: number): string {
  const set = names.filter((_, bit) => (value & (1 << bit)) !== 0);
  return set.length > 0 ? set.join(', ') : 'nothing set';
}

const LENGTHS: ReadonlySet<Field> = new Set<Field>([
  ...(['length', 'length1', 'length2', 'length3', 'optionalLength', 'macLength'] as const),
  ...(['keyedLength', 'expiryLength', 'addressLength', 'zipLength'] as const),
]);

const TEXTS: ReadonlySet<Field> = new Set<Field>(['serial', 'expiry', 'address', 'zip']);

const STATUS_BITS: {readonly [F in Field]?: readonly string[]} = {
  trackStatus: [
    ...['track 1 decoded or empty', 'track 2 decoded or empty', 'track 3 decoded or empty'],
    ...['track 1 sampled', 'track 2 sampled', 'track 3 sampled'],
    ...['optional bytes follow', 'bit 7 reserved'],
  ],
  maskStatus: [
    ...['track 1 masked', 'track 2 masked', 'track 3 masked or additional data'],
    ...['bit 3', 'AES', 'chip card', 'PIN key', 'serial number'],
  ],
  encryptStatus: [
    ...['track 1 encrypted', 'track 2 encrypted', 'track 3 encrypted'],
    ...['track 1 hash', 'track 2 hash', 'track 3 hash', 'session ID', 'KSN'],
  ],
  optional: [
    ...['SHA-256', 'TransArmor', 'algorithm bit 2', 'algorithm bit 3', 'algorithm bit 4'],
    ...['MAC', 'bit 6 reserved', 'bit 7 reserved'],
  ],
  keyedStatus: ['ZIP', 'ADR', 'EXP', 'session ID', 'bit 4', 'bit 5', 'bit 6', 'bit 7'],
};
