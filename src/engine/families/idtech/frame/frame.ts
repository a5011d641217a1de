import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromHex, hexByte, hexByteAt, isLatin1, latin1Of} from '../../../../platform/bytes.js';
import {severalReads} from '../../../forms/one-read.js';
import {compactHex, halfByte} from '../../../forms/payload-bytes.js';
import {type FrameForm, type FrameText, RecordCursor} from '../../../forms/record-cursor.js';
import type {Trace} from '../../../trace.js';
import {FIELDS} from '../layout.js';

/** The first and the last byte of a frame. */
export const [FRAME_START, FRAME_END] = [0x02, 0x03] as const;
/** STX and two length bytes before the card data; LRC, CheckSum and ETX after it. */
export const ENVELOPE_BYTES = 6;

/**
 * Determines the form of a swipe frame: binary, hex of the binary, or keyboard text. A character
 * that is not a hex digit means keyboard text. Text that is all hex is tried both ways, first by
 * its length, then by LRC and CheckSum (docs/terminals/idtech.md#binary-and-keyboard-text).
 *
 * Throws 2100 if the payload does not begin with STX, 2102 on an odd number of hex digits.
 */
export function findFrame(payload: string): FrameText {
  if (payload.charCodeAt(0) === FRAME_START) {
    if (isLatin1(payload)) return {text: payload, form: 'binary', base: 0, depth: 0};
    throw new PaylensError(2100, 'expected a binary frame, found characters above U+00FF');
  }
  const whole = bytesFromHex(payload);
  if (whole) return hexFrame(payload, whole);
  const compact = compactHex(payload);
  if (compact !== undefined) return hexFrame(compact, bytesFromHex(compact));
  const text = payload.trim();
  if (text.startsWith('02')) return {text, form: 'keyboard', base: 0, depth: 0};
  throw missingStx(text);
}

/**
 * Reads STX and the length, checks LRC, CheckSum, ETX and the trailing bytes, and returns a cursor over
 * the card data. LRC and CheckSum cover the card data as sent: bytes, or characters. Mismatches are
 * recorded in the trace.
 *
 * Cuts the trace (2102) if there is less data than the length states.
 */
export function openFrame(frame: FrameText, trace: Trace): RecordCursor {
  if (frame.form === 'keyboard') trace.unit = 'character';
  const cursor = new RecordCursor(frame, trace);
  cursor.byte(FIELDS.stx);
  const stated = cursor.bytes(2, FIELDS.length);
  const length = (stated[0] ?? 0) + (stated[1] ?? 0) * 256;
  const tail = cursor.units(ENVELOPE_BYTES / 2);
  if (cursor.remaining < length + tail) {
    const detail = `the length at ${trace.unit} ${frame.base + cursor.units(1)} indicates ${length}, but only ${Math.max(0, cursor.remaining - tail)} ${trace.unit}s of card data follow`;
    trace.cut(new PaylensError(2102, detail));
    if (cursor.remaining > length) cursor.limit(length);
    return cursor;
  }
  checkTrailer(frame, length, trace);
  cursor.limit(length);
  return cursor;
}

/** Reads LRC, CheckSum, ETX and the padding after them, after the card data. */
export function closeFrame(cursor: RecordCursor): void {
  cursor.unlimit();
  cursor.byte(FIELDS.lrc);
  cursor.byte(FIELDS.checksum);
  cursor.byte(FIELDS.etx);
  if (cursor.remaining > 0) cursor.text(cursor.remaining, FIELDS.filler);
}

function hexFrame(compact: string, bytes: Uint8Array | undefined): FrameText {
  if (!compact.startsWith('02')) throw missingStx(compact);
  const keyboard: FrameText = {text: compact, form: 'keyboard', base: 0, depth: 0};
  if (hasTrailer(keyboard)) return keyboard;
  if (bytes) {
    const binary: FrameText = {text: latin1Of(bytes), bytes, form: 'binary', base: 0, depth: 0};
    if (!endsLikeKeyboard(compact) || hasTrailer(binary)) return binary;
    return keyboard;
  }
  if (endsLikeKeyboard(compact)) return keyboard;
  throw halfByte(compact, {
    hint: 'Capture the complete payload: a digit is missing, often the first 0 or the last 3.',
  });
}

function missingStx(text: string): PaylensError {
  const found = text.slice(0, 2);
  const lost = found.startsWith('2')
    ? {hint: 'Captures through a text field often lose the first 0: add it at the start.'}
    : {};
  const isText = /^[\x21-\x7e]*$/.test(found);
  const shown = isText ? `"${found}"` : hexByte(found.charCodeAt(0) & 0xff);
  return new PaylensError(2100, `expected STX (02) at offset 0, found ${shown}`, lost);
}

