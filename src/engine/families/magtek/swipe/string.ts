import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, hexByte} from '../../../../platform/bytes.js';
import {crc16} from '../../../forms/crc16.js';
import type {Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {assertOneString} from './borrowed-string.js';
import {statusOf} from './status.js';
import {AT, FIELDS, type Field, type FieldName, splitFields} from './string-layout.js';
import {swipeReading, trackBytes} from './swipe.js';

/** True for text that begins as a V5 string does: masked tracks, a status, and hex or nothing. */
export function isString(text: string): boolean {
  return /^\s*(?:[^\dA-Za-z{[<\s|"'][^|]*)?\|[\dA-F]{4}(?:\|[\dA-F]*){0,3}(?:\||$)/i.test(text);
}

/**
 * Reads a MagneSafe V5 string, in which every track has its own CBC chain
 * (docs/terminals/magtek.md#the-v5-string). A CRC that does not match is an error only if the tracks
 * do not open: software collapses the spaces of the masked name.
 *
 * Throws 2100 if a field is malformed or no track is encrypted, 2102 if a track is not whole blocks
 * or the string ends before its KSN, 2400 if the KSN is malformed.
 */
export function readString(sent: string, trace: Trace): Reading {
  trace.unit = 'character';
  const payload = sent.includes('x') ? sent.replace(FILL, '') : sent;
  const count = payload.split('|').length;
  const fields = splitFields(payload, trace, namesOf(count));
  noteFill(payload, sent, trace);
  assertOneString(fields);
  const status = assertStatus(fields[AT.status]);
  const ksn = assertKsn(fields);
  return swipeReading({
    form: 'MagneSafe V5 string',
    tracks: ([1, 2, 3] as const).map((number) => trackAt(fields[AT.tracks + number - 1], number)),
    masked: fields[AT.masked]?.text ?? '',
    ksn,
    serial: fields[AT.serial]?.text,
    status,
    doubt: checkCrc(payload, fields, trace),
  });
}

/** An iDynamo sends blocks of 500 characters and fills the last one. */
const FILL = /(?<=\|[\dA-F]{4}\r?\n?)x+\s*$/;

function noteFill({length: offset}: string, {length: end}: string, trace: Trace): void {
  if (end === offset) return;
  trace.note({offset, length: end - offset, depth: 0, name: 'fill', value: 'x'});
}

/** Between KSN and CRC a format may have a counter and further fields. */
function namesOf(count: number): FieldName[] {
  const extra = count - FIELDS.length;
  const further: FieldName[] = [{name: 'encryption counter'}, {name: 'unknown'}, {name: 'unknown'}];
  const tail = AT.ksn + 1;
  return [...FIELDS.slice(0, tail), ...further.slice(0, Math.max(extra, 0)), ...FIELDS.slice(tail)];
}

function assertStatus(field: Field | undefined): number | undefined {
  const {text = '', offset = 0} = field ?? {};
  const status = statusOf(text, true);
  if (status !== undefined || text === '') return status;
  throw new PaylensError(2100, `status at character ${offset}: expected 4 hex digits`);
}

/** An empty one may be given by the request. */
function assertKsn(fields: readonly Field[]): string | undefined {
  const field = fields[AT.ksn];
  if (!field) {
    const detail = `expected the KSN in field ${AT.ksn + 1}, found ${fields.length} fields`;
    throw new PaylensError(2102, detail);
  }
  if (/^(?:[0-9a-f]{20})?$/i.test(field.text)) return field.text || undefined;
  const isLast = fields.length === AT.ksn + 1 && /^[0-9a-f]*$/i.test(field.text);
  const detail = `KSN at character ${field.offset}: expected 20 hex digits, found ${field.text.length} characters`;
  throw new PaylensError(isLast ? 2102 : 2400, detail);
}

function trackAt(field: Field | undefined, number: 1 | 2 | 3) {
  const {text = '', offset = 0} = field ?? {};
  return {number, offset, bytes: trackBytes(number, text, offset)};
}

/** The CRC runs from the first masked track to the separator before it. */
function checkCrc(payload: string, fields: readonly Field[], trace: Trace) {
  const at = fields.length - CRC_FROM_END;
  const field = at > AT.ksn ? fields[at] : undefined;
  if (!field || field.text === '') return undefined;
  const expected = crcOf(payload.slice(0, field.offset).trimStart());
  return trace.doubt('CRC', field.offset, expected, field.text.toUpperCase());
}

/** The encrypted CRC and the format code follow it. */
const CRC_FROM_END = 3;

/** The CRC of a string in hex, low byte first; `error`: bits to invert in it. */
export function crcOf(text: string, error = 0): string {
  const crc = crc16(bytesFromLatin1(text)) ^ error;
  return hexByte(crc & 0xff) + hexByte(crc >> 8);
}
