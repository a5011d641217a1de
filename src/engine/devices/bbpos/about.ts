import {CARD_DATA_SETTING} from '../../reading.js';
import type {About} from '../about.js';
import {membersTable, refusedForwarded} from '../forwarded/about-members.js';

/** BBPOS readers, as a processor passes their reads on. */
export const aboutBbpos: About = {
  title: 'BBPOS readers in the request of a processor',
  summary:
    'Not the form of the reader itself (`wisepad`): one member `track1`, which holds track 2, and its KSN.',
  evidence: 'verified',
  proof: 'One read is published with its plaintext, under the published test key.',
  format: 'docs/formats/forwarded.md#bbpos',
  example: 'bbpos-track1-member',
  forms: [
    {
      what: 'a JSON object with `poiType` or `poi_type` that names BBPOS, `track1` or `track2`, and `ksn`; also inside other objects, such as `card_present`',
      evidence: 'documented',
    },
    {what: '`name: value` or `name = value` lines with the same names', evidence: 'documented'},
    {what: 'the ciphertext alone, in hex', evidence: 'inferred'},
  ],
  ksn: 'member `ksn`, else `ksn` of the request',
  iv: 'member `iv`, else `iv` of the request, else zero; CBC chaining restarts at each value',
  serial: 'member `serialNo` or `serialNumber`; else `deviceSerial`, else the KSN',
  keys: [
    {what: 'the track, tried first', setting: CARD_DATA_SETTING, evidence: 'verified'},
    {
      what: 'the track, tried next',
      setting: {...CARD_DATA_SETTING, mode: 'ecb'},
      evidence: 'inferred',
    },
  ],
  tables: [membersTable],
  notes: [
    {
      what: 'The name of the member does not say which track it holds: the plaintext does. The published read has track 2 in `track1`.',
      evidence: 'verified',
    },
    {what: 'Track 2 is packed without sentinels and filled with F.', evidence: 'verified'},
    {
      what: 'EMV data beside it with 9F39 = 05 or 07 make it the track 2 equivalent of a chip.',
      evidence: 'inferred',
    },
  ],
  refused: refusedForwarded,
  trials: [
    {what: 'packed track 2 in `track1`', mode: 'swiped'},
    {
      what: 'a request with track 2 as text',
      mode: 'swiped',
      options: {form: 'request', member: 'track2', content: 'text'},
    },
  ],
  sources: [
    'https://github.com/mercadopago/devsite-docs',
    'https://www.mercadopago.com.br/developers/pt/docs/secure-payments/responses',
  ],
};
