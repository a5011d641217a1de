import {CARD_DATA_SETTING} from '../../reading.js';
import type {About} from '../about.js';
import {membersTable, refusedForwarded} from '../forwarded/about-members.js';

/** Spire payment terminals in requests of a gateway. */
export const aboutSpire: About = {
  title: 'Spire SPm2 (Thor, PosMate) in the request of a gateway',
  summary:
    'The packed track 2 equivalent of a chip card, with the parameters of its encryption beside it.',
  evidence: 'verified',
  proof:
    'One published request decrypts with the published test key and agrees with its masked card number. Another is under a private key.',
  format: 'docs/formats/forwarded.md#spire',
  example: 'spire-published',
  forms: [
    {
      what: 'a JSON object with `track2Data` and `dataEncryptionParams`, in which `format` is `thor-posmate-chip`; also a whole request around it',
      evidence: 'verified',
    },
    {what: '`name: value` or `name = value` lines with the same names', evidence: 'inferred'},
    {what: 'the ciphertext alone, in hex', evidence: 'inferred'},
  ],
  ksn: '`ksn` in `dataEncryptionParams`, else `ksn` of the request',
  iv: 'member `iv`, else `iv` of the request, else zero; CBC chaining restarts at each value',
  serial: 'member `serialNo` or `serialNumber`; else `deviceSerial`, else the KSN',
  keys: [
    {what: 'the track 2 equivalent, tried first', setting: CARD_DATA_SETTING, evidence: 'verified'},
    {
      what: 'the track 2 equivalent, tried next',
      setting: {...CARD_DATA_SETTING, mode: 'ecb'},
      evidence: 'inferred',
    },
  ],
  tables: [membersTable],
  notes: [
    {what: 'Packed digits with PKCS#7; `encoding` is hex or base64.', evidence: 'verified'},
    {
      what: '`pan` beside it, masked or not, must agree with the card, and is never returned. The name comes from 5F20 in `emvData`.',
      evidence: 'verified',
    },
    {
      what: 'The PIN block in `pinData` and its `pinEncryptionParams` are named and not used.',
      evidence: 'verified',
    },
  ],
  refused: refusedForwarded,
  trials: [
    {what: 'track 2 equivalent', mode: 'emv'},
    {what: 'a whole request', mode: 'emv', options: {form: 'request'}},
  ],
  sources: ['https://switch-test.wirecard.com/mswitch-server/doc/api-doc-sale.html'],
};
