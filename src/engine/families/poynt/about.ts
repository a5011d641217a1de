import type {About} from '../about.js';
import {FORWARDED_TABLE} from '../forwarded/layout.js';

/** Poynt terminals: transactions of the Poynt API. */
export const aboutPoynt: About = {
  title: 'Poynt terminals (transactions in JSON)',
  summary: 'Transactions whose card data and EMV tags contain tracks after zeros, under one KSN.',
  evidence: 'verified',
  tables: [FORWARDED_TABLE],
  trials: [
    {what: 'both tracks', mode: 'swiped'},
    {what: 'a transaction with track 2', mode: 'swiped', options: {form: 'request', tracks: '2'}},
  ],
};
