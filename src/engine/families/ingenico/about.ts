import type {About} from '../about.js';
import {meanings} from '../about.js';
import {CARD_SOURCES, EXIT_TYPES, INGENICO_TAGS, RECORD_INDICATORS} from './layout.js';

/** Ingenico RBA, UPP and ARC. */
export const aboutRba: About = {
  title: 'Ingenico RBA, UPP and ARC',
  summary:
    'Text messages of the Retail Base Application (iPP320, iPP350, iSC250, iSC480, iUN, iWL and others) and of its successors. Encryption types 11 and 19 can be decrypted, On-Guard cannot.',
  evidence: 'inferred',
  tables: [
    meanings('Indicator of a track 3 record', 'value', RECORD_INDICATORS),
    meanings("Ingenico's own tags in 33.0x", 'tag', INGENICO_TAGS),
    {
      title: 'Card sources',
      head: ['value', 'meaning', 'mode'],
      rows: Object.entries(CARD_SOURCES).map(([value, {meaning, mode}]) => [value, meaning, mode]),
    },
    meanings('Exit types', 'value', EXIT_TYPES),
  ],
  trials: [
    {what: 'a swipe in message 23', mode: 'swiped'},
    {what: 'a chip read in message 33', mode: 'emv'},
    {what: 'keyed entry', mode: 'keyed'},
    {what: 'On-Guard, which is rejected', mode: 'swiped', options: {scheme: 'onguard'}, code: 2111},
  ],
};

/** Ingenico RA1. */
export const aboutRa1: About = {
  title: 'Ingenico RA1',
  summary:
    'Binary responses of iSMP4 and iPP350: tracks as raw magnetic stripe codes, encrypted by On-Guard. paylens parses the layout but cannot decrypt the content.',
  evidence: 'inferred',
  tables: [],
  trials: [{what: 'a response that is rejected', mode: 'swiped', code: 2111}],
};
