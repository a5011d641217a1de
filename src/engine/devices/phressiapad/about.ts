import {CARD_DATA_SETTING} from '../../reading.js';
import type {About} from '../about.js';
import {MAGTEK_SETTING} from '../magtek/settings.js';
import {FIELDS} from '../magtek/swipe/string-layout.js';

/** The PhreesiaPad tablet. */
export const aboutPhressiapad: About = {
  title: 'PhreesiaPad tablet',
  summary:
    'A check-in tablet. No format and no payload of it is public: paylens accepts the formats of other terminals that it most likely uses. The spelling is that of the interface.',
  evidence: 'inferred',
  proof:
    'Inferred and unconfirmed. Nothing but the name of the type is public; the forms themselves are those of their own pages.',
  format: 'docs/formats/generic.md#phressiapad',
  example: 'synth-pad-json',
  forms: [
    {what: '1. JSON or text with a `ksn=` pair: parsed as generic', evidence: 'inferred'},
    {what: '2. first byte 02: an ID TECH frame', evidence: 'inferred'},
    {
      what: '3. hex that begins with 00 or 80 and consistent lengths: a Prima record, or the enhanced ID TECH record without its frame',
      evidence: 'inferred',
    },
    {what: '4. fields between `|`: a MagTek MagneSafe string', evidence: 'inferred'},
    {what: '5. TLV with FF7F or DFDF10: Verifone VIPA', evidence: 'inferred'},
  ],
  ksn: 'as the form carries it; else `ksn` of the request',
  iv: 'as the form carries it; else `iv` of the request, else zero',
  serial: 'as the form carries it; else `deviceSerial`, else the KSN',
  keys: [
    {what: 'forms 1, 2, 3 and 5', setting: CARD_DATA_SETTING, evidence: 'inferred'},
    {what: 'form 4', setting: MAGTEK_SETTING, evidence: 'inferred'},
  ],
  tables: [
    {
      title: 'Fields of form 4, between `|`',
      head: ['field', 'meaning'],
      rows: FIELDS.map(({name}, i) => [String(i + 1), name]),
    },
  ],
  notes: [
    {
      what: 'The payload is parsed as the first form that matches. If it fails, its error is returned; no other form is tried.',
      evidence: 'inferred',
    },
    {
      what: 'This type is never detected automatically: its formats are those of other types, so name it explicitly.',
      evidence: 'inferred',
    },
  ],
  refused: [
    {what: 'none of the forms matches; otherwise as described on the page of the form', code: 2100},
  ],
  trials: [
    {what: 'a swipe in the first form', mode: 'swiped'},
    {what: 'a chip read', mode: 'emv'},
    {what: 'keyed entry', mode: 'keyed'},
  ],
  sources: ['https://cert-parser.decryptx.com/unsupported/index.html'],
};
