import {PaylensError} from '../../../../contract/paylens-error.js';
import {RecordValues} from '../../../forms/record.js';
import type {RecordCursor} from '../../../forms/record-cursor.js';
import {CARD_DATA_SETTING, type Reading} from '../../../reading.js';
import {FIELDS, TRACK_FIELDS} from '../layout.js';
import {ORIGINAL_HEAD, type OriginalShape, originalRest} from './records.js';
import {
  cipherIn,
  clearTrack3,
  openTracks,
  paddedLength,
  sentTrack,
  underAes,
  withoutCiphertext,
} from './swipe.js';

const HASH_BYTES = 20;
/** The KSN ends the record. */
export const ORIGINAL_KSN_BYTES = 10;

/** Lengths of tracks 1, 2 and 3. */
export type Lengths = readonly [number, number, number];

/**
 * Reads the record of the original layout after the encode type: masked tracks, one ciphertext over
 * the concatenated tracks 1 and 2, their hashes, the KSN. Track 3 is in cleartext, or inside the
 * ciphertext and then without clear copy (docs/terminals/idtech.md#original-layout).
 *
 * Throws 2101 if the length of the ciphertext does not match the track lengths.
 */
export function readOriginalFrame(cursor: RecordCursor, type: number): Reading {
  const form = `swipe frame, original layout, ${cursor.frame.form} form`;
  return readOriginalRecord(cursor, {form, type, shapeOf: frameShape});
}

/** Properties of a record given by its envelope. */
interface OriginalEnvelope {
  readonly form: string;
  /** Card encode type. */
  readonly type: number;
  readonly shapeOf: (cursor: RecordCursor, lengths: Lengths) => OriginalShape;
}

/**
 * Reads that record; `shapeOf` determines its layout. The Prima M sends it without a frame. Throws
 * 2102 if a field is truncated, and errors of `shapeOf`.
 */
export function readOriginalRecord(cursor: RecordCursor, envelope: OriginalEnvelope): Reading {
  const {form, type, shapeOf} = envelope;
  const record = new RecordValues();
  record.read(cursor, ORIGINAL_HEAD);
  const [l1, l2, l3] = TRACK_FIELDS.map(({length}) => record.number(length));
  const shape = shapeOf(cursor, [l1 ?? 0, l2 ?? 0, l3 ?? 0]);
  record.read(cursor, originalRest(shape));
  if (shape.cipherLength === 0) {
    const refusal = withoutCiphertext(type, record);
    return {form, mode: 'swiped', candidates: [[]], refusal};
  }
  const sent = TRACK_FIELDS.slice(0, shape.insideTrack3 ? 3 : 2)
    .map((own) => sentTrack(cursor, record, own))
    .filter(({length}) => length > 0);
  const cipher = shape.insideTrack3 ? FIELDS.cipher123 : FIELDS.cipher12;
  const field = cipherIn(record, cipher, 'tracks', (plain) => openTracks(sent, plain));
  const candidates = shape.mayBeAes ? [[field], [underAes(field)]] : [[field]];
  const clear = clearTrack3(record.text(FIELDS.masked3));
  return {form, mode: 'swiped', candidates, clear};
}

/**
 * Of the two places of track 3 and the two block sizes, the first combination whose lengths add up.
 * No field of this layout states the cipher: TDES pads to 8 bytes, AES to 16.
 */
function frameShape(cursor: RecordCursor, [l1, l2, l3]: Lengths): OriginalShape {
  const fixed = cursor.units(hashBytes(l1, l2) + ORIGINAL_KSN_BYTES);
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
  if (clear === 0 || clear === cursor.units(ORIGINAL_KSN_BYTES))
    return {cipherLength: 0, insideTrack3: false};
  const expected = cursor.units(paddedLength(l1 + l2, CARD_DATA_SETTING));
  const detail = `length: ciphertext at offset ${cursor.offset + l1 + l2 + l3}: expected ${expected} units for tracks of ${l1} and ${l2} characters, found ${room - l3}`;
  throw new PaylensError(2101, detail);
}

/** Length of the hashes: one for each track that was read. */
export function hashBytes(l1: number, l2: number): number {
  return (l1 > 0 ? HASH_BYTES : 0) + (l2 > 0 ? HASH_BYTES : 0);
}
