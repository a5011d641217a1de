import {type About, meanings} from '../about.js';
import {MIURA} from './layout.js';

/** Miura Systems terminals. */
export const aboutMiura: About = {
  title: 'Miura Systems terminals',
  summary: 'M006, M007, M010, M020 and Shuttle, which all use MPI: SRED data in a TLV template.',
  evidence: 'verified',
  tables: [meanings("Miura's own tags", 'tag', MIURA.names)],
  trials: [
    {what: 'a swipe', mode: 'swiped'},
    {what: 'a chip read', mode: 'emv', card: 'amex'},
    {what: 'keyed entry', mode: 'keyed'},
  ],
};
