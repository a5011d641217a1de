import {foundHex} from '../../../../contract/found-hex.js';
import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, hexByte} from '../../../../platform/bytes.js';
import {crc16} from '../../../forms/crc16.js';
import {severalReads} from '../../../forms/one-read.js';
import type {Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {statusOf} from './status.js';
import {
  AT,
  FIELDS,
  MAX_STRING_FIELDS,
  NO_FIELD,
  splitFields,
  type TextField,
} from './string-layout.js';
import {swipeReading, textTracks} from './swipe.js';

/** True for text that begins as a V5 string does: masked tracks, a status, and hex or nothing. */
export function isString(text: string): boolean {
  return /^\s*(?:[^\dA-Za-z{[<\s|"'][^|]*)?\|[\dA-F]{4}(?:\|[\dA-F]*){0,3}(?:\||$)/i.test(text);
}

/** True for text with `|` and a field of 20 hex digits. */
export function hasKsnField(text: string): boolean {
  return text.includes('|') && text.split('|').some((one) => TDES_KSN.test(one.trim()));
}

const TDES_KSN = /^[\dA-F]{20}$/i;

/**
 * Reads a MagneSafe V5 string, in which every track has its own CBC chain
 * (docs/terminals/magtek.md#the-v5-string). A CRC that does not match is an error only if the tracks
 * do not open: software collapses the spaces of the masked name. Without `checksCrc` it is not checked.
 *
 * Throws 2100 if a field is malformed or no track is encrypted, 2102 if a track is not whole blocks
 * or the string ends before its KSN, 2400 if the KSN is malformed.
 */
export function readString(sent: string, trace: Trace, {checksCrc = true} = {}): Reading {
  trace.unit = 'character';
  const payload = sent.includes('x') ? sent.replace(FILL, '') : sent;
  const extra = Math.max(payload.split('|').length - FIELDS.length, 0);
  const names = FIELDS.toSpliced(AT.crc, 0, ...FURTHER_FIELDS.slice(0, extra));
  const fields = splitFields(payload, trace, names);
  const {length: offset} = payload;
  const length = sent.length - offset;
  if (length > 0) trace.note({offset, length, depth: 0, name: 'fill', value: 'x'});
  const foreign = fields.find(isForeign);
  if (foreign)
    throw severalReads(`the content at character ${foreign.offset} belongs to another string`);
  assertWholeCode(fields);
  return swipeReading({
    form: 'MagneSafe V5 string',
    status: readStatus(fields[AT.status]),
    ksn: readKsn(fields),
    tracks: textTracks((number) => fields[AT.tracks + number - 1]),
    masked: fields[AT.masked]?.text ?? '',
    serial: fields[AT.serial]?.text,
    doubt: checksCrc ? doubtfulCrc(payload, fields, trace) : undefined,
  });
}

/** An iDynamo sends blocks of 500 characters and fills the last one. */
const FILL = /(?<=\|[\dA-F]{4}\r?\n?)x+\s*$/;

/** Between KSN and CRC a format may have them. */
const FURTHER_FIELDS = [{name: 'encryption counter'}, {name: 'unknown'}, {name: 'unknown'}];

/** Masked tracks are enclosed in sentinels. */
const MASKED_TRACKS = /^(?:[^\dA-Za-z{[<\s"'].*\?)?$/s;
/** What may follow the KSN; the last field may run into the beginning of the next swipe. */
const SHORT_NUMBER = /^[\dA-F]{0,32}$/i;
const LAST_FIELD = /^[\dA-F]{0,32}(?:[^\dA-F"']{1,2}[A-Z]?)?$/i;

/** Short numbers follow the KSN; another KSN, or more of them, are of a second string. */
function isForeign({text}: TextField, i: number, {length}: readonly TextField[]): boolean {
  if (i === AT.masked) return !MASKED_TRACKS.test(text);
  if (i <= AT.ksn) return false;
  const form = i === length - 1 ? LAST_FIELD : SHORT_NUMBER;
  return i >= MAX_STRING_FIELDS || TDES_KSN.test(text) || !form.test(text);
}

/** The format code is the last field; software may leave it empty. */
function assertWholeCode(fields: readonly TextField[]): void {
  const {text, offset} = fields.at(-1) ?? NO_FIELD;
  if (fields.length <= AT.format || /^(?:$|[\dA-F]{4})/i.test(text)) return;
  const detail = `format code at character ${offset}: expected 4 digits, found ${foundHex(text)}`;
  throw new PaylensError(2102, detail);
}

function readStatus({text, offset}: TextField = NO_FIELD): number | undefined {
  const status = statusOf(text, true);
  if (status !== undefined || text === '') return status;
  throw new PaylensError(2100, `status at character ${offset}: expected 4 hex digits`);
}

/** The KSN; an empty one may be given by the request. */
function readKsn(fields: readonly TextField[]): string | undefined {
  const {text, offset} = fields[AT.ksn] ?? {};
  if (text === undefined) {
    const detail = `expected the KSN in field ${AT.ksn + 1}, found ${fields.length} fields`;
    throw new PaylensError(2102, detail);
  }
  if (text === '' || TDES_KSN.test(text)) return text || undefined;
  const isLast = fields.length === AT.ksn + 1 && /^[\dA-F]*$/i.test(text);
  const detail = `KSN at character ${offset}: expected 20 hex digits, found ${foundHex(text)}`;
  throw new PaylensError(isLast ? 2102 : 2400, detail);
}

/** The error of a wrong CRC, which runs from the first masked track to the separator before it. */
function doubtfulCrc(payload: string, fields: readonly TextField[], trace: Trace) {
  const at = fields.length - CRC_FROM_END;
  const {text, offset} = (at > AT.ksn ? fields[at] : undefined) ?? NO_FIELD;
  if (text === '') return undefined;
  const crc = crcOf(payload.slice(0, offset).trimStart());
  return trace.doubt('CRC', offset, crc, text.toUpperCase());
}

/** The encrypted CRC and the format code follow it. */
const CRC_FROM_END = 3;

/** The CRC of a string in hex, low byte first; `error`: bits to invert in it. */
export function crcOf(text: string, error = 0): string {
  const crc = crc16(bytesFromLatin1(text)) ^ error;
  return hexByte(crc & 0xff) + hexByte(crc >> 8);
}
