import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, latin1Of} from '../../../../platform/bytes.js';
import type {CardContent} from '../../../card/card-content.js';
import {TRACK_NAMES} from '../../../card/lrc.js';
import {type MaskedPan, maskedTrack} from '../../../card/masked-pans.js';
import {RecordValues} from '../../../forms/record.js';
import type {RecordCursor} from '../../../forms/record-cursor.js';
import type {EncryptedField, MessageMac, Reading} from '../../../reading.js';
import {ENCRYPT_STATUS, FIELDS, OPTIONAL, TRACK_FIELDS} from '../layout.js';
import {additionalData, openKeyedTrack} from './keyed.js';
import {
  ENHANCED_HEAD,
  ENHANCED_MAC,
  ENHANCED_REST,
  hasAdditional,
  hasMac,
  hasOption,
  recordSetting,
} from './records.js';
import {clearTrack3, ksnIn, openTrack, sentTrack, withoutCiphertext} from './swipe.js';

/**
 * Reads the card data of the enhanced layout after the encode type: swiped (80, 81, 83) and keyed
 * (C0), which uses the track 2 slot (docs/terminals/idtech.md#enhanced-layout,
 * docs/terminals/idtech.md#keyed-entry-enhanced).
 *
 * `start` is the position where the data covered by the MAC begins.
 *
 * Throws 2101 if the fields do not add up to the length, 2102 if one is truncated.
 */
export function readEnhanced(cursor: RecordCursor, type: number, start: number): Reading {
  const record = new RecordValues().with(FIELDS.encodeType, type);
  record.read(cursor, ENHANCED_HEAD);
  const keyed = type === 0xc0;
  const form = `${keyed ? 'keyed' : 'swipe'} frame, enhanced layout, ${cursor.frame.form} form`;
  const mode = keyed ? 'keyed' : 'swiped';
  if (hasOption(record, OPTIONAL.transArmor) && record.has(FIELDS.encryptStatus, ANY_TRACK)) {
    // Its ciphertext has its own lengths, so the fields after it cannot be located.
    cursor.bytes(Math.floor(cursor.remaining / cursor.units(1)), FIELDS.transArmor);
    const refusal = new PaylensError(2111, 'TransArmor (optional byte, bit 1)');
    return {form, mode, candidates: [[]], refusal};
  }
  record.read(cursor, ENHANCED_REST);
  const macs = hasMac(record) ? [readMac(cursor, record, start)] : [];
  if (cursor.remaining > 0) {
    const detail = `length: the fields end at offset ${cursor.offset}, but ${cursor.remaining} more units of card data follow`;
    throw new PaylensError(2101, detail);
  }
  const fields = encryptedTracks(cursor, record, keyed);
  const clear = frameClear(record, keyed);
  const refusal = fields.length === 0 ? withoutCiphertext(type, record) : undefined;
  const sent = latin1Of(record.bytes(FIELDS.serial) ?? new Uint8Array());
  // Ten spaces, zeros or NULs are not a serial number.
  const serial = !refusal && /^[ 0]*[!-/1-~][ -~]*$/.test(sent) ? sent : undefined;
  const masked = copiesAlone(record);
  return {form, mode, candidates: [fields], serial, clear, macs, masked, refusal};
}

const ANY_TRACK = ENCRYPT_STATUS.anyTrack;

function encryptedTracks(
  cursor: RecordCursor,
  record: RecordValues,
  keyed: boolean,
): EncryptedField[] {
  const setting = recordSetting(record);
  const ksn = ksnIn(record);
  return TRACK_FIELDS.flatMap((own): EncryptedField[] => {
    const ciphertext = record.bytes(own.cipher);
    if (!ciphertext) return [];
    const sent = sentTrack(cursor, record, own);
    const open = (plain: Uint8Array) =>
      keyed ? openKeyedTrack(sent, plain) : openTrack(sent, plain);
    const offset = record.offset(own.cipher);
    return [{name: TRACK_NAMES[own.number], offset, ciphertext, ksn, setting, open}];
  });
}

/** Copies of tracks that are not encrypted; all other copies are compared with their own track. */
function copiesAlone(record: RecordValues): MaskedPan[] {
  return TRACK_FIELDS.slice(0, 2).flatMap(({number, masked, cipher}) => {
    const copy = record.bytes(cipher) ? undefined : record.text(masked);
    return copy === undefined ? [] : maskedTrack(`track ${number}, masked`, copy);
  });
}

/** The MAC covers the card data from the encode type to the MAC length, inclusive. */
function readMac(cursor: RecordCursor, record: RecordValues, start: number): MessageMac {
  const message = bytesFromLatin1(cursor.frame.text.slice(start, cursor.position));
  record.read(cursor, ENHANCED_MAC);
  const ksn = ksnIn(record, FIELDS.macKsn) ?? '';
  const mac = record.bytes(FIELDS.mac) ?? new Uint8Array();
  return {name: 'MAC', offset: record.offset(FIELDS.mac), ksn, variant: 'none', message, mac};
}

function frameClear(record: RecordValues, keyed: boolean): CardContent {
  if (keyed)
    return hasAdditional(record) ? additionalData(record.text(FIELDS.additional) ?? '') : {};
  return record.has(FIELDS.encryptStatus, 4) ? {} : clearTrack3(record.text(FIELDS.masked3));
}
