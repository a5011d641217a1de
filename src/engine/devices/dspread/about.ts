import {CARD_DATA_SETTING} from '../../reading.js';
import {type About, meanings} from '../about.js';
import {DSPREAD_FORMATS, DSPREAD_SETTINGS, DSPREAD_TAGS} from '../wisepad/layout.js';
import {membersOf} from '../wisepad/members.js';

const [newer = CARD_DATA_SETTING, older = newer, third = newer] = DSPREAD_SETTINGS;

/** DSpread QPOS. */
export const aboutDspread: About = {
  title: 'DSpread QPOS',
  summary:
    'QPOS mini, Cute, Plus, CR100, D20 to D80 and MP300: a swipe or a tap is a dictionary of the SDK, a chip read is a TLV list. The format is a dialect of BBPOS WisePad; either type reads both.',
  evidence: 'verified',
  proof:
    'Twenty-three published reads decrypt under the published key, which is the factory default: messages in three shapes, swipes with all tracks, a tap. No batch or reversal read with a key is public, nor one under AES DUKPT or a master key.',
  format: 'docs/formats/dspread.md#dspread-qpos',
  example: 'dspread-swipe-json',
  forms: [
    {what: 'the dictionary as JSON, or as its `{k=v, k=v}` dump', evidence: 'verified'},
    {what: '`Label: value` lines as the demo prints them', evidence: 'documented'},
    {what: 'members joined by `_` and commas, of a plugin for Cordova', evidence: 'seen'},
    {
      what: 'hex of a TLV list that contains C2, C5 or C6, alone or after its length',
      evidence: 'verified',
    },
    {what: 'hex of the encrypted tracks alone, recognised by its length', evidence: 'inferred'},
  ],
  ksn: '`trackksn` of the dictionary, else `ksn`; C0 for C2, C3 for C5 and C6. Otherwise `ksn` of the request, or none under a working key',
  iv: 'zero; CBC chaining restarts at each track and each message',
  serial: '`deviceSerial`, else the first 14 digits of the KSN of the card data',
  keys: [
    {what: 'newer firmware', setting: newer, evidence: 'verified'},
    {what: 'older firmware', setting: older, evidence: 'verified'},
    {what: 'tried third', setting: third, evidence: 'verified'},
  ],
  tables: [
    {
      title: 'Bytes of encrypted tracks',
      head: ['format ID', 'track 1', 'track 2', 'track 3'],
      rows: DSPREAD_FORMATS.slice(0, 1).map(({id, bytes, loneTrack2}) => [
        id,
        `${bytes[1]}`,
        `${bytes[2]}, of a tap ${loneTrack2}`,
        `${bytes[3]}`,
      ]),
    },
    {
      title: 'Members of the dictionary',
      head: ['member', 'label', 'meaning'],
      rows: membersOf('DSpread').map(({name, label = '', meaning}) => [name, label, meaning]),
    },
    meanings("DSpread's own tags", 'tag', DSPREAD_TAGS),
  ],
  notes: [
    {
      what: 'The keys of tracks, EMV and PIN are three, each with its own KSN; register one key for each prefix.',
      evidence: 'documented',
    },
    {
      what: 'The encrypted list is inside `70`, alone, or only 5A and 57; zeros follow, or nothing.',
      evidence: 'verified',
    },
    {
      what: '`maskedPAN`, `expiryDate`, `serviceCode` and the lengths repeat the tracks and must agree with them.',
      evidence: 'verified',
    },
    {
      what: 'C7 of 8 bytes is a PIN block, never a KSN. No response has a PIN block or `encPAN`.',
      evidence: 'verified',
    },
    {
      what: 'A message of C0, C2 and C4 alone may be of either maker: PKCS #7 padding is of BBPOS, zeros or none are of DSpread.',
      evidence: 'verified',
    },
    {
      what: 'MK/SK: no KSN; under a working key ECB is tried, then CBC.',
      evidence: 'inferred',
    },
  ],
  refused: [
    {what: 'none of the forms; a length that matches no set of tracks', code: 2100},
    {what: 'truncated TLV; a ciphertext of broken blocks', code: 2102},
    {what: 'a track or card number in cleartext and no encrypted data', code: 2110},
    {what: 'format IDs other than 30 and FF: `trackblock` and acquirer schemes', code: 2111},
    {what: 'no KSN, and no working key', code: 2400},
    {what: 'masked PAN, lengths, expiry or service code that contradict the card', code: 2601},
  ],
  trials: [
    {what: 'a swipe', mode: 'swiped'},
    {
      what: 'a swipe of older firmware, as the log prints it',
      mode: 'swiped',
      options: {form: 'dump', firmware: 'old'},
    },
    {what: 'a tap', mode: 'swiped', options: {source: 'tap'}},
    {what: 'a chip read with a PIN', mode: 'emv', card: 'amex', options: {pin: 'on'}},
  ],
  sources: [
    'https://github.com/DspreadOrg/qpos',
    'https://github.com/DspreadOrg/ios',
    'https://github.com/DspreadOrg/android',
    'https://github.com/oywanli/android',
    'https://github.com/DspreadOrg/cordova-plugin',
  ],
};
