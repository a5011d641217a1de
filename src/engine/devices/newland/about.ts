import {CARD_DATA_SETTING} from '../../reading.js';
import type {About} from '../about.js';
import {membersTable, refusedForwarded} from '../forwarded/about-members.js';

/** Newland readers, as a processor passes their reads on. */
export const aboutNewland: About = {
  title: 'Newland readers in the request of a processor',
  summary:
    'Track 1 without sentinels under a working key, with its length before it; or under DUKPT.',
  evidence: 'verified',
  proof:
    'One read under a working key is published with its key and plaintext. A read under DUKPT is published as well, but its key is private: variant and mode are inferred.',
  format: 'docs/formats/forwarded.md#newland',
  example: 'newland-wk-ecb',
  forms: [
    {
      what: 'a JSON object with `poiType` or `poi_type` that names Newland, and `track1`; also inside other objects, such as `card_present`',
      evidence: 'documented',
    },
    {what: '`name: value` or `name = value` lines with the same names', evidence: 'documented'},
    {what: 'the ciphertext alone, in hex', evidence: 'inferred'},
  ],
  ksn: 'member `ksn`, else `ksn` of the request; a working key needs none',
  iv: 'member `iv`, else `iv` of the request, else zero; CBC chaining restarts at each value',
  serial: 'member `serialNo` or `serialNumber`; else `deviceSerial`, else the KSN',
  keys: [
    {
      what: 'a working key: ECB, then CBC',
      setting: {...CARD_DATA_SETTING, mode: 'ecb'},
      evidence: 'verified',
    },
    {
      what: 'DUKPT, tried first',
      setting: {...CARD_DATA_SETTING, mode: 'ecb'},
      evidence: 'inferred',
    },
    {what: 'DUKPT, tried next', setting: CARD_DATA_SETTING, evidence: 'inferred'},
  ],
  tables: [membersTable],
  notes: [
    {
      what: 'Under a working key, two decimal digits count the characters of the track; zeros follow it.',
      evidence: 'verified',
    },
    {
      what: 'Before a track 2 these digits could also be the beginning of its card number: Luhn decides, and if it does not, the read is refused.',
      evidence: 'inferred',
    },
    {
      what: 'The read published under DUKPT has no length. It is under a key derived in a private way: 2601.',
      evidence: 'documented',
    },
  ],
  refused: refusedForwarded,
  trials: [
    {what: 'track 1 with its length', mode: 'swiped'},
    {
      what: 'a request, CBC, without the length',
      mode: 'swiped',
      options: {form: 'request', mode: 'cbc', count: 'off'},
    },
  ],
  sources: [
    'https://github.com/mercadopago/devsite-docs',
    'https://www.mercadopago.com.br/developers/pt/docs/secure-payments/responses',
  ],
};
