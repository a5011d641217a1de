import type {About} from '../about.js';
import {FORWARDED_TABLE} from '../forwarded/layout.js';

/** Newland readers, as a processor passes their reads on. */
export const aboutNewland: About = {
  title: 'Newland readers in the request of a processor',
  summary:
    'Track 1 without sentinels under a working key, with its length before it; or under DUKPT.',
  evidence: 'inferred',
  tables: [FORWARDED_TABLE],
  trials: [
    {what: 'track 1 with its length', mode: 'swiped'},
    {
      what: 'a request, CBC under an IV',
      mode: 'swiped',
      iv: '0123456789ABCDEF',
      options: {form: 'request'},
    },
  ],
};
