import type {About} from '../about.js';

/** Infinite Peripherals Prima M. */
export const aboutPrima: About = {
  title: 'Infinite Peripherals Prima M',
  summary:
    'An audio-jack reader in its ID TECH mode: the record of an original ID TECH frame, without the frame.',
  evidence: 'verified',
  tables: [],
  trials: [{what: 'a swipe', mode: 'swiped'}],
};
