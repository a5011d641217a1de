import type {About} from '../about.js';
import {meanings} from '../about.js';
import {
  CARD_SOURCES,
  EXIT_TYPES,
  INDICATORS,
  INGENICO_TAGS,
  ON_GUARD_CLEAR,
  ON_GUARD_ENCRYPTED,
  ON_GUARD_HEAD,
  RA1_TRACKS,
  RECORD_PARTS,
  type RecordField,
} from './layout.js';

/** Ingenico RBA, UPP and ARC. */
export const aboutRba: About = {
  title: 'Ingenico RBA, UPP and ARC',
  summary:
    'Text messages of the Retail Base Application (iPP320, iPP350, iSC250, iSC480, iUN, iWL and others) and of its successors. Encryption types 11 and 19 can be decrypted, On-Guard cannot.',
  evidence: 'inferred',
  tables: [
    {
      title: 'Record of types 11 and 19 (encrypted track 3, tag FF21), between `:`',
      head: ['part', 'meaning'],
      rows: RECORD_PARTS.map((name, i) => [String(i + 1), name]),
    },
    meanings('Its indicator', 'value', INDICATORS),
    {
      title: 'On-Guard record (parsed, then rejected)',
      head: ['field', 'characters', 'present'],
      rows: [
        ...ON_GUARD_HEAD.map((field) => recordRow(field, '')),
        ...ON_GUARD_ENCRYPTED.map((field) => recordRow(field, 'flag 1')),
        ...ON_GUARD_CLEAR.map((field) => recordRow(field, 'flag 0')),
      ],
    },
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
    {
      what: 'On-Guard, which is rejected',
      mode: 'swiped',
      options: {scheme: 'onguard'},
      code: 2111,
    },
  ],
};

/** Ingenico RA1. */
export const aboutRa1: About = {
  title: 'Ingenico RA1',
  summary:
    'Binary responses of iSMP4 and iPP350: tracks as raw magnetic stripe codes, encrypted by On-Guard. paylens parses the layout but cannot decrypt the content.',
  evidence: 'inferred',
  tables: [
    {
      title: 'The response',
      head: ['bytes', 'field'],
      rows: [
        ...RA1_TRACKS.flatMap(({name, highest}) => [
          ['1', `${name}: code, 00 is success`],
          ['2', `${name}: length, big-endian`],
          [
            'length',
            `${name}: one magnetic stripe code per byte, at most ${highest.toString(16).toUpperCase()}`,
          ],
        ]),
        ['2', 'SW1 SW2, 9000 is success'],
      ],
    },
  ],
  trials: [{what: 'a response that is rejected', mode: 'swiped', code: 2111}],
};

function recordRow({name, width, swipeOnly}: RecordField, behind: string): string[] {
  const present = [behind, swipeOnly ? 'not for keyed entry' : ''].filter((part) => part !== '');
  return [name, width === undefined ? 'given by 2 digits' : String(width), present.join(', ')];
}
