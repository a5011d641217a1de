import {
  bytePlace,
  bytesPlace,
  type RecordPlace,
  type RecordValues,
  textPlace,
} from '../../../forms/record.js';
import type {RecordField} from '../../../forms/record-cursor.js';
import {CARD_DATA_SETTING} from '../../../reading.js';
import {
  ENCODE_TYPES,
  ENCRYPT_STATUS,
  FIELDS,
  KEYED_STATUS,
  MASK_STATUS,
  OPTIONAL,
  TRACK_FIELDS,
  TRACK_STATUS,
  type TrackFields,
} from '../layout.js';
import {paddedLength, swipeSetting} from './swipe.js';

const [TRACK_1, TRACK_2, TRACK_3] = TRACK_FIELDS;
/** The places of this family's fields. */
const [byte, bytes, text] = [bytePlace, bytesPlace, textPlace];

/** The fixed fields 4 to 11 of the enhanced layout, then the masked tracks. */
export const ENHANCED_HEAD: readonly RecordPlace[] = [
  byte(FIELDS.trackStatus),
  ...TRACK_FIELDS.map(({length}) => byte(length)),
  byte(FIELDS.maskStatus),
  byte(FIELDS.encryptStatus),
  byte(FIELDS.optionalLength, (record) =>
    record.has(FIELDS.trackStatus, TRACK_STATUS.optionalBytes),
  ),
  bytes(FIELDS.optional, (record) =>
    record.has(FIELDS.trackStatus, TRACK_STATUS.optionalBytes)
      ? record.number(FIELDS.optionalLength)
      : undefined,
  ),
  text(FIELDS.masked1, (record) => copyLength(record, TRACK_1)),
  text(FIELDS.masked2, (record) => copyLength(record, TRACK_2)),
  text(FIELDS.masked3, (record) =>
    hasAdditional(record) ? undefined : copyLength(record, TRACK_3),
  ),
  text(FIELDS.additional, (record) =>
    hasAdditional(record) ? copyLength(record, TRACK_3) : undefined,
  ),
];

/**
 * The fields after the masked tracks. The KSN has 10 bytes, or 12 if the fields after it leave room
 * for the KSN of AES DUKPT.
 */
export const ENHANCED_REST: readonly RecordPlace[] = [
  ...TRACK_FIELDS.map((own) => bytes(own.cipher, (record) => cipherLength(record, own))),
  bytes(FIELDS.session, (record) =>
    record.has(FIELDS.encryptStatus, ENCRYPT_STATUS.session) ? 8 : undefined,
  ),
  ...TRACK_FIELDS.map((own) => bytes(own.hash, (record) => hashLength(record, own))),
  bytes(FIELDS.serial, (record) =>
    record.has(FIELDS.maskStatus, MASK_STATUS.serial) ? 10 : undefined,
  ),
  bytes(FIELDS.ksn, (record, cursor) => {
    if (!record.has(FIELDS.encryptStatus, ENCRYPT_STATUS.ksn)) return undefined;
    return !hasMac(record) && cursor.remaining === cursor.units(12) ? 12 : 10;
  }),
  bytes(FIELDS.macLength, (record) => (hasMac(record) ? 2 : undefined)),
];

/** The MAC covers everything before it. */
export const ENHANCED_MAC: readonly RecordPlace[] = [
  bytes(FIELDS.mac, (record) => {
    const [low = 0, high = 0] = record.bytes(FIELDS.macLength) ?? [];
    return high * 256 + low;
  }),
  bytes(FIELDS.macKsn, () => 10),
];

/** The beginning of keyed entry in the original layout. */
export const KEYED_HEAD: readonly RecordPlace[] = [
  bytes(FIELDS.reserved, () => 4),
  byte(FIELDS.keyedStatus),
];

/** What follows it: EXP, ADR and ZIP are in cleartext, each with its length. */
export const KEYED_REST: readonly RecordPlace[] = [
  byte(FIELDS.keyedLength),
  bytes(FIELDS.keyedCipher, (record) =>
    paddedLength(record.number(FIELDS.keyedLength), CARD_DATA_SETTING),
  ),
  bytes(FIELDS.keyedHash, () => 20),
  ...clearPlaces(KEYED_STATUS.expiry, FIELDS.expiryLength, FIELDS.expiry),
  ...clearPlaces(KEYED_STATUS.address, FIELDS.addressLength, FIELDS.address),
  ...clearPlaces(KEYED_STATUS.zip, FIELDS.zipLength, FIELDS.zip),
  bytes(FIELDS.ksn, (_, cursor) => (cursor.remaining === cursor.units(12) ? 12 : 10)),
];

