import {CARD_DATA_SETTING} from '../../reading.js';
import type {About} from '../about.js';
import {membersTable, refusedForwarded} from '../forwarded/about-members.js';

/** Poynt terminals: transactions of the Poynt API. */
export const aboutPoynt: About = {
  title: 'Poynt terminals (transactions in JSON)',
  summary: 'Transactions whose card data and EMV tags contain tracks after zeros, under one KSN.',
  evidence: 'verified',
  proof:
    'Three published transactions decrypt with the published test key and agree with the digits of the card number in their tags. No chip read is public.',
  format: 'docs/formats/forwarded.md#poynt',
  example: 'poynt-published',
  forms: [
    {
      what: 'a JSON object with `track1data` and `track2data`, or the tags `0x56` and `0x57`, and the KSN in tag `0x1F8102` or `keySerialNumber`; also a whole transaction or payment around it',
      evidence: 'verified',
    },
    {what: '`name: value` or `name = value` lines with the same names', evidence: 'inferred'},
    {what: 'the ciphertext alone, in hex', evidence: 'inferred'},
  ],
  ksn: 'tag `0x1F8102` or `keySerialNumber`, else `ksn` of the request',
  iv: 'member `iv`, else `iv` of the request, else zero; CBC chaining restarts at each value',
  serial: 'member `serialNo` or `serialNumber`; else `deviceSerial`, else the KSN',
  keys: [
    {what: 'the tracks, tried first', setting: CARD_DATA_SETTING, evidence: 'verified'},
    {
      what: 'the tracks, tried next',
      setting: {...CARD_DATA_SETTING, mode: 'ecb'},
      evidence: 'inferred',
    },
  ],
  tables: [membersTable],
  notes: [
    {
      what: 'Zeros fill the first block on the left: the track ends with the last block. Swipes have sentinels, contactless reads may have none.',
      evidence: 'verified',
    },
    {
      what: 'A byte that is not text may follow the end sentinel, once the LRC without its offset of 20; it is left out of `decrypted`. A byte that is text must be the LRC.',
      evidence: 'verified',
    },
    {
      what: '`track1data` and tag `0x56` contain the same ciphertext, as do `track2data` and `0x57`.',
      evidence: 'verified',
    },
    {
      what: '`0x1F8103` and `0x1F8104` are the first six and the last four digits in ASCII, `0x5F24` the expiry: they must agree with the card.',
      evidence: 'verified',
    },
  ],
  refused: refusedForwarded,
  trials: [
    {what: 'both tracks', mode: 'swiped'},
    {
      what: 'a transaction, without sentinels',
      mode: 'swiped',
      options: {form: 'request', sentinels: 'off'},
    },
    {what: 'track 2 with its LRC', mode: 'swiped', options: {tracks: '2', trailer: 'lrc'}},
  ],
  sources: ['https://poynt.github.io/developer-docs/semiIntegration/plug-n-pay.html'],
};
