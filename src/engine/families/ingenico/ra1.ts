import {PaylensError} from '../../../contract/paylens-error.js';
import {hexByte, latin1Of, upperHexOf} from '../../../platform/bytes.js';
import {payloadBytes} from '../../forms/payload-bytes.js';
import {RecordCursor, recordField} from '../../forms/record-cursor.js';
import type {Reading} from '../../reading.js';
import {Trace} from '../../trace.js';
import {RA1_SUCCESS} from './layout.js';

/** Tracks 1 and 2, and the highest character code of each: 6 bits and 4 bits. */
const RAW_TRACKS = [rawTrack('track 1', 0x3f), rawTrack('track 2', 0x0f)] as const;
const STATUS_WORD = recordField('SW1 SW2');

function rawTrack(name: string, highest: number) {
  const code = recordField(`${name} code`, {
    meaning: ([value = 0]) => (value === 0 ? 'success' : `failed: ${hexByte(value)}`),
  });
  const length = recordField(`${name} length`, {meaning: (bytes) => String(uint16Of(bytes))});
  return {name, highest, code, length, codes: recordField(name)};
}

/**
 * Reads the response to a swipe command: for tracks 1 and 2 a code, a length and raw character
 * codes, then SW1 SW2 (docs/terminals/ingenico.md#ra1). Its content is format-preserving ciphertext,
 * so that a valid response is refused with 2111.
 *
 * Throws 2100 if the layout is invalid or the command failed, 2102 if the response is too short.
 */
export function readRa1(payload: string, trace: Trace): Reading {
  const bytes = payloadBytes(payload);
  // Whether a failed track still has a length field is not documented.
  readResponse(bytes, isSwipeResponse(bytes, true) || !isSwipeResponse(bytes, false), trace);
  const refusal = new PaylensError(2111, 'On-Guard FPE (format-preserving encryption of Ingenico)');
  return {form: 'RA1 swipe response', mode: 'swiped', candidates: [[]], refusal};
}

function isSwipeResponse(bytes: Uint8Array, failedHaveLength: boolean): boolean {
  try {
    readResponse(bytes, failedHaveLength, new Trace({recording: false}));
    return true;
  } catch {
    return false;
  }
}

function readResponse(bytes: Uint8Array, failedHaveLength: boolean, trace: Trace): void {
  const frame = {text: latin1Of(bytes), form: 'binary', bytes, base: 0, depth: 0} as const;
  const cursor = new RecordCursor(frame, trace);
  const lengths = RAW_TRACKS.map((track) => readRawTrack(track, cursor, failedHaveLength));
  const {offset, remaining} = cursor;
  const status = upperHexOf(cursor.bytes(Math.max(2, remaining), STATUS_WORD));
  if (status !== RA1_SUCCESS) {
    const detail = `SW1 SW2 at byte ${offset}: expected 9000 and the end, found ${status.slice(0, 4)}`;
    throw new PaylensError(2100, detail);
  }
  if (Math.max(...lengths) === 0) throw new PaylensError(2100, 'the response contains no track');
}

/** Reads one track, and returns how many characters it has. */
function readRawTrack(
  track: (typeof RAW_TRACKS)[number],
  cursor: RecordCursor,
  failedHaveLength: boolean,
): number {
  const {name, highest} = track;
  const code = cursor.byte(track.code);
  if (code !== 0 && !failedHaveLength) return 0;
  const length = uint16Of(cursor.bytes(2, track.length));
  if (code !== 0 && length > 0)
    throw new PaylensError(2100, `${name}: code ${hexByte(code)} with a length of ${length}`);
  const {offset} = cursor;
  const stray = cursor.frame.bytes
    ?.subarray(offset, offset + length)
    .findIndex((byte) => byte > highest);
  if (stray !== undefined && stray >= 0) {
    throw new PaylensError(
      2100,
      `${name} at byte ${offset + stray}: expected a magnetic stripe code up to ${hexByte(highest)}`,
    );
  }
  if (length > 0) cursor.bytes(length, track.codes);
  return length;
}

function uint16Of([high = 0, low = 0]: Uint8Array): number {
  return high * 256 + low;
}
