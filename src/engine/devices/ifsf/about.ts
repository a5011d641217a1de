import {CARD_DATA_SETTING} from '../../reading.js';
import type {About} from '../about.js';
import {EDITIONS, MEANINGS} from './layout.js';

/** Host messages of the International Forecourt Standards Forum. */
export const aboutIfsf: About = {
  title: 'IFSF host messages (ISO 8583, fuel)',
  summary:
    'Not a reader but a host interface: DE-127 of its messages holds the encrypted data elements of the card.',
  evidence: 'verified',
  proof:
    'The plaintexts of reads under both editions of the standard are published with their keys. The elements of keyed entry are seen in the same public source; tracks 1 and 3 are inferred.',
  format: 'docs/formats/ifsf.md#ifsf',
  example: 'ifsf-2009-track2',
  forms: [
    {what: 'the value of DE-127 in hex or binary', evidence: 'verified'},
    {
      what: 'a JSON object with `de127`, and `de53` or `ksn`, and `iv`; names in any case, also `DE-127`, `127`, `P-53`, `S-127`',
      evidence: 'inferred',
    },
    {what: 'lines such as `DE-127: value` with the same names', evidence: 'inferred'},
  ],
  ksn: 'DE-53 or `ksn` of a description, else `ksn` of the request',
  iv: 'zero, else `iv` of a description or of the request',
  serial: 'not in the message: `deviceSerial`, else the KSN',
  keys: [
    {what: 'X9.24-1:2009, tried first', setting: CARD_DATA_SETTING, evidence: 'verified'},
    {what: 'X9.24-1:2004', setting: EDITIONS[2004], evidence: 'verified'},
  ],
  tables: [
    {
      title: 'Elements, repeated: tag, length, value',
      head: ['bytes', 'field'],
      rows: [
        ['1', 'tag: the number of the element in binary'],
        ['2', 'length of the value, big-endian'],
        ['length', 'value in ASCII'],
      ],
    },
    {
      title: 'Tags of the plaintext',
      head: ['tag', 'element', 'value'],
      rows: [
        ['02', 'DE-2', 'card number, 12 to 19 digits'],
        ['0E', 'DE-14', 'expiry: YYMM, or YYMMDD'],
        ['23', 'DE-35', 'track 2 without sentinels; `=` or the letter `D`'],
        ['24', 'DE-36', 'track 3 without sentinels'],
        ['2D', 'DE-45', 'track 1 without sentinels'],
      ],
    },
    {
      title: 'Elements in a description',
      head: ['element', 'meaning'],
      rows: Object.entries(MEANINGS),
    },
  ],
  notes: [
    {
      what: 'Nothing in a message says which edition its keys follow: the same card under the same key gives two ciphertexts. The edition whose plaintext reads to its end is the right one.',
      evidence: 'verified',
    },
    {
      what: 'The value may end in zeros, in `80` and zeros, or in those and a further block of zeros.',
      evidence: 'verified',
    },
    {
      what: 'Each element occurs once, and DE-2 and DE-14 must agree with track 2.',
      evidence: 'inferred',
    },
    {
      what: 'Bare hex could be any ciphertext, so it is recognised only by its names: pass `--device-type ifsf`.',
      evidence: 'inferred',
    },
    {
      what: 'The MAC in DE-64 or DE-128 and the PIN block in DE-52 are named and not used.',
      evidence: 'inferred',
    },
  ],
  refused: [
    {what: 'a whole ISO 8583 message; a description without DE-127', code: 2100},
    {what: 'a value that is not whole blocks', code: 2102},
    {what: 'DE-2, DE-35 or DE-45 in cleartext, and no DE-127', code: 2110},
    {
      what: 'DE-53 of keys that the hosts share or draw (ZKA), unless the working key is given',
      code: 2111,
    },
    {what: 'no KSN; two that differ', code: 2400},
    {what: 'neither edition gives elements of a card, or they contradict each other', code: 2601},
  ],
  trials: [
    {what: 'track 2 alone', mode: 'swiped'},
    {
      what: 'card number, expiry and track 2 as JSON',
      mode: 'swiped',
      options: {form: 'json', elements: '2,14,35', expiry: 'YYMMDD', separator: 'D'},
    },
    {
      what: 'keyed entry under the edition of 2004',
      mode: 'keyed',
      options: {edition: '2004', padding: 'iso7816'},
    },
    {
      what: 'lines with an IV',
      mode: 'keyed',
      iv: '0123456789ABCDEF',
      options: {form: 'lines', names: 'DE-127'},
    },
  ],
  sources: [
    'https://github.com/alessandrozamberletti/ansix9242004',
    'https://developer.payex.com/xwiki/wiki/developer/view/Main/POS/Payment%20Service%20provider%20API%20ISO8583_2%20%28%20IFSF%29%20H2H%20description/',
  ],
};
