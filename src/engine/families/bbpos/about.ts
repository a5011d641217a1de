import type {About} from '../about.js';
import {FORWARDED_TABLE} from '../forwarded/layout.js';

/** BBPOS readers, as a processor passes their reads on. */
export const aboutBbpos: About = {
  title: 'BBPOS readers in the request of a processor',
  summary:
    'Not the form of the reader itself (`wisepad`): one member `track1`, which holds track 2, and its KSN.',
  evidence: 'inferred',
  tables: [FORWARDED_TABLE],
  trials: [
    {what: 'packed track 2 in `track1`', mode: 'swiped'},
    {what: 'a whole request', mode: 'swiped', options: {form: 'request'}},
  ],
};
