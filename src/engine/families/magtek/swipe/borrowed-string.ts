import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromHex, isHex} from '../../../../platform/bytes.js';
import type {TrackNumber} from '../../../card/lrc.js';
import type {MaskedPan} from '../../../card/masked-pans.js';
import {assertBlocks} from '../../../cipher/block-cipher.js';
import {severalReads} from '../../../forms/one-read.js';
import type {EncryptedField, Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {MAGTEK_SETTING} from '../settings.js';
import {maskedCopies, openTrack} from './open-track.js';
import {
  AT,
  FIELDS,
  type Field,
  LAST,
  MASKED_TRACKS,
  MAX_STRING_FIELDS,
  SHORT_NUMBER,
  splitFields,
} from './string-layout.js';

/** True for text with `|` and a field of 20 hex digits. */
export function isMagtek(payload: string): boolean {
  return payload.includes('|') && payload.split('|').some((text) => isKsn(text.trim()));
}

/**
 * Reads a MagneSafe V5 string as a terminal type of the interface sends it, in which every track
 * has its own CBC chain (docs/terminals/magtek.md#borrowed).
 *
 * Throws 2100 if a field is malformed or no track is encrypted, 2102 if a track is not whole blocks
 * or the string ends before its KSN.
 */
export function readMagtek(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const fields = splitFields(payload, trace, FIELDS);
  assertOneString(fields);
  const ksn = fields[AT.ksn]?.text;
  if (ksn === undefined || ksn === '') {
    throw new PaylensError(
      2102,
      `expected the KSN in field ${AT.ksn + 1}, found ${fields.length} fields`,
    );
  }
  if (!isKsn(ksn)) {
    throw new PaylensError(
      2100,
      `KSN at character ${fields[AT.ksn]?.offset}: expected 20 hex digits`,
    );
  }
  const masked = maskedCopies(fields[AT.masked]?.text ?? '');
  const tracks = ([1, 2, 3] as const).flatMap((number) =>
    trackField(number, fields[AT.tracks + number - 1], ksn, masked),
  );
  if (tracks.length === 0) throw new PaylensError(2100, 'the string contains no encrypted track');
  const serial = fields[AT.serial]?.text ?? '';
  return {
    form: 'MagneSafe V5 string',
    mode: 'swiped',
    ...(serial === '' ? {} : {serial}),
    candidates: [tracks],
    masked,
  };
}

/** Short numbers follow the KSN; another KSN, or more of them, are of a second string. Throws 2100. */
export function assertOneString(fields: readonly Field[]): void {
  const other = fields.find(isForeign);
  if (other)
    throw severalReads(`the content at character ${other.offset} belongs to another string`);
}

function isForeign({text}: Field, i: number, {length}: readonly Field[]): boolean {
  if (i === AT.masked) return !MASKED_TRACKS.test(text);
  if (i <= AT.ksn) return false;
  const form = i === length - 1 ? LAST : SHORT_NUMBER;
  return i >= MAX_STRING_FIELDS || isKsn(text) || !form.test(text);
}

function isKsn(text: string): boolean {
  return /^[0-9a-f]{20}$/i.test(text);
}

function trackField(
  number: TrackNumber,
  field: Field | undefined,
  ksn: string,
  masked: readonly MaskedPan[],
): EncryptedField[] {
  if (!field || field.text === '') return [];
  const name = `track ${number}`;
  const {text, offset} = field;
  if (!isHex(text)) throw new PaylensError(2100, `${name} at character ${offset}: expected hex`);
  const ciphertext = bytesFromHex(text) ?? new Uint8Array();
  assertBlocks(`${name} at character ${offset}`, ciphertext);
  const open = (plain: Uint8Array) => openTrack(number, plain, masked);
  return [{name, offset, ciphertext, ksn, setting: MAGTEK_SETTING, open}];
}
