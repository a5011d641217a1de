import {type About, meanings} from '../about.js';
import {DSPREAD, DSPREAD_FORMATS} from '../wisepad/layout.js';
import {membersOfMaker} from '../wisepad/members.js';

/** DSpread QPOS. */
export const aboutDspread: About = {
  title: 'DSpread QPOS',
  summary:
    'QPOS mini, Cute, Plus, CR100, D20 to D80 and MP300: a swipe or a tap is a dictionary of the SDK, a chip read is a TLV list. The format is a dialect of BBPOS WisePad; either type reads both.',
  evidence: 'inferred',
  tables: [
    {
      title: 'Bytes of encrypted tracks',
      head: ['format ID', 'track 1', 'track 2', 'track 3'],
      rows: DSPREAD_FORMATS.slice(0, 1).map(({id, bytes, singleTrack2Bytes}) => [
        id,
        `${bytes[1]}`,
        `${bytes[2]}, of a tap ${singleTrack2Bytes}`,
        `${bytes[3]}`,
      ]),
    },
    {
      title: 'Members of the dictionary',
      head: ['member', 'label', 'meaning'],
      rows: membersOfMaker('DSpread').map(({name, label, meaning}) => [name, label, meaning]),
    },
    meanings("DSpread's own tags", 'tag', DSPREAD.names),
  ],
  trials: [
    {what: 'a swipe', mode: 'swiped'},
    {
      what: 'a swipe of older firmware, as the log prints it',
      mode: 'swiped',
      options: {form: 'dump', firmware: 'old'},
    },
    {what: 'a tap', mode: 'swiped', options: {source: 'tap'}},
    {what: 'a chip read', mode: 'emv', card: 'amex'},
  ],
};
