import {
  bitsField,
  numberField,
  type RecordField,
  recordField,
  recordFields,
} from '../../forms/record-cursor.js';

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
 * (docs/terminals/idtech.md#card-encode-type).
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

/**
 * The fields of ID TECH's encrypted swipe and keyed output, under the names used by reader, writer,
 * docs and `inspect` (ID TECH 80000502-001, Encrypted Data Output Formats;
 * docs/terminals/idtech.md#the-swipe-frame).
 */
export const FIELDS = recordFields({
  stx: recordField('STX'),
  length: numberField('length of the card data, little-endian'),
  lrc: recordField('LRC: XOR of the card data'),
  checksum: recordField('CheckSum: sum of the card data modulo 256'),
  etx: recordField('ETX'),
  filler: recordField('padding after ETX', {isFill: true}),
  encodeType: recordField('card encode type', {
    meaning: ([type = 0]) => ENCODE_TYPES[type]?.meaning,
  }),
  trackStatus: bitsField('track status', [
    ...['track 1 decoded or empty', 'track 2 decoded or empty', 'track 3 decoded or empty'],
    ...['track 1 sampled', 'track 2 sampled', 'track 3 sampled'],
    ...['optional bytes follow', 'bit 7 reserved'],
  ]),
  length1: numberField('track 1 plaintext length'),
  length2: numberField('track 2 plaintext length'),
  length3: numberField('track 3 plaintext length'),
  maskStatus: bitsField('clear/mask sent status (field 8)', [
    ...['track 1 masked', 'track 2 masked', 'track 3 masked or additional data'],
    ...['bit 3', 'AES', 'chip card', 'PIN key', 'serial number'],
  ]),
  encryptStatus: bitsField('encrypted/hash sent status (field 9)', [
    ...['track 1 encrypted', 'track 2 encrypted', 'track 3 encrypted'],
    ...['track 1 hash', 'track 2 hash', 'track 3 hash', 'session ID', 'KSN'],
  ]),
  optionalLength: numberField('number of optional bytes'),
  optional: bitsField('optional status bytes (field 11)', [
    ...['SHA-256', 'TransArmor', 'algorithm bit 2', 'algorithm bit 3', 'algorithm bit 4'],
    ...['MAC', 'bit 6 reserved', 'bit 7 reserved'],
  ]),
  masked1: recordField('track 1 masked'),
  masked2: recordField('track 2 masked'),
  masked3: recordField('track 3 masked or in cleartext'),
  additional: recordField('additional data, clear'),
  cipher1: ciphertext('track 1 encrypted'),
  cipher2: ciphertext('track 2 encrypted'),
  cipher3: ciphertext('track 3 encrypted'),
  cipher12: ciphertext('tracks 1 and 2 encrypted as one'),
  cipher123: ciphertext('tracks 1, 2 and 3 encrypted as one'),
  transArmor: ciphertext('encrypted by TransArmor'),
  session: opaque('session ID'),
  hash1: opaque('track 1 hash'),
  hash2: opaque('track 2 hash'),
  hash3: opaque('track 3 hash'),
  serial: recordField('reader serial number', {isText: true, sensitivity: 'harmless'}),
  ksn: recordField('KSN', {sensitivity: 'harmless'}),
  macLength: numberField('MAC length, little-endian'),
  mac: opaque('MAC (HMAC-SHA256)'),
  macKsn: recordField('MAC KSN', {sensitivity: 'harmless'}),
  reserved: recordField('unused lengths'),
  keyedStatus: bitsField('keyed entry status', [
    ...['ZIP', 'ADR', 'EXP', 'session ID', 'bit 4', 'bit 5', 'bit 6', 'bit 7'],
  ]),
  keyedLength: numberField('keyed entry plaintext length'),
  keyedCipher: ciphertext('keyed entry encrypted'),
  keyedHash: opaque('keyed entry hash'),
  expiryLength: numberField('length of EXP'),
  expiry: recordField('EXP, clear', {isText: true}),
  addressLength: numberField('length of ADR'),
  address: recordField('ADR, clear', {isText: true}),
  zipLength: numberField('length of ZIP'),
  zip: recordField('ZIP, clear', {isText: true}),
});

/** The fields of each track; its bit in fields 8 and 9. */
export const TRACK_FIELDS = [
  {number: 1, bit: 1, ...{length: FIELDS.length1, masked: FIELDS.masked1}, ...encrypted(1)},
  {number: 2, bit: 2, ...{length: FIELDS.length2, masked: FIELDS.masked2}, ...encrypted(2)},
  {number: 3, bit: 4, ...{length: FIELDS.length3, masked: FIELDS.masked3}, ...encrypted(3)},
] as const;

function encrypted(number: 1 | 2 | 3) {
  return {cipher: FIELDS[`cipher${number}`], hash: FIELDS[`hash${number}`]};
}

/** The fields of one track. */
export type TrackFields = (typeof TRACK_FIELDS)[number];

function opaque(name: string): RecordField {
  return recordField(name, {sensitivity: 'opaque'});
}

function ciphertext(name: string) {
  return recordField(name, {sensitivity: 'ciphertext'});
}

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
