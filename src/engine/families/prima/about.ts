import type {About} from '../about.js';

/** Infinite Peripherals Prima M. */
export const aboutPrima: About = {
  title: 'Infinite Peripherals Prima M',
  summary:
    'An audio-jack reader in its ID TECH mode: the record of an original ID TECH frame, without the frame.',
  evidence: 'verified',
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
  trials: [{what: 'a swipe', mode: 'swiped'}],
};
