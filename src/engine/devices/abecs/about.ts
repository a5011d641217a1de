import {CARD_DATA_SETTING} from '../../reading.js';
import type {About} from '../about.js';
import {DEFINITIONS, METHODS} from './layout.js';

const ECB = {...CARD_DATA_SETTING, mode: 'ecb'} as const;

/** PIN pads of the Brazilian ABECS protocol. */
export const aboutAbecs: About = {
  title: 'ABECS PIN pads (Brazil)',
  summary:
    'Tracks whose card number alone is encrypted ("PAN Criptografado"), and encrypted tracks of the command GTK.',
  evidence: 'verified',
  proof:
    'The eight worked examples of "PAN Criptografado" and the response to GTK with a published key decrypt. No read under DUKPT is public with its key.',
  format: 'docs/formats/abecs.md#gtk',
  example: 'abecs-gtk-51',
  forms: [
    {what: 'the text of one or two tracks, with or without sentinels', evidence: 'verified'},
    {
      what: 'a JSON object or `name: value` lines with such tracks in `track1`, `track2`, `track3`',
      evidence: 'inferred',
    },
    {
      what: 'a JSON object or `name: value` lines with the objects of GTK by their names, in any case',
      evidence: 'inferred',
    },
    {what: 'the objects of GTK in hex, or its whole response', evidence: 'verified'},
  ],
  ksn: 'the KSN of each object, else `PP_KSN`, else the only one, else `ksn` of the request; a working key needs none',
  iv: '`SPE_IVCBC`, else `iv` of the request, else zero; CBC chaining restarts at each object',
  serial: '`deviceSerial`, else the KSN',
  keys: [
    {what: 'a PAN block: a working key, TDES or DES', setting: ECB, evidence: 'verified'},
    {what: '51, tried first', setting: CARD_DATA_SETTING, evidence: 'inferred'},
    {what: '50, tried next', setting: ECB, evidence: 'inferred'},
    {
      what: '30, tried third',
      setting: {...ECB, variant: 'pin', selfEncrypted: false},
      evidence: 'inferred',
    },
    {what: '01, 11: a working key', setting: CARD_DATA_SETTING, evidence: 'verified'},
    {what: '00, 10: a working key', setting: ECB, evidence: 'documented'},
  ],
  tables: [
    {
      title: 'Objects',
      head: ['name', 'id', 'meaning'],
      rows: DEFINITIONS.map(([name, {id, meaning}]) => [`\`${name}\``, `\`${id}\``, meaning]),
    },
    {
      title: 'Methods',
      head: ['SPE_MTHDDAT', 'meaning'],
      rows: Object.entries(METHODS).map(([code, {meaning}]) => [`\`${code}\``, meaning]),
    },
  ],
  notes: [
    {
      what: 'The last 16 characters of the card number are one ECB block; those before them remain in cleartext. `E` is a space; up to three `F` fill a short number.',
      evidence: 'verified',
    },
    {
      what: 'Digits, `E` and `F` are what a wrong key gives about once in a thousand: a check digit, spaces that group the digits, a masked number, or the same number in two tracks under different blocks is needed. One track alone, of 16 digits, is still opened by one wrong key in 52,000.',
      evidence: 'inferred',
    },
    {
      what: 'In GTK, track 1 is text filled with 00, tracks 2 and 3 and the number are packed and filled with F, without sentinels.',
      evidence: 'verified',
    },
    {
      what: 'The digits of SPE_OPNDIG precede the blocks in cleartext and follow the format letter of track 1. Without it, every number that fits the length is tried.',
      evidence: 'documented',
    },
  ],
  refused: [
    {what: 'none of the forms; two tracks of one number, an object twice, both forms', code: 2100},
    {what: 'objects that end too early; ciphertext that is not whole blocks', code: 2102},
    {what: 'a card number in cleartext', code: 2110},
    {what: 'a random key under RSA (90, 91, PP_ENCKRAND); an unknown method', code: 2111},
    {what: 'no KSN, and no working key', code: 2400},
    {what: 'a plaintext that is not card data, or has no second fact', code: 2601},
  ],
  trials: [
    {what: 'both tracks of GTK', mode: 'swiped'},
    {what: 'the card number and the tracks of a chip card', mode: 'emv'},
    {
      what: 'the response to GTK in ECB, eight digits in cleartext',
      mode: 'swiped',
      options: {form: 'response', method: '50', digits: '8'},
    },
    {
      what: 'tracks with an encrypted card number; under DUKPT the data key of the KSN is used as the working key',
      mode: 'swiped',
      options: {form: 'text'},
    },
  ],
  sources: ['https://github.com/guilhermecabral05/abecs-rust/blob/HEAD/protocolo_abecs_2_12.md'],
};
