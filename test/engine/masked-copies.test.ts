import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../src/contract/device-types.js';
import {asciiTrack} from './devices/bbpos-tracks.js';
import {enhanced, flagged, track} from './devices/idtech-frames.js';
import {answer} from './samples.js';
import {encrypt, lrcOf, tlv} from './terminal.js';

const PAN = '4012888888881881';
const KSN = 'FFFF9876543210E00021';
const IV = '0F1E2D3C4B5A6978';
const TRACK_1 = `%B${PAN}^SAMPLE/CARD^28012011234567?`;
const TRACK_2 = `;${PAN}=28012011234567?`;
const TAG_57 = tlv('57', `${PAN}D28012011234567F`);

const list = (...parts: readonly Uint8Array[]) => Buffer.concat(parts);
const hex = (...parts: readonly Uint8Array[]) =>
  list(...parts)
    .toString('hex')
    .toUpperCase();
const cipher = (plain: string | Uint8Array, more: object = {}) =>
  encrypt(plain, {ksn: KSN, ...more})
    .toString('hex')
    .toUpperCase();

/** A copy with `hidden` digits between its ends, each hidden by `mask`. */
type Copy = (mask: string) => string;

const copyOf =
  (head: string, hidden: number, tail: string): Copy =>
  (mask) =>
    head + mask.repeat(hidden) + tail;

const nibbles = (digits: string) => (digits.length % 2 === 0 ? digits : `${digits}F`);

const onlineOf = (plain: Uint8Array) =>
  list(tlv('C0', KSN), tlv('C2', encrypt(plain, {ksn: KSN, fill: 'pkcs7'})));
const sredOf = (plain: Uint8Array) =>
  list(tlv('DFAE02', encrypt(plain, {ksn: KSN})), tlv('DFAE03', KSN));
const vipaOf = (plain: string | Uint8Array) =>
  tlv(
    'FF7F',
    list(
      tlv('DFDF12', IV),
      tlv('DFDF11', KSN),
      tlv('DFDF10', encrypt(plain, {ksn: KSN, iv: IV, fill: 'iso7816'})),
    ),
  );
const xpiOf = (plain: Uint8Array) =>
  list(tlv('DF9020', encrypt(plain, {ksn: KSN, iv: IV})), tlv('DF9021', KSN), tlv('DF9022', IV));
const idtechOf = (tag: Buffer) =>
  list(tlv('DFEE12', KSN), flagged(tag.toString('hex', 0, 1), 'C1', encrypt(tag, {ksn: KSN})));

const BBPOS_1 = cipher(asciiTrack(TRACK_1, 80));
const BBPOS_2 = cipher(asciiTrack(TRACK_2, 40));
const track1Tag = tlv('5F21', Buffer.from(TRACK_1 + lrcOf(TRACK_1)));
const track2Tag = tlv('5F22', Buffer.from(TRACK_2 + lrcOf(TRACK_2)));

function record(plain: string | Uint8Array): string {
  const digits = cipher(plain);
  return `${KSN}:1:${String(digits.length).padStart(4, '0')}:${digits}`;
}

const fields = (...all: readonly string[]) => all.join('\x1c');

function magtek(masked: string, track1: string, track2: string): string {
  return [masked, '0600', track1, track2, '', '', '', '', '', KSN, '', '', '0000'].join('|');
}

const pin = {variant: 'pin'};