/** How long the variable parts of a record in the original layout are. */
export interface OriginalShape {
  readonly cipherLength: number;
  /** Track 3 is part of the ciphertext, without a clear copy. */
  readonly insideTrack3: boolean;
  /** Absent: every track has a hash. */
  readonly withoutHashes?: boolean;
  /** The ciphertext is whole AES blocks, which nothing in the frame distinguishes from TDES. */
  readonly mayBeAes?: boolean;
}

/** The beginning of a swipe in the original layout. */
export const ORIGINAL_HEAD: readonly RecordPlace[] = [
  byte(FIELDS.trackStatus),
  ...TRACK_FIELDS.map(({length}) => byte(length)),
];

/** The masked tracks, then one ciphertext, the hashes and the KSN. */
export function originalRest({
  cipherLength,
  insideTrack3,
  withoutHashes,
}: OriginalShape): RecordPlace[] {
  const isEncrypted = cipherLength > 0;
  const hash = (own: TrackFields) =>
    bytes(own.hash, (record) =>
      isEncrypted && !withoutHashes && record.number(own.length) > 0 ? 20 : undefined,
    );
  return [
    text(FIELDS.masked1, (record) => record.number(FIELDS.length1)),
    text(FIELDS.masked2, (record) => record.number(FIELDS.length2)),
    text(FIELDS.masked3, (record) => (insideTrack3 ? undefined : record.number(FIELDS.length3))),
    bytes(insideTrack3 ? FIELDS.cipher123 : FIELDS.cipher12, () =>
      isEncrypted ? cipherLength : undefined,
    ),
    ...[hash(TRACK_1), hash(TRACK_2)],
    bytes(FIELDS.ksn, (_, cursor) => (isEncrypted || cursor.remaining > 0 ? 10 : undefined)),
  ];
}

function clearPlaces(bit: number, lengthField: RecordField, field: RecordField): RecordPlace[] {
  const isPresent = (record: RecordValues) => record.has(FIELDS.keyedStatus, bit);
  return [
    byte(lengthField, isPresent),
    bytes(field, (record) => (isPresent(record) ? record.number(lengthField) : undefined)),
  ];
}

/** Whether the enhanced record has a MAC. */
export function hasMac(record: RecordValues): boolean {
  return hasOption(record, OPTIONAL.mac);
}

/** Whether the first optional byte has this bit. */
export function hasOption(record: RecordValues, bit: number): boolean {
  return ((record.bytes(FIELDS.optional)?.[0] ?? 0) & bit) !== 0;
}

/** Street and ZIP of a keyed entry are sent in the place of track 3. */
export function hasAdditional(record: RecordValues): boolean {
  const isKeyed = ENCODE_TYPES[record.number(FIELDS.encodeType)]?.layout === 'keyed-enhanced';
  return isKeyed && record.has(FIELDS.maskStatus, 4) && !record.has(FIELDS.encryptStatus, 4);
}

function copyLength(record: RecordValues, {bit, length}: TrackFields): number | undefined {
  return record.has(FIELDS.maskStatus, bit) ? record.number(length) : undefined;
}

function cipherLength(record: RecordValues, {bit, length: field}: TrackFields): number | undefined {
  const length = record.number(field);
  if (!record.has(FIELDS.encryptStatus, bit) || length === 0) return undefined;
  const isAes = record.has(FIELDS.maskStatus, MASK_STATUS.aes);
  return paddedLength(length, {algorithm: isAes ? 'aes' : 'tdes'});
}

function hashLength(record: RecordValues, {bit}: TrackFields): number | undefined {
  if (!record.has(FIELDS.encryptStatus, ENCRYPT_STATUS.hash1 * bit)) return undefined;
  return hasOption(record, OPTIONAL.sha256) ? 32 : 20;
}

/** The cipher that field 8 states. */
export function recordSetting(record: RecordValues) {
  return swipeSetting(
    record.has(FIELDS.maskStatus, MASK_STATUS.aes),
    record.has(FIELDS.maskStatus, MASK_STATUS.pinKey),
  );
}
