import type {About} from '../about.js';
import {meanings} from '../about.js';
import {
  CARD_SOURCES,
  CLOSED_TYPES,
  EXIT_TYPES,
  INDICATORS,
  INGENICO_TAGS,
  ON_GUARD_CLEAR,
  ON_GUARD_ENCRYPTED,
  ON_GUARD_HEAD,
  RA1_TRACKS,
  RECORD_PARTS,
  RECORD_SETTINGS,
  type RecordField,
} from './layout.js';

/** Ingenico RBA, UPP and ARC. */
export const aboutRba: About = {
  title: 'Ingenico RBA, UPP and ARC',
  summary:
    'Text messages of the Retail Base Application (iPP320, iPP350, iSC250, iSC480, iUN, iWL and others) and of its successors. Encryption types 11 and 19 can be decrypted, On-Guard cannot.',
  evidence: 'seen',
  proof:
    'Messages and the record of types 11 and 19 are in public source code; which key variant they use is inferred, so three are tried. The On-Guard record matches a published one to its last character. No read of types 11 or 19 with a known key is public.',
  format: 'docs/formats/ingenico.md#rba',
  example: 'rba-23-tdes-t1t2',
  forms: [
    {what: 'messages 23.x, 41.x, 87.x and 33.0x', evidence: 'seen'},
    {
      what: 'with or without STX, ETX and LRC; FS as a byte or spelt `[FS]` or `<FS>`; the whole as hex',
      evidence: 'inferred',
    },
    {what: 'an On-Guard record, or a record of types 11 and 19, alone', evidence: 'documented'},
  ],
  ksn: 'in the record',
  iv: 'zero, unless the request gives one',
  serial: '`deviceSerial` (the terminal reports it in message 08.x), else the KSN',
  keys: RECORD_SETTINGS.map((setting, i) => ({
    what: `types 11 and 19, tried ${['first', 'second', 'third'][i]}`,
    setting,
    evidence: 'inferred',
  })),
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
  notes: [
    {
      what: 'Plaintext: tracks without sentinels, joined by `|`, `#`, `;` or a zero byte; keyed entry: PAN, expiry, CVV.',
      evidence: 'seen',
    },
    {
      what: 'Masked tracks 1 and 2 beside the record prove the key; hidden digits are 0.',
      evidence: 'seen',
    },
    {what: 'The length in the record is not checked.', evidence: 'inferred'},
  ],
  refused: [
    {what: 'other messages; an exit type other than 0; no card data', code: 2100},
    {what: 'LRC mismatch after ETX', code: 2101},
    {
      what: 'ciphertext that is not whole blocks; an On-Guard length that runs past the end',
      code: 2102,
    },
    {
      what: 'cleartext tracks or tags and no encrypted data; an On-Guard record of a cleartext card',
      code: 2110,
    },
    ...Object.entries(CLOSED_TYPES).map(([type, name]) => ({
      what: `encryption type ${type}: ${name}`,
      code: 2111 as const,
    })),
    {what: 'Voltage (tag FF20), tag FF1E without FF21', code: 2111},
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
  sources: [
    'https://developers.bluefin.com/decryptx/docs/ingenico-rba',
    'https://developers.bluefin.com/decryptx/docs/ingenico-rba-payloads',
    'https://developers.bluefin.com/decryptx/docs/ingenico-upp-series',
    'https://cert-parser.decryptx.com/payloads/ingenico.html',
    'https://github.com/bluefin-developer-portal/dev-portal-assets',
    'https://github.com/web-projects/SPHERE_INGENICO',
    'https://docs.shift4.com/guides/core-concepts/p2pe-format',
  ],
};

/** Ingenico RA1. */
export const aboutRa1: About = {
  title: 'Ingenico RA1',
  summary:
    'Binary responses of iSMP4 and iPP350: tracks as raw magnetic stripe codes, encrypted by On-Guard. paylens parses the layout but cannot decrypt the content.',
  evidence: 'verified',
  proof:
    'One published response parses completely. Its tracks are format-preserving ciphertext; On-Guard is not public, so no card ever comes out.',
  format: 'docs/formats/ingenico.md#ra1',
  example: 'ingenico-ra1-swipe-bluefin',
  forms: [{what: 'hex of the swipe response', evidence: 'verified'}],
  ksn: 'not used: the response is rejected whatever `ksn` is given',
  iv: 'not used',
  serial: 'not in the payload',
  keys: [],
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
  notes: [
    {
      what: 'A character of track 1 is its code + 20 (hex), of track 2 its code + 30.',
      evidence: 'verified',
    },
  ],
  refused: [
    {what: 'every matching response: On-Guard FPE', code: 2111},
    {what: 'a different layout, or SW1 SW2 other than 9000', code: 2100},
    {what: 'shorter than its lengths indicate', code: 2102},
  ],
  trials: [{what: 'a response that is rejected', mode: 'swiped', code: 2111}],
  sources: [
    'https://developers.bluefin.com/decryptx/docs/ingenico-ra1',
    'https://developers.bluefin.com/decryptx/docs/ingenico-ra1-payloads',
  ],
};

function recordRow({name, width, swipeOnly}: RecordField, behind: string): string[] {
  const present = [behind, swipeOnly ? 'not for keyed entry' : ''].filter((part) => part !== '');
  return [name, width === undefined ? 'given by 2 digits' : String(width), present.join(', ')];
}
