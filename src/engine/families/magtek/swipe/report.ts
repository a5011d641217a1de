import {PaylensError} from '../../../../contract/paylens-error.js';
import {latin1Of, upperHexOf} from '../../../../platform/bytes.js';
import {withoutEnd} from '../../../../platform/without-end.js';
import {severalReads} from '../../../forms/one-read.js';
import type {Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {statusMeaning} from './status.js';
import {declareFields, type FieldName, field} from './string-layout.js';
import {type CipherTrack, swipeReading} from './swipe.js';

/** A field of the report, and its length in bytes. */
interface ReportField extends FieldName {
  readonly bytes: number;
}

export const REPORT_TRACK_BYTES = 112;

function sized(bytes: number, fields: readonly FieldName[]): readonly ReportField[] {
  return fields.map((one) => ({...one, bytes}));
}

/** The fields of an HID report in order, and their offsets (docs/terminals/magtek.md#the-hid-report). */
const REPORT = declareFields(
  {
    decodeStatus: sized(1, field('decode status of *')),
    lengths: sized(1, field('encrypted length of *')),
    cardType: sized(1, field('card type')),
    tracks: sized(REPORT_TRACK_BYTES, field('* encrypted', 'opaque')),
    cardStatus: sized(1, field('card status')),
    printStatus: sized(4, field('MagnePrint status', 'opaque')),
    printLength: sized(1, field('length of MagnePrint')),
    print: sized(128, field('MagnePrint encrypted', 'opaque')),
    serial: sized(16, field('serial number', 'harmless')),
    status: sized(2, field('reader status')),
    ksn: sized(10, field('KSN', 'harmless')),
    maskedLengths: sized(1, field('length of masked *')),
    masked: sized(REPORT_TRACK_BYTES, field('masked *')),
    session: sized(8, field('session ID encrypted', 'opaque')),
    absoluteLengths: sized(1, field('length of *')),
    printPlainLength: sized(1, field('plaintext length of MagnePrint')),
    counter: sized(3, field('encryption counter')),
    version: sized(8, field('version')),
    hash: sized(20, field('SHA-1 of track 2', 'opaque')),
    reportVersion: sized(1, field('version of the report')),
    hash256: sized(32, field('SHA-256 of track 2', 'opaque')),
    printKsn: sized(10, field('KSN of MagnePrint', 'harmless')),
    battery: sized(1, field('battery')),
  },
  ({bytes}) => bytes,
);

/** The fields of a report, and the offset of the first one of each role. */
export const {fields: REPORT_FIELDS, at: REPORT_AT} = REPORT;

/** The first version of the report ends before the counter. */
export const REPORT_BYTES = REPORT_AT.counter;
const MAX_REPORT_BYTES = 1024;
/** Where the fields of a report may end: later readers append some. */
const ENDS = [...Object.values(REPORT_AT), REPORT.end].filter((end) => end >= REPORT_BYTES);

/** Where the report begins: after a report id or not. Undefined if it is not a report. */
export function reportStart(bytes: Uint8Array): 0 | 1 | undefined {
  if (isReport(bytes)) return 0;
  return (bytes[0] ?? 2) <= 1 && isReport(bytes.subarray(1)) ? 1 : undefined;
}

function isReport(bytes: Uint8Array): boolean {
  return bytes.length >= REPORT_BYTES && beginsReport(bytes) && hasMaskedTracks(bytes);
}

/** True if the status of three tracks and their lengths may be those of a report. */
function beginsReport(bytes: Uint8Array): boolean {
  if (bytes.length <= REPORT_AT.tracks) return false;
  const statuses = bytes.subarray(REPORT_AT.decodeStatus, REPORT_AT.lengths);
  const lengths = bytes.subarray(REPORT_AT.lengths, REPORT_AT.cardType);
  return (
    statuses.every((status) => status <= 1) &&
    lengths.every((length) => length <= REPORT_TRACK_BYTES) &&
    lengths.some((length) => length > 0) &&
    (bytes[REPORT_AT.cardType] ?? 0) <= 5
  );
}

function hasMaskedTracks(bytes: Uint8Array): boolean {
  const lengths = bytes.subarray(REPORT_AT.maskedLengths, REPORT_AT.masked);
  return lengths.every((length, i) => {
    const first = String.fromCharCode(bytes[REPORT_AT.masked + i * REPORT_TRACK_BYTES] ?? 0);
    return length === 0 || (length <= REPORT_TRACK_BYTES && /[%;+#&@]/.test(first));
  });
}

/** True if a report ends with a field, or with zeros after one, and its version is text. */
function endsWithField(report: Uint8Array): boolean {
  if (report.length > MAX_REPORT_BYTES) return false;
  const version = latin1Of(report.subarray(REPORT_AT.version, REPORT_AT.hash));
  if (!/^[\x20-\x7e]*\0*$/.test(version)) return false;
  const end = ENDS.findLast((one) => one <= report.length) ?? REPORT_BYTES;
  return report.subarray(end).every((byte) => byte === 0);
}

/**
 * Reads an HID report. Throws 2100 if it is none, or several; 2101 if a track has data and no length;
 * 2102 if it is too short or a track is not whole blocks.
 */
export function readReport(bytes: Uint8Array, trace: Trace): Reading {
  const start = reportStart(bytes);
  if (start === undefined) {
    if (!isCutReport(bytes)) throw new PaylensError(2100, 'none of the forms of MagTek readers');
    noteFields(trace, bytes, beginsReport(bytes) ? 0 : 1);
    const detail = `HID report: expected ${REPORT_BYTES} bytes, found ${bytes.length}`;
    throw new PaylensError(2102, detail);
  }
  const report = bytes.subarray(start);
  if (!endsWithField(report)) {
    throw severalReads(`the bytes at the end of ${report.length} are not a field of an HID report`);
  }
  noteFields(trace, bytes, start);
  const serial = withoutEnd(latin1Of(report.subarray(REPORT_AT.serial, REPORT_AT.status)), /\0/);
  return swipeReading({
    form: 'HID report',
    tracks: ([1, 2, 3] as const).map((number) => trackIn(report, number, start)),
    masked: maskedTrackIn(report, 0) + maskedTrackIn(report, 1),
    ksn: upperHexOf(report.subarray(REPORT_AT.ksn, REPORT_AT.maskedLengths)),
    serial: /^[\x20-\x7e]*$/.test(serial) ? serial.trim() : '',
    status: wordIn(report, REPORT_AT.status),
  });
}

/** True for the beginning of a report. */
export function isCutReport(bytes: Uint8Array): boolean {
  return bytes.length < REPORT_BYTES && (beginsReport(bytes) || beginsReport(bytes.subarray(1)));
}

function wordIn(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** Throws 2101 if a track has no length but data: it was read, and its length is damaged. */
function trackIn(report: Uint8Array, number: 1 | 2 | 3, start: number): CipherTrack {
  const at = REPORT_AT.tracks + (number - 1) * REPORT_TRACK_BYTES;
  const sent = report[REPORT_AT.lengths + number - 1] ?? 0;
  if (sent === 0 && report.subarray(at, at + REPORT_TRACK_BYTES).some((byte) => byte !== 0))
    throw new PaylensError(2101, `track ${number} at ${at + start}: data, but its length is 0`);
  const bytes = report.subarray(at, at + sent);
  const length = report[REPORT_AT.absoluteLengths + number - 1] ?? 0;
  return {number, bytes, offset: at + start, ...(length > 0 ? {length} : {})};
}

function maskedTrackIn(report: Uint8Array, i: number): string {
  const at = REPORT_AT.masked + i * REPORT_TRACK_BYTES;
  return latin1Of(report.subarray(at, at + (report[REPORT_AT.maskedLengths + i] ?? 0)));
}

function noteFields(trace: Trace, bytes: Uint8Array, start: number): void {
  if (!trace.recording) return;
  const id = {name: 'report id', bytes: start};
  const rest = {name: 'unknown field', bytes: MAX_REPORT_BYTES};
  const known: readonly ReportField[] = [id, ...REPORT_FIELDS, rest];
  let offset = 0;
  for (const {name, bytes: count, sensitivity} of known) {
    const value = bytes.subarray(offset, offset + count);
    const {length} = value;
    if (length > 0)
      trace.note({
        ...{offset, length, depth: 0, name, value: upperHexOf(value)},
        ...describeField(name, value),
        ...(sensitivity ? {sensitivity} : {}),
      });
    offset += length;
  }
}

/** A field as text if it is text, and the bits of the status. */
function describeField(name: string, value: Uint8Array): {text?: string; meaning?: string} {
  if (name === 'reader status') return {meaning: statusMeaning(wordIn(value, 0))};
  const [, text] = /^([\x20-\x7e]{4,})\0*$/.exec(latin1Of(value)) ?? [];
  return text === undefined ? {} : {text};
}
