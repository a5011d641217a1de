import {type About, meanings} from '../about.js';
import {ENCODE_TYPES, FIELDS} from './layout.js';
import {IDTECH_TAGS} from './vivopay/layout.js';

/** ID TECH readers. */
export const aboutIdtech: About = {
  title: 'ID TECH readers',
  summary:
    'Magnetic stripe, chip and contactless readers of ID TECH and OEM versions sold under other brands: SecureMag, SecuRED, SREDKey, UniMag, Augusta, VP3300, VP3350, NEO and NEO2.',
  evidence: 'verified',
  tables: [
    {
      title: 'Fields of the frames',
      head: ['field'],
      rows: Object.values(FIELDS).map(({name}) => [name]),
    },
    {
      title: 'Card encode types (field 3)',
      head: ['type', 'meaning'],
      rows: Object.entries(ENCODE_TYPES).map(([type, {meaning}]) => [
        Number(type).toString(16).padStart(2, '0').toUpperCase(),
        meaning,
      ]),
    },
    meanings("ID TECH's own tags", 'tag', IDTECH_TAGS),
  ],
  trials: [
    {what: 'a swipe', mode: 'swiped'},
    {what: 'the same as typed by keyboard emulation', mode: 'swiped', options: {form: 'keyboard'}},
    {what: 'keyed entry with CVV and ZIP', mode: 'keyed', options: {zip: '98745'}},
    {what: 'a chip read in a ViVOtech2 message', mode: 'emv', card: 'amex'},
    {what: 'the TDES DUKPT key used for AES', mode: 'emv', options: {algorithm: 'aes'}},
  ],
};
