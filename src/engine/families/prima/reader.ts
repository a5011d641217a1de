import {PaylensError} from '../../../contract/paylens-error.js';
import {
  bytesFromHex,
  bytesFromLatin1,
  hexByte,
  hexOf,
  isHex,
  latin1Of,
} from '../../../platform/bytes.js';
import {halfByte, hexIfBinary} from '../../forms/payload-bytes.js';
import {RecordCursor} from '../../forms/record-cursor.js';
import {CARD_DATA_SETTING, type Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {
  hashBytes,
  type Lengths,
  ORIGINAL_KSN_BYTES,
  readOriginalRecord,
} from '../idtech/frame/original.js';
import type {OriginalShape} from '../idtech/frame/records.js';
import {paddedLength} from '../idtech/frame/swipe.js';
import {FIELDS} from '../idtech/layout.js';

/**
 * Payment cards; the reader's other card types are not known (docs/terminals/prima.md#the-record).
 */
export const PAYMENT_CARD = 0x00;

/**
 * Card type, track flags and three lengths of clear tracks, then the sentinel of the first masked
 * track, which may be text between double quotes (docs/terminals/prima.md#the-record).
 */
export const PRIMA_BEGINNING =
  /^00[0-3].(?:[1-4].[0-2].[0-6].(?:25|22(?=25))|00[0-2].[0-6].(?:3B|22(?=3B)))/;

/** A payload that begins with STX, in binary, hex or keyboard text. */
export function isIdtechFrame(payload: string): boolean {
  return payload.startsWith('\x02') || payload.trimStart().startsWith('02');
}

/**
 * Reads the record (docs/terminals/prima.md#the-record). Throws 2100 if it is not hex, not of a
 * payment card or too long, 2102 if it ends too early.
 */
export function readPrima(payload: string, trace: Trace): Reading {
  const text = latin1Of(recordBytes(payload));
  const cursor = new RecordCursor({text, form: 'binary', base: 0, depth: 0}, trace);
  const type = cursor.byte(FIELDS.encodeType);
  if (type !== PAYMENT_CARD) {
    throw new PaylensError(2100, `card type at byte 0: expected 00, found ${hexByte(type)}`);
  }
  const shape = (own: RecordCursor, lengths: Lengths) => shapeOf(own, lengths, trace);
  const reading = readOriginalRecord(cursor, {form: 'Prima M record', type, shapeOf: shape});
  return reading.refusal ? {...reading, refusal: new PaylensError(2800)} : reading;
}

/**
 * Hex digits without spaces; ASCII between double quotes is converted to hex. Undefined if the text
 * contains anything else.
 */
export function hexWithQuotes(payload: string): string | undefined {
  if (!/^\s*(?:["\da-f]|$)/i.test(payload)) return undefined;
  const hex = payload
    .replaceAll(/"([^"]*)(?:"|$)/g, (_, text: string) => hexOf(bytesFromLatin1(text)))
    .replaceAll(/\s/g, '');
  return isHex(hex) ? hex : undefined;
}

function recordBytes(payload: string): Uint8Array {
  const hex = hexWithQuotes(hexIfBinary(payload));
  if (hex === undefined || hex === '') {
    throw new PaylensError(2100, 'expected hex digits, beginning with the card type 00');
  }
  const bytes = bytesFromHex(hex);
  if (bytes) return bytes;
  throw halfByte(hex);
}

/** The lengths must account for every byte; some units send no hashes. */
function shapeOf(cursor: RecordCursor, [l1, l2, l3]: Lengths, trace: Trace): OriginalShape {
  const cipherLength = paddedLength(l1 + l2, CARD_DATA_SETTING);
  const hashes = hashBytes(l1, l2);
  const fixed = l1 + l2 + l3 + cipherLength + ORIGINAL_KSN_BYTES;
  const rest = cursor.remaining - fixed;
  const shape = {cipherLength, insideTrack3: false};
  if (rest === 0) return {withoutHashes: true, ...shape};
  if (rest === hashes) return shape;
  const detail = `record: expected ${fixed + hashes} bytes after the lengths, found ${cursor.remaining}`;
  if (rest > hashes) throw new PaylensError(2100, detail);
  trace.cut(new PaylensError(2102, detail));
  return shape;
}
