import type {CipherSetting} from '../../reading.js';
import {type About, meanings} from '../about.js';
import {MESSAGE_TYPES} from './emv/message.js';
import {ORIGINAL_TAGS} from './emv/original.js';
import {DATA_TYPES} from './settings.js';
import {IPAD_MEMBERS} from './swipe/ipad.js';
import {M001_FIELDS} from './swipe/m001.js';
import {REPORT_FIELDS} from './swipe/report.js';
import {STATUS_BITS} from './swipe/status.js';
import {FIELDS} from './swipe/string-layout.js';
import {CARD_TYPES, MAGTEK} from './tags.js';

/** MagTek readers. */
export const aboutMagtek: About = {
  title: 'MagTek readers',
  summary:
    'Dynamag, iDynamo, eDynamo, tDynamo, DynaPro, DynaFlex, IPAD and their relatives: swipes and keyed entries of MagneSafe V5, and EMV data in containers.',
  evidence: 'verified',
  tables: [
    {
      title: 'Encryption types for data',
      head: ['type', 'meaning'],
      rows: Object.entries(DATA_TYPES).map(([type, setting]) => [type, describeSetting(setting)]),
    },
    {
      title: 'Fields of a V5 string, between `|`',
      head: ['field', 'meaning'],
      rows: FIELDS.map(({name}, i) => [String(i + 1), name]),
    },
    meanings('Bits of the reader status', 'bit', bitNames()),
    {
      title: 'Members of an IPAD string',
      head: ['number', 'meaning'],
      rows: Object.entries(IPAD_MEMBERS).map(([number, {name}]) => [number, name]),
    },
    {
      title: 'Fields of M001, between `|`',
      head: ['field', 'meaning'],
      rows: M001_FIELDS.map(({name}, i) => [String(i + 1), name]),
    },
    {title: 'Fields of an HID report', head: ['offset', 'bytes', 'meaning'], rows: reportRows()},
    meanings("MagTek's own tags", 'tag', MAGTEK.names),
    meanings('Card types (DFDF52)', 'value', CARD_TYPES),
    meanings('Encrypted tags of the original format', 'tag', ORIGINAL_TAGS),
    meanings('Messages (MMS)', 'type', MESSAGE_TYPES),
  ],
  trials: [
    {what: 'a swipe', mode: 'swiped'},
    {what: 'an EMV container', mode: 'emv'},
    {what: 'a keyed entry', mode: 'keyed'},
    {what: 'an HID report', mode: 'swiped', options: {form: 'report'}},
    {what: 'a swipe inside an MMS message', mode: 'swiped', options: {form: 'mms'}},
  ],
};

function describeSetting({variant, aes}: CipherSetting): string {
  if (!aes) return `TDES DUKPT, ${variant} variant`;
  return `${aes.type === 'aes256' ? 'AES-256' : 'AES-128'} DUKPT, ${aes.usage}`;
}

function bitNames(): Readonly<Record<string, string>> {
  const named = Object.entries(STATUS_BITS).map(([bit, name]) => [bit.padStart(2, '0'), name]);
  return Object.fromEntries(named);
}

function reportRows(): string[][] {
  let at = 0;
  return REPORT_FIELDS.map(({name, bytes}) => {
    const row = [String(at), String(bytes), name];
    at += bytes;
    return row;
  });
}
