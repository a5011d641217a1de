import {PaylensError} from '../../../../contract/paylens-error.js';
import {parseKsn} from '../../../dukpt/ksn.js';
import {severalReads} from '../../../forms/one-read.js';
import type {CipherSetting, Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {aesSetting, assertKsnLength, tdesSetting} from '../settings.js';
import {declareFields, field, splitFields, trackFields} from './string-layout.js';
import {swipeReading, trackBytes} from './swipe.js';

export const M001 = 'M001';

/** The fields of the text form of iDynamo 5 Gen III, separated by `|`, and the index of each. */
export const {fields: M001_FIELDS, at: M001_AT} = declareFields({
  message: field('message', 'harmless'),
  masked: trackFields((track) => `masked ${track}`),
  tracks: trackFields((track) => `${track} encrypted`, 'opaque'),
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
const FORMS_BEHIND = /^[\dA-Za-z]{0,32}$/;

/** Bytes 7 and 8 of a key information: the usage of the key. */
export const KEY_INFO: Readonly<Record<string, CipherSetting>> = {
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
  const fields = splitFields(payload, trace, M001_FIELDS);
  const extra = fields[M001_FIELDS.length];
  if (extra) throw severalReads(`the content at character ${extra.offset} belongs to another text`);
  const foreign = fields.find(({text}, i) => i >= M001_AT.ksn && !FORMS_BEHIND.test(text));
  if (foreign) {
    throw severalReads(`the content at character ${foreign.offset} belongs to another text`);
  }
  const at = (index: number) => fields[index] ?? {text: '', offset: 0};
  if (
    fields.length <= M001_AT.key ||
    (fields.length === M001_AT.key + 1 && at(M001_AT.key).text.length < 16)
  ) {
    const detail = `expected ${M001_FIELDS.length} fields, found ${fields.length}`;
    throw new PaylensError(2102, detail);
  }
  const {text: ksn} = at(M001_AT.ksn);
  const setting = settingOf(at(M001_AT.key).text, at(M001_AT.key).offset);
  assertKsnLength(setting, ksn === '' ? '' : parseKsn(ksn, {anyCounter: true}).hex, 'KSN');
  return swipeReading({
    form: 'M001 text',
    tracks: ([1, 2, 3] as const).map((number) => {
      const {text, offset} = at(M001_AT.tracks + number - 1);
      return {number, offset, bytes: trackBytes(number, text, offset)};
    }),
    masked: at(M001_AT.masked).text + at(M001_AT.masked + 1).text,
    ksn: ksn || undefined,
    serial: at(M001_AT.serial).text,
    setting,
  });
}

function settingOf(info: string, offset: number): CipherSetting {
  const [, usage = ''] = /^[\dA-F]{12}([\dA-F]{4})$/i.exec(info) ?? [];
  const where = `key information at character ${offset}`;
  if (usage === '') throw new PaylensError(2100, `${where}: expected 16 hex digits`);
  const setting = KEY_INFO[usage.toUpperCase()];
  if (setting) return setting;
  throw new PaylensError(2111, `${where}: usage ${usage} names no key for card data`);
}
