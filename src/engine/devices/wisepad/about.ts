import {CARD_DATA_SETTING} from '../../reading.js';
import {type About, meanings} from '../about.js';
import {TRACK_FORMATS, WISEPAD_TAGS} from './layout.js';
import {membersOf} from './members.js';

/** BBPOS WisePad. */
export const aboutWisepad: About = {
  title: 'BBPOS WisePad',
  summary:
    'Mobile terminals of BBPOS: a swipe is a dictionary of the SDK or the bare encrypted tracks, a chip read is a TLV list. wisepad and wisepad2 accept the same payloads.',
  evidence: 'verified',
  proof:
    'Format 60: four published reads; format 54: one; chip messages: of the sibling WisePad 2. The exact text that the public deployment expects is not documented.',
  format: 'docs/formats/wisepad.md#wisepad-and-wisepad2',
  example: 'wisepad-fid60-t1-labels',
  forms: [
    {what: 'the dictionary as JSON, or as its `{k=v, k=v}` dump', evidence: 'seen'},
    {what: '`Label: value` lines as the demo prints them', evidence: 'documented'},
    {what: '`k=v` lines, or a query string', evidence: 'inferred'},
    {what: 'hex of a TLV list that contains C2, C5, C6 or C8', evidence: 'verified'},
    {what: 'hex of the encrypted tracks alone, recognised by its length', evidence: 'verified'},
  ],
  ksn: 'in the dictionary; C0 for C2, C7 for C8, C3 for C5 and C6. Bare tracks need `ksn` of the request',
  iv: 'zero; CBC chaining restarts at each track and each message',
  serial:
    'DF826E or `serialNumber`; else `deviceSerial`, else the first 14 digits of the KSN of the tracks, of a chip message C0',
  keys: [
    ...TRACK_FORMATS.map(({id, setting, packing}) => ({
      what: `tracks, format ID ${id}: ${packing}`,
      setting,
      evidence: 'verified' as const,
    })),
    {what: 'C2, C5, C6 and C8', setting: CARD_DATA_SETTING, evidence: 'verified'},
    {what: '`encPAN` of keyed entry', setting: CARD_DATA_SETTING, evidence: 'verified'},
  ],
  tables: [
    {
      title: 'Bytes of encrypted tracks',
      head: ['format ID', 'track 1', 'track 2', 'track 3'],
      rows: TRACK_FORMATS.map(({id, bytes}) => [id, ...Object.values(bytes).map(String)]),
    },
    {
      title: 'Members of the dictionary',
      head: ['member', 'label', 'meaning'],
      rows: membersOf('BBPOS').map(({name, label = '', meaning}) => [name, label, meaning]),
    },
    meanings("BBPOS's own tags", 'tag', WISEPAD_TAGS),
  ],
  notes: [
    {
      what: 'Tracks are concatenated in the order 1, 2, 3; an absent track takes no space. Without `formatID` both formats of that length are tried, 60 first.',
      evidence: 'seen',
    },
    {
      what: 'One device has different KSNs for tracks, chip messages, PIN and MAC: do not mix them up.',
      evidence: 'documented',
    },
    {
      what: 'C4, C8 and the 57 and 5A inside C2 must contain the same card.',
      evidence: 'verified',
    },
    {what: 'Keyed entry needs `expiryDate`, and `maskedPAN` as proof.', evidence: 'verified'},
    {what: 'The MAC is not checked; no response has the PIN block.', evidence: 'verified'},
  ],
  refused: [
    {what: 'none of the forms; a length that matches no set of tracks', code: 2100},
    {what: 'truncated TLV', code: 2102},
    {what: '`pan` or a track in cleartext and no encrypted data', code: 2110},
    {what: 'format IDs other than 60 and 54', code: 2111},
    {what: 'no KSN for the tracks or message; a KSN of 7 bytes (a fixed-key build)', code: 2400},
    {what: 'PANs that contradict each other', code: 2601},
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
  sources: [
    'https://developers.bluefin.com/decryptx/docs/wisepad',
    'https://developers.bluefin.com/decryptx/docs/wisepad-payloads',
    'https://developers.bluefin.com/decryptx/docs/wisepad-2-payloads',
    'https://github.com/hayrapetyanabraham/WisePad2-Card-Reader',
    'https://github.com/payroc/payroc-sdk-dotnet',
    'https://github.com/icorso/wn_api',
  ],
};

/** BBPOS WisePad 2: the same payloads. */
export const aboutWisepad2: About = {
  ...aboutWisepad,
  title: 'BBPOS WisePad 2',
  proof:
    'Two published chip reads and one swipe (track 2 packed) decrypt. No track 1 of a WisePad 2 is public; it is expected to be as of the WisePad.',
  example: 'payroc-wp2-contactless-amex',
  trials: [
    {what: 'a chip read', mode: 'emv', card: 'amex'},
    {
      what: 'a swipe of track 2, packed',
      mode: 'swiped',
      options: {tracks: '2', packing: 'nibbles'},
    },
    {what: 'keyed entry', mode: 'keyed'},
  ],
};
