import {PaylensError} from '../../../../contract/paylens-error.js';
import {latin1Of, upperHexOf} from '../../../../platform/bytes.js';
import type {Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {severalReads} from '../../shared/one-read.js';
import {statusMeaning} from './status.js';
import type {FieldName} from './string-layout.js';
import {type SentTrack, swipeReading} from './swipe.js';

/** A field of the report, and its length in bytes. */
interface ReportField extends FieldName {
  readonly bytes: number;
}

export const REPORT_TRACK_BYTES = 112;

/** The fields of an HID report in order (docs/formats/magtek.md#the-hid-report). */
export const REPORT_FIELDS: readonly ReportField[] = [
  ...three((track) => ({name: `decode status of ${track}`, bytes: 1})),
  ...three((track) => ({name: `encrypted length of ${track}`, bytes: 1})),
  {name: 'card type', bytes: 1},
  ...three((track) => ({
    name: `${track} encrypted`,
    bytes: REPORT_TRACK_BYTES,
    sensitivity: 'opaque',
  })),
  {name: 'card status', bytes: 1},
  {name: 'MagnePrint status', bytes: 4, sensitivity: 'opaque'},
  {name: 'length of MagnePrint', bytes: 1},
  {name: 'MagnePrint encrypted', bytes: 128, sensitivity: 'opaque'},
  {name: 'serial number', bytes: 16, sensitivity: 'harmless'},
  {name: 'reader status', bytes: 2},
  {name: 'KSN', bytes: 10, sensitivity: 'harmless'},
  ...three((track) => ({name: `length of masked ${track}`, bytes: 1})),
  ...three((track) => ({name: `masked ${track}`, bytes: REPORT_TRACK_BYTES})),
  {name: 'session ID encrypted', bytes: 8, sensitivity: 'opaque'},
  ...three((track) => ({name: `length of ${track}`, bytes: 1})),
  {name: 'plaintext length of MagnePrint', bytes: 1},
  {name: 'encryption counter', bytes: 3},
  {name: 'version', bytes: 8},
  {name: 'SHA-1 of track 2', bytes: 20, sensitivity: 'opaque'},
  {name: 'version of the report', bytes: 1},
  {name: 'SHA-256 of track 2', bytes: 32, sensitivity: 'opaque'},
  {name: 'KSN of MagnePrint', bytes: 10, sensitivity: 'harmless'},
  {name: 'battery', bytes: 1},
];

function three(field: (track: string) => ReportField): ReportField[] {
  return ['track 1', 'track 2', 'track 3'].map(field);
}

/** Offsets that the reader uses; those of track 1 where each track has one. */
export const REPORT_AT = {
  lengths: 3,
  cardType: 6,
  tracks: 7,
  serial: 477,
  status: 493,
  ksn: 495,
  maskedLengths: 505,
  masked: 508,
  absoluteLengths: 852,
  version: 859,
  hash: 867,
} as const;

export const REPORT_BYTES = 856;
/** Where the fields of a report may end: later readers append some. */
const ENDS: readonly number[] = endsOf(REPORT_FIELDS).filter((end) => end >= REPORT_BYTES);

function endsOf(fields: readonly ReportField[]): number[] {
  let end = 0;
  return fields.map(({bytes}) => {
    end += bytes;
    return end;
  });
}

/** True if a report ends with a field, or with zeros after one, and its version is text. */
function endsWithField(report: Uint8Array): boolean {
  if (report.length > MOST_BYTES) return false;
  const version = latin1Of(report.subarray(REPORT_AT.version, REPORT_AT.hash));
  if (!/^[\x20-\x7e]*\0*$/.test(version)) return false;
  const end = ENDS.findLast((one) => one <= report.length) ?? REPORT_BYTES;
  return report.subarray(end).every((byte) => byte === 0);
}

const MOST_BYTES = 1024;

/** Where the report begins: behind a report id or not. Undefined if it is no report. */
export function reportStart(bytes: Uint8Array): 0 | 1 | undefined {
  if (isReport(bytes)) return 0;
  return (bytes[0] ?? 2) <= 1 && isReport(bytes.subarray(1)) ? 1 : undefined;
}

function isReport(bytes: Uint8Array): boolean {
  return bytes.length >= REPORT_BYTES && beginsReport(bytes) && holdsMaskedTracks(bytes);
}

/** True if the status of three tracks and their lengths may be those of a report. */
function beginsReport(bytes: Uint8Array): boolean {
  if (bytes.length <= REPORT_AT.tracks) return false;
  const [one = 2, two = 2, three = 2, ...lengths] = bytes.subarray(0, REPORT_AT.cardType);
  return (
    [one, two, three].every((status) => status <= 1) &&
    lengths.every((length) => length <= REPORT_TRACK_BYTES) &&
    lengths.some((length) => length > 0) &&
    (bytes[REPORT_AT.cardType] ?? 9) <= 5
  );
}

function holdsMaskedTracks(bytes: Uint8Array): boolean {
  return [0, 1, 2].every((i) => {
    const length = bytes[REPORT_AT.maskedLengths + i] ?? 0;
    const first = String.fromCharCode(bytes[REPORT_AT.masked + i * REPORT_TRACK_BYTES] ?? 0);
    return length === 0 || (length <= REPORT_TRACK_BYTES && /[%;+#&@]/.test(first));
  });
}

/**
 * Reads an HID report. Throws 2100 if it is none, or several; 2102 if it is too short or a track is
 * not whole blocks.
 */
export function readReport(bytes: Uint8Array, trace: Trace): Reading {
  const start = reportStart(bytes);
  if (start === undefined) throw noReport(bytes);
  const report = bytes.subarray(start);
  if (!endsWithField(report)) {
    throw severalReads(`the bytes at the end of ${report.length} are not a field of an HID report`);
  }
  if (start === 1) note(trace, bytes, {name: 'report id', bytes: 1}, 0);
  noteFields(trace, bytes, start);
  const serial = latin1Of(report.subarray(REPORT_AT.serial, REPORT_AT.status)).replace(/\0+$/, '');
  const ksn = upperHexOf(report.subarray(REPORT_AT.ksn, REPORT_AT.maskedLengths));
  return swipeReading({
    form: 'HID report',
    tracks: ([1, 2, 3] as const).map((number) => sentTrack(report, number, start)),
    masked: maskedTrack(report, 0) + maskedTrack(report, 1),
    ksn,
    serial: /^[\x20-\x7e]*$/.test(serial) ? serial.trim() : '',
    status: statusOf(report),
  });
}

function noReport(bytes: Uint8Array): PaylensError {
  const isShort =
    bytes.length < REPORT_BYTES && (beginsReport(bytes) || beginsReport(bytes.subarray(1)));
  if (!isShort) return new PaylensError(2100, 'none of the forms of MagTek readers');
  return new PaylensError(
    2102,
    `HID report: expected ${REPORT_BYTES} bytes, found ${bytes.length}`,
  );
}

function statusOf(report: Uint8Array): number {
  return ((report[REPORT_AT.status] ?? 0) << 8) | (report[REPORT_AT.status + 1] ?? 0);
}

function sentTrack(report: Uint8Array, number: 1 | 2 | 3, start: number): SentTrack {
  const at = REPORT_AT.tracks + (number - 1) * REPORT_TRACK_BYTES;
  const bytes = report.subarray(at, at + (report[REPORT_AT.lengths + number - 1] ?? 0));
  const length = report[REPORT_AT.absoluteLengths + number - 1] ?? 0;
  return {number, bytes, offset: at + start, ...(length > 0 ? {length} : {})};
}

function maskedTrack(report: Uint8Array, i: number): string {
  const at = REPORT_AT.masked + i * REPORT_TRACK_BYTES;
  return latin1Of(report.subarray(at, at + (report[REPORT_AT.maskedLengths + i] ?? 0)));
}

function noteFields(trace: Trace, bytes: Uint8Array, start: number): void {
  let at: number = start;
  for (const field of REPORT_FIELDS) {
    note(trace, bytes, field, at);
    at += field.bytes;
  }
  note(trace, bytes, {name: 'unknown field', bytes: bytes.length - at}, at);
}

/** A track is its ciphertext; what follows it in its field is another part. */
function note(
  trace: Trace,
  bytes: Uint8Array,
  {name, bytes: count, sensitivity}: ReportField,
  at: number,
) {
  const value = bytes.subarray(at, at + count);
  if (value.length === 0) return;
  const text = latin1Of(value);
  const shown = /^[\x20-\x7e]{4,}\0*$/.test(text) ? {text: text.replace(/\0+$/, '')} : {};
  const status =
    name === 'reader status'
      ? {meaning: statusMeaning(((value[0] ?? 0) << 8) | (value[1] ?? 0))}
      : {};
  trace.note({
    ...{offset: at, length: value.length, depth: 0, name, value: upperHexOf(value)},
    ...shown,
    ...status,
    ...(sensitivity ? {sensitivity} : {}),
  });
}
