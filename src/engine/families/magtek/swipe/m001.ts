import {PaylensError} from '../../../../contract/paylens-error.js';
import {parseKsn} from '../../../dukpt/ksn.js';
import {entryOf} from '../../../forms/entry-of.js';
import {severalReads} from '../../../forms/one-read.js';
import type {CipherSetting, Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {aesSetting, assertKsnScheme, tdesSetting} from '../settings.js';
import {declareFields, field, NO_FIELD, splitFields, type TextField} from './string-layout.js';
import {swipeReading, textTracks} from './swipe.js';

export const M001 = 'M001';

/** The fields of the text form of iDynamo 5 Gen III, separated by `|`, and the index of each. */
export const {fields: M001_FIELDS, at: M001_AT} = declareFields({
  message: field('message', 'harmless'),
  masked: field('masked *'),
  tracks: field('* encrypted', 'opaque'),
  printStatus: field('MagnePrint status'),
  print: field('MagnePrint encrypted', 'opaque'),
  session: field('session ID encrypted', 'opaque'),
  ksn: field('KSN', 'harmless'),
  key: field('key information', 'opaque'),
  printKsn: field('KSN of MagnePrint', 'harmless'),
  printKey: field('key information of MagnePrint', 'opaque'),
  serial: field('serial number', 'harmless'),
  macKey: field('key information of the MAC', 'opaque'),
  macLength: field('length of the message under the MAC', 'harmless'),
  mac: field('MAC', 'opaque'),
});

/** From the KSN on: hex, or a serial number. */
const SHORT_FIELD = /^[\dA-Za-z]{0,32}$/;
const KEY_DIGITS = 16;

/** Bytes 7 and 8 of a key information: the usage of the key. */
export const KEY_USAGES: Readonly<Record<string, CipherSetting>> = {
  '3000': aesSetting('data-encryption'),
  '3001': aesSetting('data-decryption'),
  '3002': aesSetting('data'),
  FF00: tdesSetting('pin'),
  FF02: tdesSetting('data'),
};

/**
 * Reads the text M001 (docs/terminals/magtek.md#m001). Throws 2100 if a field is malformed, 2102 if
 * it ends before its key information, 2111 if that names no key for data, 2400 if the KSN is of
 * another algorithm.
 */
export function readM001(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const {length: count} = M001_FIELDS;
  const fields = splitFields(payload, trace, M001_FIELDS);
  const foreign =
    fields[count] ?? fields.find(({text}, i) => i >= M001_AT.ksn && !SHORT_FIELD.test(text));
  if (foreign)
    throw severalReads(`the content at character ${foreign.offset} belongs to another text`);
  const at = (index: number) => fields[index] ?? NO_FIELD;
  const isLast = fields.length === M001_AT.key + 1;
  if (fields.length <= M001_AT.key || (isLast && at(M001_AT.key).text.length < KEY_DIGITS))
    throw new PaylensError(2102, `expected ${count} fields, found ${fields.length}`);
  const {text: ksn} = at(M001_AT.ksn);
  const setting = keySetting(at(M001_AT.key));
  const digits = ksn === '' ? '' : parseKsn(ksn, {anyCounter: true}).hex;
  assertKsnScheme(setting.algorithm, digits, 'KSN');
  return swipeReading({
    form: 'M001 text',
    tracks: textTracks((number) => fields[M001_AT.tracks + number - 1]),
    masked: at(M001_AT.masked).text + at(M001_AT.masked + 1).text,
    ksn: ksn || undefined,
    serial: at(M001_AT.serial).text,
    setting,
  });
}

function keySetting({text, offset}: TextField): CipherSetting {
  const [, usage = ''] = /^[\dA-F]{12}([\dA-F]{4})$/i.exec(text) ?? [];
  const where = `key information at character ${offset}`;
  if (usage === '') throw new PaylensError(2100, `${where}: expected ${KEY_DIGITS} hex digits`);
  const setting = entryOf(KEY_USAGES, usage.toUpperCase());
  if (setting) return setting;
  throw new PaylensError(2111, `${where}: usage ${usage} names no key for card data`);
}
