import {type About, meanings} from '../about.js';
import {TRACK_FORMATS, WISEPAD} from './layout.js';
import {membersOfMaker} from './members.js';

/** BBPOS WisePad. */
export const aboutWisepad: About = {
  title: 'BBPOS WisePad',
  summary:
    'Mobile terminals of BBPOS: a swipe is a dictionary of the SDK or the bare encrypted tracks, a chip read is a TLV list. wisepad and wisepad2 accept the same payloads.',
  evidence: 'verified',
  tables: [
    {
      title: 'Bytes of encrypted tracks',
      head: ['format ID', 'track 1', 'track 2', 'track 3'],
      rows: TRACK_FORMATS.map(({id, bytes}) => [id, ...Object.values(bytes).map(String)]),
    },
    {
      title: 'Members of the dictionary',
      head: ['member', 'label', 'meaning'],
      rows: membersOfMaker('BBPOS').map(({name, label, meaning}) => [name, label, meaning]),
    },
    meanings("BBPOS's own tags", 'tag', WISEPAD.names),
  ],
  trials: [
    {what: 'a swipe as bare hex', mode: 'swiped'},
    {
      what: 'a swipe as labelled lines, format 54',
      mode: 'swiped',
      options: {form: 'labels', format: '54'},
    },
    {what: 'a chip read', mode: 'emv', card: 'amex'},
    {what: 'keyed entry', mode: 'keyed'},
  ],
};

/** BBPOS WisePad 2: the same payloads. */
export const aboutWisepad2: About = {
  ...aboutWisepad,
  title: 'BBPOS WisePad 2',
  trials: [
    {what: 'a chip read', mode: 'emv', card: 'amex'},
    {what: 'a swipe of track 2, packed', mode: 'swiped', options: {tracks: '2'}},
    {what: 'keyed entry', mode: 'keyed'},
  ],
};