/** True if the length is exactly the number of characters, and ETX is at the end. */
function endsLikeKeyboard(compact: string): boolean {
  const length = frameLength(compact, 'keyboard');
  return compact.length === length + 2 * ENVELOPE_BYTES && compact.endsWith('03');
}

/** A frame wherever it is in a payload. */
type BareFrame = Pick<FrameText, 'text' | 'form' | 'bytes'>;

/** True if LRC, CheckSum and ETX of a frame are right, and only zeros follow. */
export function hasTrailer(frame: BareFrame): boolean {
  const {text, form} = frame;
  const length = frameLength(text, form);
  const end = length + ENVELOPE_BYTES * unitsPerByte(form);
  if (text.length < end || !isZeros(frame, end)) return false;
  return trailerFits(frame, length, (_name, _offset, expected, found) => expected === found);
}

function checkTrailer(frame: FrameText, length: number, trace: Trace): void {
  const {base, form, text} = frame;
  trailerFits(frame, length, (name, offset, expected, found) => {
    if (found === expected && !trace.checking) return true;
    const shown = found < 0 ? 'no hex digits' : hexByte(found);
    trace.check(name, base + offset, hexByte(expected), shown);
    return true;
  });
  const end = length + ENVELOPE_BYTES * unitsPerByte(form);
  if (end >= text.length) return;
  assertOneFrame(frame, end);
  const ok = isZeros(frame, end);
  trace.check('end of frame', base + end, 'nothing or zeros', ok ? 'zeros' : 'other data', ok);
}

type TrailerCheck = (name: string, offset: number, expected: number, found: number) => boolean;

/** Whether `fits` of every byte after the card data: as it should be, and as it is. */
function trailerFits(frame: BareFrame, length: number, fits: TrailerCheck): boolean {
  const {text, form} = frame;
  const units = unitsPerByte(form);
  const start = (ENVELOPE_BYTES / 2) * units;
  const end = start + length;
  const {lrc, sum} = trailerSums(frame, start, end);
  const sumAt = end + units;
  const etxAt = sumAt + units;
  return (
    fits('LRC', end, lrc, unitValue(text, form, end)) &&
    fits('CheckSum', sumAt, sum, unitValue(text, form, sumAt)) &&
    fits('ETX', etxAt, FRAME_END, unitValue(text, form, etxAt))
  );
}

/** LRC and CheckSum of card data: bytes, or characters. */
export function trailerSums(
  {text, bytes}: Pick<FrameText, 'text' | 'bytes'>,
  start: number,
  end: number,
): {lrc: number; sum: number} {
  let lrc = 0;
  let sum = 0;
  for (let i = start; i < end; i++) {
    const code = bytes ? (bytes[i] ?? 0) : text.charCodeAt(i);
    lrc ^= code;
    sum += code;
  }
  return {lrc: lrc & 0xff, sum: sum & 0xff};
}

/** Trailing data may be a second frame, with or without a line ending before it. Throws 2100. */
function assertOneFrame({text, form}: FrameText, end: number): void {
  const at = text.length - text.slice(end).trimStart().length;
  const second: BareFrame = {text: text.slice(at), form};
  const secondEnd = frameLength(second.text, form) + ENVELOPE_BYTES * unitsPerByte(form);
  if (unitValue(second.text, form, 0) !== FRAME_START || second.text.length < secondEnd) return;
  if (!hasTrailer({...second, text: second.text.slice(0, secondEnd)})) return;
  throw severalReads(`a second frame begins at offset ${at}`);
}

/** The byte at an index of the text; -1 where keyboard text is not hex. */
function unitValue(text: string, form: FrameForm, at: number): number {
  return form === 'binary' ? text.charCodeAt(at) : hexByteAt(text, at);
}

/** The length that a frame states, in units. */
export function frameLength(text: string, form: FrameForm): number {
  const units = unitsPerByte(form);
  return unitValue(text, form, units) + unitValue(text, form, 2 * units) * 256;
}

function unitsPerByte(form: FrameForm): 1 | 2 {
  return form === 'keyboard' ? 2 : 1;
}

function isZeros({text, form}: BareFrame, from: number): boolean {
  const zero = form === 'keyboard' ? 0x30 : 0;
  for (let i = from; i < text.length; i++) if (text.charCodeAt(i) !== zero) return false;
  return true;
}
