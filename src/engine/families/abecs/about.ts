import type {About} from '../about.js';
import {ABECS_METHODS, DEFINITIONS} from './layout.js';

/** PIN pads of the Brazilian ABECS protocol. */
export const aboutAbecs: About = {
  title: 'ABECS PIN pads (Brazil)',
  summary:
    'Tracks whose card number alone is encrypted ("PAN Criptografado"), and encrypted tracks of the command GTK.',
  evidence: 'verified',
  tables: [
    {
      title: 'Objects',
      head: ['name', 'id', 'meaning'],
      rows: DEFINITIONS.map(([name, {id, meaning}]) => [`\`${name}\``, `\`${id}\``, meaning]),
    },
    {
      title: 'Methods',
      head: ['SPE_MTHDDAT', 'meaning'],
      rows: Object.entries(ABECS_METHODS).map(([code, {meaning}]) => [`\`${code}\``, meaning]),
    },
  ],
  trials: [
    {what: 'both tracks of GTK', mode: 'swiped'},
    {what: 'the card number and the tracks of a chip card', mode: 'emv'},
    {
      what: 'the response to GTK in ECB, eight digits in cleartext',
      mode: 'swiped',
      options: {form: 'response', method: '50', digits: '8'},
    },
    {
      what: 'tracks with an encrypted card number; under DUKPT the data key of the KSN is used as the working key',
      mode: 'swiped',
      options: {form: 'text'},
    },
  ],
};
