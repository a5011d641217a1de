import {CARD_DATA_SETTING} from '../../reading.js';
import {type About, meanings} from '../about.js';
import {ENCODE_TYPES, FIELDS} from './layout.js';
import {IDTECH_TAGS} from './vivopay/layout.js';

/** ID TECH readers. */
export const aboutIdtech: About = {
  title: 'ID TECH readers',
  summary:
    'Magnetic stripe, chip and contactless readers of ID TECH and OEM versions sold under other brands: SecureMag, SecuRED, SREDKey, UniMag, Augusta, VP3300, VP3350, NEO and NEO2.',
  evidence: 'verified',
  proof:
    '26 published frames, 14 items of which decrypt under published keys; 8 keyed frames under private keys are proven by the hash of their plaintext. No public read shows AES on a swipe, the PIN key on a swipe, session IDs, DFEF4D or AES DUKPT.',
  format: 'docs/formats/idtech.md#idtech',
  example: 'securemag-enh-3trk-hex',
  forms: [
    {what: 'swipe frame, enhanced layout, as bytes or hex of either case', evidence: 'verified'},
    {what: 'swipe frame, original layout', evidence: 'verified'},
    {
      what: 'the same frames as typed by keyboard emulation: masked tracks as characters, the rest as hex in upper case; length, LRC and CheckSum count characters',
      evidence: 'verified',
    },
    {what: 'keyed entry, enhanced (type C0) and original (type 85)', evidence: 'verified'},
    {what: 'ViVOtech2 and ViVOpayV3 messages, CRC checked', evidence: 'verified'},
    {what: 'a swipe frame inside tag DFEE23 of such a message', evidence: 'verified'},
    {
      what: 'the TLV list alone, with or without a leading attribution byte',
      evidence: 'verified',
    },
    {what: 'zero bytes after ETX, as in USB HID reports', evidence: 'documented'},
  ],
  ksn: 'in the payload: the frame, tag DFEE12 or FFEE12; a `ksn` of the request must equal it',
  iv: 'zero; CBC chaining restarts at each track and each tag',
  serial: 'in the enhanced frame or tag 9F1E; else `deviceSerial`, else the KSN',
  keys: [
    {what: 'tracks, keyed entry, tags', setting: CARD_DATA_SETTING, evidence: 'verified'},
    {
      what: 'tags whose ciphertext is whole AES blocks: the TDES DUKPT data key as an AES-128 key',
      setting: {...CARD_DATA_SETTING, algorithm: 'aes'},
      evidence: 'verified',
    },
    {
      what: 'tracks when bit 4 of field 8 is set: the same AES-128 key',
      setting: {...CARD_DATA_SETTING, algorithm: 'aes'},
      evidence: 'documented',
    },
    {
      what: 'tracks when bit 6 of field 8 is set',
      setting: {...CARD_DATA_SETTING, variant: 'pin', selfEncrypted: false},
      evidence: 'documented',
    },
  ],
  tables: [
    {
      title: 'Fields of the frames',
      head: ['field'],
      rows: Object.values(FIELDS).map((name) => [name]),
    },
    {
      title: 'Card encode types (field 3)',
      head: ['type', 'meaning'],
      rows: Object.entries(ENCODE_TYPES).map(([type, {meaning}]) => [
        Number(type).toString(16).padStart(2, '0').toUpperCase(),
        meaning,
      ]),
    },
    meanings("ID TECH's own tags", 'tag', IDTECH_TAGS),
  ],
  notes: [
    {
      what: 'Tracks may come without sentinels and without LRC (NEO2).',
      evidence: 'verified',
    },
    {
      what: 'Enhanced frames: every track is encrypted on its own. Original frames: tracks 1 and 2 are encrypted as one CBC chain, track 3 is in cleartext.',
      evidence: 'verified',
    },
    {
      what: 'A hash is SHA-1 of the plaintext with sentinels and LRC; twenty zero bytes mean none.',
      evidence: 'verified',
    },
    {
      what: 'A MAC is HMAC-SHA256 under the unmasked transaction key of the MAC KSN. It is checked when there is a key for that KSN.',
      evidence: 'verified',
    },
    {
      what: 'Chip data: one masked and one encrypted object per tag, distinguished by length flags (A1, C1) or by their order; or DFEF5B and DFEF5D beside 5A and 57, or no masked copy at all. The plaintext is the whole object.',
      evidence: 'verified',
    },
    {
      what: 'Keyed entry includes CVV, street number and ZIP if the reader prompted for them.',
      evidence: 'verified',
    },
    {what: 'DFEF4D: tracks and PAN encrypted as one.', evidence: 'documented'},
    {what: 'The PIN block of tag 99 is in no response.', evidence: 'verified'},
  ],
  refused: [
    {what: 'LRC, CheckSum, CRC or ETX mismatch', code: 2101},
    {what: 'shorter than its length field indicates; an odd number of hex digits', code: 2102},
    {what: 'encode types 04, 84, 90 and others; XML; a host command', code: 2100},
    {
      what: 'cleartext tag 57 or 5A and no encrypted data; AAMVA and other cards in cleartext',
      code: 2110,
    },
    {what: 'TransArmor (bit 1 of the optional byte)', code: 2111},
    {what: 'a hash or masked copy that contradicts the plaintext', code: 2601},
  ],
  trials: [
    {what: 'a swipe', mode: 'swiped'},
    {
      what: 'the same as typed by keyboard emulation',
      mode: 'swiped',
      options: {form: 'keyboard'},
    },
    {what: 'keyed entry with CVV and ZIP', mode: 'keyed', options: {zip: '98745'}},
    {what: 'a chip read in a ViVOtech2 message', mode: 'emv', card: 'amex'},
    {what: 'the TDES DUKPT key used for AES', mode: 'emv', options: {algorithm: 'aes'}},
  ],
  sources: [
    'https://atlassian.idtechproducts.com/confluence/display/KB/80000502-001+ID+TECH+Encrypted+Data+Output+Formats',
    'https://docslib.org/doc/7215935/id-tech-tlv-tag-reference-guide',
    'https://www.easymanua.ls/idtech/securemag/manual?p=65',
    'https://www.easymanua.ls/idtech/sredkey-2/manual?p=23',
    'https://manuzoid.com/manuals/W85K8-ID%20TECH%20UniMag%20II%20User%20manual',
    'https://developers.bluefin.com/decryptx/docs/idtech-secured',
    'https://developers.bluefin.com/decryptx/docs/idtech-vp3350',
    'https://developers.bluefin.com/decryptx/docs/idtech-vp5300',
    'https://github.com/sgbj/Dukpt.NET/issues/2',
    'https://github.com/payroc/payroc-sdk-dotnet',
  ],
};
