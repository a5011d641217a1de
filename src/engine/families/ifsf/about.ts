import type {About} from '../about.js';
import {ELEMENTS} from './elements.js';

/** Host messages of the International Forecourt Standards Forum. */
export const aboutIfsf: About = {
  title: 'IFSF host messages (ISO 8583, fuel)',
  summary:
    'Not a reader but a host interface: DE-127 of its messages holds the encrypted data elements of the card.',
  evidence: 'verified',
  tables: [
    {
      title: 'Elements, repeated: tag, length, value',
      head: ['bytes', 'field'],
      rows: [
        ['1', 'tag: the number of the element in binary'],
        ['2', 'length of the value, big-endian'],
        ['length', 'value in ASCII'],
      ],
    },
    {
      title: 'Tags of the plaintext',
      head: ['tag', 'element', 'value'],
      rows: [
        ['02', 'DE-2', 'card number, 12 to 19 digits'],
        ['0E', 'DE-14', 'expiry: YYMM, or YYMMDD'],
        ['23', 'DE-35', 'track 2 without sentinels; `=` or the letter `D`'],
        ['24', 'DE-36', 'track 3 without sentinels'],
        ['2D', 'DE-45', 'track 1 without sentinels'],
      ],
    },
    {
      title: 'Elements in a description',
      head: ['element', 'meaning'],
      rows: Object.entries(ELEMENTS).flatMap(([number, {meaning = ''}]) =>
        /^\d/.test(number) ? [[number, meaning]] : [],
      ),
    },
  ],
  trials: [
    {what: 'track 2 alone', mode: 'swiped'},
    {
      what: 'card number, expiry and track 2 as JSON',
      mode: 'swiped',
      options: {form: 'json', elements: '2,14,35'},
    },
    {what: 'keyed entry under the edition of 2004', mode: 'keyed', options: {edition: '2004'}},
    {what: 'lines with an IV', mode: 'keyed', iv: '0123456789ABCDEF', options: {form: 'lines'}},
  ],
};
