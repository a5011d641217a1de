import {PaylensError} from '../../../../contract/paylens-error.js';
import {CARD_DATA_SETTING, type EncryptedField, type Reading} from '../../../reading.js';
import type {FrameCursor} from './frame-cursor.js';
import {
  clearTrack3,
  openTracks,
  paddedLength,
  type SentTrack,
  takeHash,
  takeKsn,
  trackField,
  withoutCiphertext,
} from './swipe.js';

const HASH_BYTES = 20;
const KSN_BYTES = 10;

/** The layout of the record after its three lengths. */
export interface Shape {
  readonly cipherLength: number;
  /** Track 3 is part of the ciphertext, without a clear copy. */
  readonly insideTrack3: boolean;
  /** Absent: every track has a hash. */
  readonly withoutHashes?: boolean;
  /** The ciphertext is whole AES blocks, which nothing in the frame distinguishes from TDES. */
  readonly mayBeAes?: boolean;
}

/** Lengths of tracks 1, 2 and 3. */
export type Lengths = readonly [number, number, number];

/**
 * Reads the record of the original layout after the encode type: masked tracks, one ciphertext over
 * the concatenated tracks 1 and 2, their hashes, the KSN. Track 3 is in cleartext, or inside the
 * ciphertext and then without clear copy (docs/formats/idtech.md#original-layout).
 *
 * Throws 2101 if the length of the ciphertext does not match the track lengths.
 */
export function readOriginal(cursor: FrameCursor, type: number): Reading {
  const form = `swipe frame, original layout, ${cursor.frame.form} form`;
  return readOriginalRecord(cursor, {form, type, shapeOf: frameShape});
}

/** Properties of a record given by its envelope. */
interface Envelope {
  readonly form: string;
  /** Card encode type. */
  readonly type: number;
  readonly shapeOf: (cursor: FrameCursor, lengths: Lengths) => Shape;
}

/**
 * Reads that record; `shapeOf` determines its layout. The Prima M sends it without a frame. Throws
 * 2102 if a field is truncated, and errors of `shapeOf`.
 */
export function readOriginalRecord(cursor: FrameCursor, envelope: Envelope): Reading {
  const {form, type, shapeOf} = envelope;
  cursor.byte('trackStatus');
  const lengths = takeLengths(cursor);
  const [l1, l2, l3] = lengths;
  const shape = shapeOf(cursor, lengths);
  const copy1 = cursor.text(l1, 'masked1');
  const copy2 = cursor.text(l2, 'masked2');
  const copy3 = shape.insideTrack3 ? undefined : cursor.text(l3, 'masked3');
  if (shape.cipherLength === 0) {
    if (cursor.remaining > 0) takeKsn(cursor, KSN_BYTES);
    const refusal = withoutCiphertext(type, [copy1, copy2, copy3]);
    return {form, mode: 'swiped', candidates: [[]], refusal};
  }
  const offset = cursor.offset;
  const ciphertext = cursor.bytes(
    shape.cipherLength,
    shape.insideTrack3 ? 'cipher123' : 'cipher12',
  );
  const hashes = !shape.withoutHashes;
  const sent = [
    ...sentOf(cursor, {number: 1, length: l1, copy: copy1}, hashes),
    ...sentOf(cursor, {number: 2, length: l2, copy: copy2}, hashes),
  ];
  if (shape.insideTrack3) sent.push({number: 3, length: l3});
  const field: EncryptedField = {
    name: 'tracks',
    offset,
    ciphertext,
    ksn: takeKsn(cursor, KSN_BYTES),
    setting: CARD_DATA_SETTING,
    open: (plain) => openTracks(sent, plain),
  };
  const aes = {...field, setting: {...field.setting, algorithm: 'aes' as const}};
  const candidates = shape.mayBeAes ? [[field], [aes]] : [[field]];
  return {form, mode: 'swiped', candidates, clear: clearTrack3(copy3)};
}

function takeLengths(cursor: FrameCursor): Lengths {
  return [cursor.byte('length1'), cursor.byte('length2'), cursor.byte('length3')];
}

/**
 * Of the two places of track 3 and the two block sizes, the first combination whose lengths add up.
 * No field of this layout states the cipher: TDES pads to 8 bytes, AES to 16.
 */
function frameShape(cursor: FrameCursor, [l1, l2, l3]: Lengths): Shape {
  const fixed = cursor.units(hashBytes(l1, l2) + KSN_BYTES);
  const room = cursor.remaining - l1 - l2 - fixed;
  const places = [{plain: l1 + l2, insideTrack3: false, room: room - l3}];
  if (l3 > 0) places.push({plain: l1 + l2 + l3, insideTrack3: true, room});
  for (const algorithm of ['tdes', 'aes'] as const) {
    for (const {plain, insideTrack3, room} of places) {
      const cipherLength = paddedLength(plain, {...CARD_DATA_SETTING, algorithm});
      if (cipherLength === 0 || room !== cursor.units(cipherLength)) continue;
      return {cipherLength, insideTrack3, mayBeAes: cipherLength % 16 === 0};
    }
  }
  const clear = cursor.remaining - l1 - l2 - l3;
  if (clear === 0 || clear === cursor.units(KSN_BYTES))
    return {cipherLength: 0, insideTrack3: false};
  const expected = cursor.units(paddedLength(l1 + l2, CARD_DATA_SETTING));
  throw new PaylensError(
    2101,
    `length: ciphertext at offset ${cursor.offset + l1 + l2 + l3}: expected ${expected} units for tracks of ${l1} and ${l2} characters, found ${room - l3}`,
  );
}

/** Length of the hashes: one for each track that was read. */
export function hashBytes(l1: number, l2: number): number {
  return (l1 > 0 ? HASH_BYTES : 0) + (l2 > 0 ? HASH_BYTES : 0);
}

function sentOf(cursor: FrameCursor, track: SentTrack, hashes: boolean): SentTrack[] {
  if (track.length === 0) return [];
  if (!hashes) return [track];
  return [{...track, hash: takeHash(cursor, HASH_BYTES, trackField('hash', track.number))}];
}
