import type {About} from '../about.js';
import {FORWARDED_TABLE} from '../forwarded/layout.js';

/** Spire payment terminals in requests of a gateway. */
export const aboutSpire: About = {
  title: 'Spire SPm2 (Thor, PosMate) in the request of a gateway',
  summary:
    'The packed track 2 equivalent of a chip card, with the parameters of its encryption beside it.',
  evidence: 'verified',
  tables: [FORWARDED_TABLE],
  trials: [
    {what: 'track 2 equivalent', mode: 'emv'},
    {what: 'a whole request', mode: 'emv', options: {form: 'request'}},
  ],
};