/** Payloads of the card, each with a masked copy somewhere. */
const PAYLOADS: readonly (readonly [string, DeviceType, (copy: Copy) => string])[] = [
  ...(['C4', 'DF03'] as const).flatMap((tag) => [
    [
      `${tag} beside 57`,
      'wisepad',
      (copy: Copy) => hex(onlineOf(TAG_57), tlv(tag, nibbles(copy('F')))),
    ] as const,
    [
      `${tag} beside tracks in the message`,
      'wisepad2',
      (copy: Copy) => hex(tlv(tag, nibbles(copy('F'))), onlineOf(track2Tag)),
    ] as const,
    [
      `${tag} beside track 1 in the message`,
      'wisepad2',
      (copy: Copy) => hex(tlv(tag, nibbles(copy('F'))), onlineOf(track1Tag)),
    ] as const,
  ]),
  [
    'maskedPAN beside encTracks',
    'wisepad',
    (copy) => JSON.stringify({ksn: KSN, encTracks: BBPOS_1 + BBPOS_2, maskedPAN: copy('X')}),
  ],
  [
    'maskedPAN that track 1 alone agrees with',
    'wisepad',
    (copy) => {
      const pan = copy('0').replace(/^\d{4}/, '4012');
      const other = cipher(asciiTrack(`%B${pan}^SAMPLE/CARD^28012011234567?`, 80));
      return JSON.stringify({ksn: KSN, encTracks: other + BBPOS_2, maskedPAN: copy('*')});
    },
  ],
  [
    'maskedPAN beside encPAN',
    'wisepad',
    (copy) =>
      JSON.stringify({
        ksn: KSN,
        encPAN: cipher(Buffer.from(PAN, 'hex')),
        expiryDate: '2801',
        maskedPAN: copy('X'),
      }),
  ],
  ...(['DFAE57', 'DFAE5A'] as const).flatMap((tag) =>
    [TAG_57, track1Tag, track2Tag].map(
      (plain) =>
        [
          `${tag} beside ${hex(plain).slice(0, 4)}`,
          'miura',
          (copy: Copy) => hex(sredOf(plain), tlv(tag, nibbles(copy('F')))),
        ] as const,
    ),
  ),
  [
    'DFAE22',
    'miura',
    (copy) => hex(sredOf(TAG_57), tlv('DFAE22', Buffer.from(`;${copy('*')}=2801?`))),
  ],
  ...(['57', '5A'] as const).flatMap((tag) => [
    [
      `${tag} outside a VIPA block`,
      'verifone',
      (copy: Copy) => hex(vipaOf(TAG_57), tlv(tag, nibbles(copy('A')))),
    ] as const,
    [
      `${tag} outside a VIPA block of track text`,
      'verifone',
      (copy: Copy) => hex(tlv(tag, nibbles(copy('A'))), vipaOf(TRACK_1.slice(1, -1))),
    ] as const,
    [
      `${tag} beside an XPI ciphertext`,
      'verifone',
      (copy: Copy) => hex(xpiOf(TAG_57), tlv(tag, nibbles(copy('A')))),
    ] as const,
  ]),
  [
    'DFDB05 of a block that holds 57',
    'verifone',
    (copy) =>
      hex(vipaOf(TAG_57), tlv('DFDB05', Buffer.from(`%B${copy('\xaa')}^A/B^2801?`, 'latin1'))),
  ],
  ...(['57', '5A'] as const).map(
    (tag) =>
      [
        `masked ${tag} of ID TECH`,
        'idtech',
        (copy: Copy) => hex(idtechOf(TAG_57), flagged(tag, 'A1', nibbles(copy('C')))),
      ] as const,
  ),
  [
    'the masked twin of an encrypted 57',
    'idtech',
    (copy) => {
      const [ksn, encrypted] = [tlv('DFEE12', KSN), encrypt(TAG_57, {ksn: KSN})];
      const twin = flagged('57', 'A1', nibbles(`${copy('C')}D2801CCCCCCCCCC`));
      return hex(ksn, twin, flagged('57', 'C1', encrypted));
    },
  ],
  ...(['DFEF5B', 'DFEF5D'] as const).map(
    (tag) =>
      [tag, 'idtech', (copy: Copy) => hex(idtechOf(TAG_57), tlv(tag, nibbles(copy('C'))))] as const,
  ),
  [
    'a masked track 2 of a frame that encrypts track 1 alone',
    'idtech',
    (copy) => {
      const alone = {
        plain: `;${copy('*')}=2801*?*`,
        copy: `;${copy('*')}=2801*?*`,
        encrypted: false,
      };
      return enhanced({ksn: KSN, tracks: [track(TRACK_1), alone]});
    },
  ],
  ...[
    TAG_57,
    TRACK_2,
    `${TRACK_1.slice(1, -1)}|${TRACK_2.slice(1, -1)}`,
    `${PAN}|2801|123`,
  ].flatMap((plain, i) => [
    [
      `a masked track 2 of RBA 23., plaintext ${i + 1}`,
      'ingenico-rba',
      (copy: Copy) => fields('23.0M', `;${copy('0')}=2801000?`, record(plain)),
    ] as const,
    [
      `the masked PAN of RBA 41., plaintext ${i + 1}`,
      'ingenico-rba',
      (copy: Copy) =>
        fields('41.M', '19', '0', '0', '0', '', '', record(plain), '', copy('*'), '2801', 'A', ''),
    ] as const,
  ]),
  [
    'a masked 57 of RBA 33.',
    'ingenico-rba',
    (copy) => {
      const digits = nibbles(copy('0'));
      return fields(
        '33.0500A1',
        `T57:${(digits.length / 2).toString(16)}:h${digits}`,
        `TFF21:${record(TAG_57).length.toString(16)}:a${record(TAG_57)}`,
      );
    },
  ],
  [
    'a masked track of MagneSafe beside its own',
    'phressiapad',
    (copy) => magtek(`;${copy('0')}=28010000000000?`, '', cipher(TRACK_2, pin)),
  ],
  [
    'a masked track of MagneSafe beside the other',
    'phressiapad',
    (copy) => magtek(`;${copy('0')}=28010000000000?`, cipher(TRACK_1, pin), ''),
  ],
];

/** The first of them also shows fewer digits than the card has. */
const AGREEING: readonly (readonly [string, Copy])[] = [
  ['the ends of 16 digits', copyOf('401288', 6, '1881')],
  ['14 places', copyOf('401288', 4, '1881')],
  ['18 places', copyOf('401288', 8, '1881')],
];
const CONTRADICTING: readonly (readonly [string, Copy])[] = [
  ['another end', copyOf('401288', 6, '1882')],
  ['another beginning', copyOf('411288', 6, '1881')],
  ['another end in 14 places', copyOf('401288', 4, '1882')],
  ['another beginning in 14 places', copyOf('411288', 4, '1881')],
];

describe('a masked copy agrees with the card number that is answered:', () => {
  for (const [name, deviceType, payloadOf] of PAYLOADS) {
    it.each(AGREEING)(`${name}, ${deviceType}, %s`, (_, copy) => {
      const found = answer({deviceType, devicePayload: payloadOf(copy)});
      expect(found).toMatchObject({response: {extracted: {PAN, EXPY: '0128'}}});
    });

    it.each(CONTRADICTING)(`${name}, ${deviceType}, but %s is 2601`, (_, copy) => {
      expect(answer({deviceType, devicePayload: payloadOf(copy)})).toMatchObject({
        errCode: 2601,
        message: expect.not.stringContaining(PAN),
      });
    });
  }
});
