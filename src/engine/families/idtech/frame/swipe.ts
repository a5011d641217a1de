import {PaylensError, type Place} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, hexOf, latin1Of, upperHexOf} from '../../../../platform/bytes.js';
import {sha1Hex, sha256Hex} from '../../../../platform/hash.js';
import {type CardContent, provenTrack, trackContent} from '../../../card/card-content.js';
import {Evidence, notCardData} from '../../../card/evidence.js';
import {TRACK_NAMES, type TrackNumber} from '../../../card/lrc.js';
import {assertCopyAgrees} from '../../../card/masked-copy.js';
import {readTrack} from '../../../card/track.js';
import type {Track} from '../../../card/track-data.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {isFill} from '../../../cipher/padding.js';
import {proveContent} from '../../../forms/prove-content.js';
import type {RecordValues} from '../../../forms/record.js';
import type {RecordCursor, RecordField} from '../../../forms/record-cursor.js';
import {CARD_DATA_SETTING, type CipherSetting, type EncryptedField} from '../../../reading.js';
import {ENCODE_TYPES, FIELDS, type TrackFields} from '../layout.js';

/** Everything the frame states about one track. */
export interface SentTrack {
  readonly number: TrackNumber;
  /** Plaintext length, LRC included. */
  readonly length: number;
  /** Masked or clear copy; undefined when none was sent. */
  readonly copy?: string | undefined;
  readonly hash?: SentHash | undefined;
}

/** A hash as sent, and where. */
export interface SentHash {
  readonly bytes: Uint8Array;
  readonly at: Place;
}

/** The statements of a record about a track. */
export function sentTrack(
  cursor: RecordCursor,
  record: RecordValues,
  {number, length, masked, hash}: TrackFields,
): SentTrack {
  return {
    number,
    length: record.number(length),
    copy: record.text(masked),
    hash: hashIn(record, hash, cursor),
  };
}

/**
 * Reads consecutive tracks in one plaintext, each with its declared length, followed only by
 * padding; hash and masked copy must agree. Throws 2601.
 */
export function openTracks(sent: readonly SentTrack[], plain: Uint8Array): CardContent {
  const read = (evidence: Evidence) => {
    const content: CardContent = {};
    let at = 0;
    for (const track of sent) {
      const end = track === sent.at(-1) ? plain.length : at + track.length;
      const slice = plain.subarray(at, end);
      Object.assign(content, trackContent(track.number, openSwipeTrack(track, slice, evidence)));
      at += track.length;
    }
    return content;
  };
  return proveContent('tracks', read, [], 'A hash or a masked copy');
}

/** Reads the only track of a plaintext in the same way. */
export function openTrack(sent: SentTrack, plain: Uint8Array): CardContent {
  const evidence = new Evidence();
  const track = openSwipeTrack(sent, plain, evidence);
  evidence.assertEnough('tracks', 'A hash or a masked copy');
  return provenTrack(sent.number, track, evidence);
}

function openSwipeTrack(sent: SentTrack, plain: Uint8Array, evidence: Evidence): Track {
  const name = TRACK_NAMES[sent.number];
  const track = readTrack(sent.number, plain, {length: sent.length, evidence});
  assertHash(name, sent.hash, track.bytes, evidence);
  if (sent.copy !== undefined) assertCopyAgrees(name, sent.copy, latin1Of(track.bytes), evidence);
  return track;
}

/** The hash in a field of a record, and its place. */
export function hashIn(
  record: RecordValues,
  field: RecordField,
  cursor: RecordCursor,
): SentHash | undefined {
  const bytes = record.bytes(field);
  if (!bytes) return undefined;
  const length = cursor.units(bytes.length);
  return {bytes, at: {name: field.name, offset: record.offset(field), length}};
}

/**
 * Checks a hash: unless zero it is the SHA-1 (32 bytes: SHA-256) of the plaintext with sentinels
 * and LRC. SRED devices send zeros, which prove nothing (docs/terminals/idtech.md#hashes).
 */
export function assertHash(
  name: string,
  hash: SentHash | undefined,
  plain: Uint8Array,
  evidence: Evidence,
): void {
  if (!hash || isFill(hash.bytes, 0, NO_HASH)) return;
  const {bytes, at} = hash;
  const algorithm = bytes.length === 32 ? 'sha256' : 'sha1';
  const found = algorithm === 'sha256' ? sha256Hex(plain) : sha1Hex(plain);
  if (found !== hexOf(bytes)) {
    const why = `its ${algorithm} differs from the one at offset ${at.offset}`;
    throw notCardData(name, why, {kind: 'hash', ...at});
  }
  evidence.add('hash', `${algorithm} of ${name}`, 160, at);
}

const NO_HASH = ['zero'] as const;

/** The KSN of a record in upper-case hex; undefined if it has none. */
export function ksnIn(record: RecordValues, field: RecordField = FIELDS.ksn): string | undefined {
  const bytes = record.bytes(field);
  return bytes && upperHexOf(bytes);
}

/** The ciphertext in a field of a record, under the KSN of the record. */
export function cipherIn(
  record: RecordValues,
  field: RecordField,
  name: string,
  open: EncryptedField['open'],
): EncryptedField {
  return {
    name,
    offset: record.offset(field),
    ciphertext: record.bytes(field) ?? new Uint8Array(),
    ksn: ksnIn(record),
    setting: CARD_DATA_SETTING,
    open,
  };
}

/** The same field under AES with the TDES DUKPT key, which no field of the record states. */
export function underAes(field: EncryptedField): EncryptedField {
  return {...field, setting: {...field.setting, algorithm: 'aes'}};
}

/** Length of a plaintext of `length` bytes after padding and encryption. */
export function paddedLength(
  length: number,
  {algorithm}: Pick<CipherSetting, 'algorithm'>,
): number {
  const block = blockSizeOf(algorithm);
  return Math.ceil(length / block) * block;
}

/** Field 8 bits 4 and 6: the cipher, and the key of the DUKPT transaction. */
export function swipeSetting(aes: boolean, pinKey: boolean): CipherSetting {
  const {mode, variant} = CARD_DATA_SETTING;
  const algorithm = aes ? 'aes' : 'tdes';
  return {algorithm, mode, variant: pinKey ? 'pin' : variant, selfEncrypted: !pinKey};
}

/**
 * The error for a frame without any ciphertext: clear card data, or no card data. On cards without
 * a PAN (driving licences) all data that is not masked is card data.
 */
export function withoutCiphertext(type: number, record: RecordValues): PaylensError {
  const isClear = ENCODE_TYPES[type]?.hasPan === false ? /^[^*]+$/ : /\d{12,19}/;
  const {masked1, masked2, masked3, additional} = FIELDS;
  return [masked1, masked2, masked3, additional].some((field) =>
    isClear.test((record.text(field) ?? '').replaceAll(' ', '')),
  )
    ? new PaylensError(2110, 'the frame contains cleartext card data and no encrypted track')
    : new PaylensError(2100, 'the frame contains no card data, neither encrypted nor in cleartext');
}

/** The clear track 3 of a frame with encrypted tracks; a masked copy is not returned. */
export function clearTrack3(copy: string | undefined): CardContent {
  if (copy === undefined || copy === '' || copy.includes('*')) return {};
  try {
    const plain = bytesFromLatin1(copy);
    return {track3: readTrack(3, plain, {length: plain.length, evidence: new Evidence()})};
  } catch {
    return {};
  }
}
