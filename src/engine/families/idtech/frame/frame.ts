import {PaylensError} from '../../../../contract/paylens-error.js';
import {
  bytesFromHex,
  hexByte,
  hexByteAt,
  isHex,
  isLatin1,
  latin1Of,
} from '../../../../platform/bytes.js';
import {severalReads} from '../../../forms/one-read.js';
import {halfByte} from '../../../forms/payload-bytes.js';
import {type FrameForm, type FrameText, RecordCursor} from '../../../forms/record-cursor.js';
import type {Trace} from '../../../trace.js';
import {FIELDS} from '../layout.js';

const STX = 0x02;
const ETX = 0x03;
/** STX, two length bytes; LRC, CheckSum, ETX. */
const ENVELOPE_BYTES = 6;

/**
 * Determines the form of a swipe frame: binary, hex of the binary, or keyboard text. A character
 * that is not a hex digit means keyboard text. Text that is all hex is tried both ways, first by
 * its length, then by LRC and CheckSum (docs/terminals/idtech.md#binary-and-keyboard-text).
 *
 * Throws 2100 if the payload does not begin with STX, 2102 on an odd number of hex digits.
 */
export function findFrame(payload: string): FrameText {
  if (payload.charCodeAt(0) === STX) return binaryFrame(payload);
  const whole = bytesFromHex(payload);
  if (whole) return hexFrame(payload, whole);
  const compact = payload.replaceAll(/\s/g, '');
  if (isHex(compact)) return hexFrame(compact, bytesFromHex(compact));
  const text = payload.trim();
  if (text.startsWith('02')) return {text, form: 'keyboard', base: 0, depth: 0};
  throw missingStx(text);
}

/**
 * Reads STX and the length, checks LRC, CheckSum, ETX and the trailing bytes, and returns a cursor over
 * the card data. LRC and CheckSum cover the card data as sent: bytes, or characters.
 *
 * Throws 2102 if there is less data than the length states. Mismatches are recorded in the trace.
 */
export function openFrame(frame: FrameText, trace: Trace): RecordCursor {
  if (frame.form === 'keyboard') trace.unit = 'character';
  const cursor = new RecordCursor(frame, trace);
  cursor.byte(FIELDS.stx);
  const length = littleEndian(cursor.bytes(2, FIELDS.length));
  const tail = cursor.units(ENVELOPE_BYTES / 2);
  if (cursor.remaining < length + tail) {
    throw new PaylensError(
      2102,
      `the length at ${trace.unit} ${frame.base + cursor.units(1)} indicates ${length}, but only ${Math.max(0, cursor.remaining - tail)} ${trace.unit}s of card data follow`,
    );
  }
  assertTrailer(frame, cursor.position, length, trace);
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

function binaryFrame(payload: string): FrameText {
  if (isLatin1(payload)) return {text: payload, form: 'binary', base: 0, depth: 0};
  throw new PaylensError(2100, 'expected a binary frame, found characters above U+00FF');
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
  return new PaylensError(2100, `expected STX (02) at offset 0, found ${printable(found)}`, lost);
}

function printable(text: string): string {
  return /^[\x21-\x7e]*$/.test(text) ? `"${text}"` : `${hexByte(text.charCodeAt(0) & 0xff)}`;
}

/** True if the length is exactly the number of characters, and ETX is at the end. */
function endsLikeKeyboard(compact: string): boolean {
  const length = declaredLength(compact, 'keyboard');
  return compact.length === length + 2 * ENVELOPE_BYTES && compact.endsWith('03');
}

function hasTrailer(frame: FrameText): boolean {
  const units = frame.form === 'keyboard' ? 2 : 1;
  const start = 3 * units;
  const end = start + declaredLength(frame.text, frame.form);
  if (frame.text.length < end + start || !isZeros(frame, end + start)) return false;
  const {lrc, sum} = trailerSums(frame, start, end);
  const tail = [0, 1, 2].map((i) => unitValue(frame, end + i * units));
  return tail[0] === lrc && tail[1] === sum && tail[2] === ETX;
}

function assertTrailer(frame: FrameText, start: number, length: number, trace: Trace): void {
  const units = frame.form === 'keyboard' ? 2 : 1;
  const end = start + length;
  const {lrc, sum} = trailerSums(frame, start, end);
  const offset = frame.base + end;
  const found = (index: number) => {
    const value = unitValue(frame, end + index * units);
    return value < 0 ? 'no hex digits' : hexByte(value);
  };
  trace.check('LRC', offset, hexByte(lrc), found(0));
  trace.check('CheckSum', offset + units, hexByte(sum), found(1));
  trace.check('ETX', offset + 2 * units, hexByte(ETX), found(2));
  const behind = end + 3 * units;
  if (behind < frame.text.length) {
    assertOneFrame(frame, behind);
    const ok = isZeros(frame, behind);
    const place = frame.base + behind;
    trace.check('end of frame', place, 'nothing or zeros', ok ? 'zeros' : 'other data', ok);
  }
}

function trailerSums(
  {text, bytes}: FrameText,
  start: number,
  end: number,
): {lrc: number; sum: number} {
  let lrc = 0;
  let sum = 0;
  if (bytes) {
    for (let i = start; i < end; i++) {
      const byte = bytes[i] ?? 0;
      lrc ^= byte;
      sum += byte;
    }
    return {lrc, sum: sum & 0xff};
  }
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    lrc ^= code;
    sum += code;
  }
  return {lrc: lrc & 0xff, sum: sum & 0xff};
}

/** Trailing data may be a second frame, with or without a line ending before it. Throws 2100. */
function assertOneFrame({text, form}: FrameText, behind: number): void {
  const at = behind + (/^\s*/.exec(text.slice(behind))?.[0].length ?? 0);
  const second: FrameText = {text: text.slice(at), form, base: 0, depth: 0};
  const start = form === 'keyboard' ? 6 : 3;
  const end = start + declaredLength(second.text, form);
  if (unitValue(second, 0) !== STX || second.text.length < end + start) return;
  if (hasTrailer({...second, text: second.text.slice(0, end + start)})) {
    throw severalReads(`a second frame begins at offset ${at}`);
  }
}

/** The byte at an index of the text; -1 where keyboard text is not hex. */
function unitValue({text, form}: FrameText, at: number): number {
  if (form === 'binary') return text.charCodeAt(at);
  return hexByteAt(text, at);
}

function declaredLength(text: string, form: FrameForm): number {
  const frame = {text, form, base: 0, depth: 0};
  const units = form === 'keyboard' ? 2 : 1;
  return unitValue(frame, units) + unitValue(frame, 2 * units) * 256;
}

function isZeros({text, form}: FrameText, from: number): boolean {
  const zero = form === 'keyboard' ? 0x30 : 0;
  for (let i = from; i < text.length; i++) if (text.charCodeAt(i) !== zero) return false;
  return true;
}

function littleEndian([low = 0, high = 0]: Uint8Array): number {
  return high * 256 + low;
}
