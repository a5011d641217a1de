import {CARD_DATA_SETTING} from '../../reading.js';
import type {About} from '../about.js';

/** Infinite Peripherals Prima M. */
export const aboutPrima: About = {
  title: 'Infinite Peripherals Prima M',
  summary:
    'An audio-jack reader in its ID TECH mode: the record of an original ID TECH frame, without the frame.',
  evidence: 'seen',
  proof:
    'The beginning of a payload is published, the record is in public source code, and the same record in an ID TECH frame is verified. No complete payload of the reader itself is public.',
  format: 'docs/formats/prima.md#prima',
  example: 'prima-3trk',
  forms: [
    {what: 'hex of either case, beginning with card type 00', evidence: 'documented'},
    {what: 'hex with the masked tracks as text between double quotes', evidence: 'documented'},
    {what: 'a full ID TECH frame, parsed by the rules of idtech', evidence: 'inferred'},
  ],
  ksn: 'the last 10 bytes',
  iv: 'zero; tracks 1 and 2 are encrypted as one CBC chain',
  serial: 'not in the payload: `deviceSerial`, else the KSN',
  keys: [{what: 'tracks 1 and 2 as one', setting: CARD_DATA_SETTING, evidence: 'seen'}],
  tables: [
    {
      title: 'The record',
      head: ['offset', 'bytes', 'field'],
      rows: [
        ['0', '1', 'card type, 00: payment card'],
        ['1', '1', 'track status'],
        ['2, 3, 4', '1 each', 'plaintext lengths t1, t2, t3 of the tracks'],
        ['5', 't1 + t2 + t3', 'track 1 masked, track 2 masked, track 3 clear'],
        ['then', 't1 + t2, in whole blocks', 'tracks 1 and 2 encrypted as one'],
        ['then', '0, 20 or 40', 'SHA-1 of track 1 and of track 2'],
        ['end - 10', '10', 'KSN'],
      ],
    },
  ],
  notes: [
    {what: 'The hashes cover sentinels and LRC, and must match.', evidence: 'seen'},
    {what: 'A record without hashes is also accepted.', evidence: 'inferred'},
    {what: 'Track 3 in cleartext is returned.', evidence: 'seen'},
  ],
  refused: [
    {what: 'another card type; longer than the lengths indicate', code: 2100},
    {what: 'shorter than the lengths indicate', code: 2102},
    {what: 'a hash that does not match', code: 2601},
    {what: 'no track 1 and no track 2', code: 2800},
  ],
  trials: [{what: 'a swipe', mode: 'swiped'}],
  sources: [
    'https://developers.bluefin.com/decryptx/docs/prima-m',
    'http://38.142.81.21:8001/manual/unitech/ms246/user-manual-english/page-39.html',
  ],
};
