import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, isHex} from '../../../platform/bytes.js';
import {type CardContent, trackContent} from '../../card/card-content.js';
import {Evidence} from '../../card/evidence.js';
import type {TrackNumber} from '../../card/lrc.js';
import {
  demandMaskedPans,
  type MaskedPan,
  maskedByZeros,
  maskedTrack,
} from '../../card/masked-pans.js';
import {readTrack} from '../../card/track.js';
import {demandBlocks} from '../../cipher/block-cipher.js';
import type {EncryptedField, Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {severalReads} from '../shared/one-read.js';
import type {PayloadForm} from '../terminal.js';
import {AT, FIELDS, MAGTEK_SETTING} from './layout.js';

/** A field of the string and the character at which it begins. */
interface Field {
  readonly text: string;
  readonly offset: number;
}

/** MagneSafe readers, whose string is also sent by other terminals. */
export const magtek = {
  type: 'magtek',
  recognises: isMagtek,
  read: readMagtek,
} as const satisfies PayloadForm;

/** True for text with `|` and a field of 20 hex digits. */
export function isMagtek(payload: string): boolean {
  return payload.includes('|') && payload.split('|').some((text) => isKsn(text.trim()));
}

/**
 * Reads a MagneSafe V5 string, in which every track has its own CBC chain
 * (docs/formats/magtek.md#the-v5-string). It is not the format of any device type of the interface,
 * but some borrow it.
 *
 * Throws 2100 if a field is malformed or no track is encrypted, 2102 if a track is not whole blocks
 * or the string ends before its KSN.
 */
export function readMagtek(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const fields = splitFields(payload, trace);
  demandOneString(fields);
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

/**
 * Masked tracks are enclosed in sentinels. Short numbers follow the KSN, at most a counter and two
 * fields more than usual; the last may run into the beginning of the next swipe. Throws 2100.
 */
function demandOneString(fields: readonly Field[]): void {
  const other = fields.find(isForeign);
  if (other)
    throw severalReads(`the content at character ${other.offset} belongs to another string`);
}

function isForeign({text}: Field, i: number, {length}: readonly Field[]): boolean {
  if (i === AT.masked) return !MASKED_TRACKS.test(text);
  if (i <= AT.ksn) return false;
  const form = i === length - 1 ? LAST : SHORT_NUMBER;
  return i >= MOST_FIELDS || isKsn(text) || !form.test(text);
}

const MASKED_TRACKS = /^(?:[^\dA-Za-z{[<\s].*\?)?$/s;
const SHORT_NUMBER = /^[\dA-F]{0,32}$/i;
const LAST = /^[\dA-F]{0,32}(?:[^\dA-F]{1,2}[A-Z]?)?$/i;
const MOST_FIELDS = FIELDS.length + 3;
const UNKNOWN = {name: 'unknown field'};

function isKsn(text: string): boolean {
  return /^[0-9a-f]{20}$/i.test(text);
}

function splitFields(payload: string, trace: Trace): Field[] {
  let offset = 0;
  return payload.split('|').map((text, i, all) => {
    const field = {text: text.trim(), offset};
    const length = text.length + (i < all.length - 1 ? 1 : 0);
    if (length > 0) trace.note({offset, length, depth: 0, value: text, ...(FIELDS[i] ?? UNKNOWN)});
    offset += length;
    return field;
  });
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
  demandBlocks(`${name} at character ${offset}`, ciphertext);
  const open = (plain: Uint8Array) => openTrack(number, plain, masked);
  return [{name, offset, ciphertext, ksn, setting: MAGTEK_SETTING, open}];
}

function openTrack(
  number: TrackNumber,
  plain: Uint8Array,
  masked: readonly MaskedPan[],
): CardContent {
  const evidence = new Evidence();
  const name = `track ${number}`;
  const content = trackContent(number, readTrack(number, plain, {evidence}));
  const own = masked.filter(({isTrack1 = false}) => isTrack1 === (number === 1));
  if (number !== 3) demandMaskedPans(name, own, content, evidence);
  evidence.demand(name, 'A masked copy');
  return {...content, facts: evidence.facts, bits: evidence.bits};
}

/** The masked tracks are concatenated; the number of track 3 is masked differently. */
function maskedCopies(text: string): MaskedPan[] {
  return [...text.matchAll(/%[^%?]*\^|;[^;?]*=/g)].flatMap(([track]) =>
    maskedByZeros(
      maskedTrack(track.startsWith('%') ? 'masked track 1' : 'masked track 2', track),
      VISIBLE,
    ),
  );
}

const VISIBLE = {head: 4, tail: 4};
