import {type About, meanings} from '../about.js';
import {ENCRYPTIONS, STATUSES, VERIFONE_TAGS, XPI_DATA_TYPES} from './layout.js';

/** Verifone XPI and VIPA. */
export const aboutVerifone: About = {
  title: 'Verifone terminals (XPI, VIPA)',
  summary:
    'Two families: XPI responses E07 with a base64 blob, VIPA (P200, P400, Ux300, VX) responses with TLV in link frames. Both carry KSN and IV.',
  evidence: 'verified',
  tables: [
    meanings("Verifone's own tags", 'tag', VERIFONE_TAGS),
    meanings('Status of E07', 'value', STATUSES),
    meanings('Encryption type of E07', 'value', ENCRYPTIONS),
    meanings('Data type of E07', 'value', XPI_DATA_TYPES),
  ],
  trials: [
    {what: 'a swipe in VIPA frames', mode: 'swiped', iv: 'A79DDD0FF736B32B'},
    {
      what: 'a chip read of XPI in base64',
      mode: 'emv',
      iv: 'DB1E263826651F30',
      options: {form: 'base64'},
    },
    {what: 'keyed entry', mode: 'keyed', iv: 'A79DDD0FF736B32B'},
  ],
};
