import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../src/contract/device-types.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {bbposMessage, hex, list, rbaRecord, sredBlob, vipaBlock, xpiBlob} from './blocks.js';
import {errorOf} from './error-of.js';
import {asciiTrack} from './families/bbpos-tracks.js';
import {enhanced, flagged, track} from './families/idtech-frames.js';
import {answer, testRing} from './samples.js';
import {encrypt, lrcOf, tlv} from './terminal.js';

const PAN = '4012888888881881';
const KSN = 'FFFF9876543210E00021';
const TRACK_1 = `%B${PAN}^SAMPLE/CARD^28012011234567?`;
const TRACK_2 = `;${PAN}=28012011234567?`;
const TAG_57 = tlv('57', `${PAN}D28012011234567F`);

const cipher = (plain: string | Uint8Array, more: object = {}) =>
  encrypt(plain, {ksn: KSN, ...more})
    .toString('hex')
    .toUpperCase();

/** What may hide a digit: in nibbles, in text, and in text where zeros do. */
const NIBBLES = [...'ABCDEF'];
const TEXT = [...'*xF#- '];
const BYTES = [...TEXT, '\xaa'];
const ZEROS = [...TEXT, '0'];

const nibbles = (digits: string) => (digits.length % 2 === 0 ? digits : `${digits}F`);

const onlineOf = (plain: Uint8Array) => bbposMessage(plain, KSN);
const sredOf = (plain: Uint8Array) => sredBlob(plain, KSN);
const vipaOf = (plain: string | Uint8Array) => vipaBlock(plain, KSN);
const xpiOf = (plain: Uint8Array) => xpiBlob(plain, KSN);
const idtechOf = (tag: Buffer) =>
  list(tlv('DFEE12', KSN), flagged(tag.toString('hex', 0, 1), 'C1', encrypt(tag, {ksn: KSN})));

const BBPOS_1 = cipher(asciiTrack(TRACK_1, 80));
const BBPOS_2 = cipher(asciiTrack(TRACK_2, 40));
const track1Tag = tlv('5F21', Buffer.from(TRACK_1 + lrcOf(TRACK_1)));
const track2Tag = tlv('5F22', Buffer.from(TRACK_2 + lrcOf(TRACK_2)));

const record = (plain: string | Uint8Array) => rbaRecord(plain, KSN);
const fields = (...all: readonly string[]) => all.join('\x1c');

function magtek(masked: string, track1: string, track2: string): string {
  return [masked, '0600', track1, track2, '', '', '', '', '', KSN, '', '', '0000'].join('|');
}

const joinedTracks = list(
  tlv('DFEF4C', Buffer.from([TRACK_1.length, TRACK_2.length, 0, 0, 0, 0])),
  tlv('DFEF4D', encrypt(TRACK_1 + TRACK_2, {ksn: KSN})),
);
const hexLength = (digits: string) => (digits.length / 2).toString(16);
const emvTags = (masked: string) =>
  fields('33.0500A1', masked, `TFF21:${record(TAG_57).length.toString(16)}:a${record(TAG_57)}`);

const pin = {variant: 'pin'};

/** Where a copy stands, what may hide its digits, and the payload of the card around it. */
type Place = readonly [string, DeviceType, readonly string[], (shown: string) => string];

/** Payloads of the card, each with a masked copy somewhere. */
const PAYLOADS: readonly Place[] = [
  ...(['C4', 'DF03'] as const).flatMap((tag) => [
    [
      `${tag} beside 57`,
      'wisepad',
      NIBBLES,
      (shown: string) => hex(onlineOf(TAG_57), tlv(tag, nibbles(shown))),
    ] as const,
    [
      `${tag} beside tracks in the message`,
      'wisepad2',
      NIBBLES,
      (shown: string) => hex(tlv(tag, nibbles(shown)), onlineOf(track2Tag)),
    ] as const,
    [
      `${tag} beside track 1 in the message`,
      'wisepad2',
      NIBBLES,
      (shown: string) => hex(tlv(tag, nibbles(shown)), onlineOf(track1Tag)),
    ] as const,
  ]),
  ...(['generic', 'phressiapad'] as const).flatMap((type): Place[] => [
    [
      'maskedPAN beside track2',
      type,
      TEXT,
      (shown) => JSON.stringify({ksn: KSN, track2: cipher(TRACK_2), maskedPAN: shown}),
    ],
    [
      'maskedTrack2 beside track2',
      type,
      TEXT,
      (shown) => `ksn=${KSN}|track2=${cipher(TRACK_2)}|maskedTrack2=${shown}=2801`,
    ],
  ]),
  [
    'maskedPAN beside encTracks',
    'wisepad',
    TEXT,
    (shown: string) => JSON.stringify({ksn: KSN, encTracks: BBPOS_1 + BBPOS_2, maskedPAN: shown}),
  ],
  [
    'maskedPAN beside a blank track 1',
    'wisepad',
    TEXT,
    (shown: string) => {
      const blank = cipher(asciiTrack('%B0000000000000000^000000^00002010000?', 80));
      return JSON.stringify({ksn: KSN, encTracks: blank + BBPOS_2, maskedPAN: shown});
    },
  ],
  [
    'maskedPAN beside encPAN',
    'wisepad',
    TEXT,
    (shown: string) =>
      JSON.stringify({
        ksn: KSN,
        encPAN: cipher(Buffer.from(PAN, 'hex')),
        expiryDate: '2801',
        maskedPAN: shown,
      }),
  ],
  ...(['DFAE57', 'DFAE5A'] as const).flatMap((tag) =>
    [TAG_57, track1Tag, track2Tag].map(
      (plain) =>
        [
          `${tag} beside ${hex(plain).slice(0, 4)}`,
          'miura',
          NIBBLES,
          (shown: string) => hex(sredOf(plain), tlv(tag, nibbles(shown))),
        ] as const,
    ),
  ),
  [
    'DFAE22',
    'miura',
    TEXT,
    (shown: string) => hex(sredOf(TAG_57), tlv('DFAE22', Buffer.from(`;${shown}=2801?`))),
  ],
  ...(['57', '5A'] as const).flatMap((tag) => [
    [
      `${tag} outside a VIPA block`,
      'verifone',
      NIBBLES,
      (shown: string) => hex(vipaOf(TAG_57), tlv(tag, nibbles(shown))),
    ] as const,
    [
      `${tag} outside a VIPA block of track text`,
      'verifone',
      NIBBLES,
      (shown: string) => hex(tlv(tag, nibbles(shown)), vipaOf(TRACK_1.slice(1, -1))),
    ] as const,
    [
      `${tag} beside an XPI ciphertext`,
      'verifone',
      NIBBLES,
      (shown: string) => hex(xpiOf(TAG_57), tlv(tag, nibbles(shown))),
    ] as const,
  ]),
  ...(['57', '5A', '9F6B', 'DFDB01'] as const).flatMap((tag): Place[] => [
    [
      `${tag} beside an online message`,
      'wisepad2',
      NIBBLES,
      (shown) => hex(onlineOf(TAG_57), tlv(tag, nibbles(shown))),
    ],
    [
      `${tag} beside SRED data`,
      'miura',
      NIBBLES,
      (shown) => hex(sredOf(TAG_57), tlv(tag, nibbles(shown))),
    ],
    [
      `${tag} beside a VIPA block of tracks`,
      'verifone',
      NIBBLES,
      (shown) => hex(vipaOf(track2Tag), tlv(tag, nibbles(shown))),
    ],
  ]),
  ...(['56', '5F21', '5F22', 'DFDB06'] as const).flatMap((tag): Place[] => {
    const textOf = (shown: string) =>
      tlv(tag, Buffer.from(/56|1$/.test(tag) ? `B${shown}^A/B^2801` : `${shown}=2801`, 'latin1'));
    return [
      [
        `${tag} beside an online message`,
        'wisepad2',
        BYTES,
        (shown) => hex(onlineOf(TAG_57), textOf(shown)),
      ],
      [`${tag} beside SRED data`, 'miura', BYTES, (shown) => hex(sredOf(TAG_57), textOf(shown))],
      [
        `${tag} beside an XPI ciphertext`,
        'verifone',
        BYTES,
        (shown) => hex(xpiOf(TAG_57), textOf(shown)),
      ],
    ];
  }),
  [
    'a clear pan beside encTracks',
    'wisepad',
    TEXT,
    (shown) => JSON.stringify({ksn: KSN, encTracks: BBPOS_1 + BBPOS_2, pan: shown}),
  ],
  [
    'a clear track1 beside encTrack2',
    'wisepad',
    TEXT,
    (shown) =>
      JSON.stringify({ksn: KSN, encTrack2: BBPOS_2, track1: `%B${shown}^SAMPLE/CARD^2801?`}),
  ],
  [
    'a clear track2 beside encTracks',
    'wisepad',
    TEXT,
    (shown) => JSON.stringify({ksn: KSN, encTracks: BBPOS_1 + BBPOS_2, track2: `;${shown}=2801?`}),
  ],
  ...(['57', '5A', 'DFEF5B', 'DFEF5D'] as const).flatMap((tag): Place[] => [
    [
      `${tag} beside a frame in DFEE23`,
      'idtech',
      NIBBLES,
      (shown) => {
        const frame = Buffer.from(enhanced({ksn: KSN, tracks: [track(TRACK_1)]}), 'hex');
        return hex(tlv('DFEE12', KSN), tlv(tag, nibbles(shown)), tlv('DFEE23', frame));
      },
    ],
    [
      `${tag} beside joined tracks`,
      'idtech',
      NIBBLES,
      (shown) => hex(tlv('DFEE12', KSN), tlv(tag, nibbles(shown)), joinedTracks),
    ],
  ]),
  [
    'DFDB05 of a block that holds 57',
    'verifone',
    BYTES,
    (shown: string) =>
      hex(vipaOf(TAG_57), tlv('DFDB05', Buffer.from(`%B${shown}^A/B^2801?`, 'latin1'))),
  ],
  ...(['57', '5A'] as const).map(
    (tag) =>
      [
        `masked ${tag} of ID TECH`,
        'idtech',
        NIBBLES,
        (shown: string) => hex(idtechOf(TAG_57), flagged(tag, 'A1', nibbles(shown))),
      ] as const,
  ),
  [
    'the masked twin of an encrypted 57',
    'idtech',
    // Behind a number that ends with it, the separator would hide a digit, too.
    NIBBLES.filter((nibble) => nibble !== 'D'),
    (shown: string) => {
      const [ksn, encrypted] = [tlv('DFEE12', KSN), encrypt(TAG_57, {ksn: KSN})];
      const twin = flagged('57', 'A1', nibbles(`${shown}D2801CCCCCCCCCC`));
      return hex(ksn, twin, flagged('57', 'C1', encrypted));
    },
  ],
  ...(['DFEF5B', 'DFEF5D'] as const).map(
    (tag) =>
      [
        tag,
        'idtech',
        NIBBLES,
        (shown: string) => hex(idtechOf(TAG_57), tlv(tag, nibbles(shown))),
      ] as const,
  ),
  [
    'a masked track 2 of a frame that encrypts track 1 alone',
    'idtech',
    TEXT,
    (shown: string) => {
      const alone = {
        plain: `;${shown}=2801*?*`,
        copy: `;${shown}=2801*?*`,
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
      ZEROS,
      (shown: string) => fields('23.0M', `;${shown}=2801000?`, record(plain)),
    ] as const,
    [
      `the masked PAN of RBA 41., plaintext ${i + 1}`,
      'ingenico-rba',
      TEXT,
      (shown: string) =>
        fields('41.M', '19', '0', '0', '0', '', '', record(plain), '', shown, '2801', 'A', ''),
    ] as const,
  ]),
  [
    'a masked 57 of RBA 33., packed',
    'ingenico-rba',
    [...NIBBLES, '0'],
    (shown) => emvTags(`T57:${hexLength(nibbles(shown))}:h${nibbles(shown)}`),
  ],
  ...(['57', '5A', 'FF1D'] as const).map(
    (tag): Place => [
      `a masked ${tag} of RBA 33., text`,
      'ingenico-rba',
      ZEROS,
      (shown) => emvTags(`T${tag}:${shown.length.toString(16)}:a${shown}`),
    ],
  ),
  [
    'a masked track of MagneSafe beside its own',
    'phressiapad',
    ZEROS,
    (shown: string) => magtek(`;${shown}=28010000000000?`, '', cipher(TRACK_2, pin)),
  ],
  [
    'a masked track of MagneSafe beside the other',
    'phressiapad',
    ZEROS,
    (shown: string) => magtek(`;${shown}=28010000000000?`, cipher(TRACK_1, pin), ''),
  ],
];

/** Digits that a copy shows in front and behind, and how many are hidden between them. */
const SHAPES: readonly (readonly [number, number, number])[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((hidden) => [6, hidden, 4] as const),
  [11, 1, 4],
  [8, 4, 4],
  [6, 1, 9],
  [8, 1, 7],
  [7, 9, 6],
];
/** Where zeros are real digits, too, the ends alone are known to be shown. */
const ENDS: readonly (readonly [number, number, number])[] = [
  [4, 8, 4],
  [4, 4, 4],
];
/** Spaces around a number are none of its characters. */
const ONE_END: readonly (readonly [number, number, number])[] = [
  [0, 12, 4],
  [0, 4, 4],
  [6, 10, 0],
  [6, 4, 0],
];

const PLACES = PAYLOADS.map(([name, deviceType, masks, payloadOf]) => ({
  name,
  deviceType,
  payloadOf,
  masks,
}));

/** Every copy of the card in every shape and by every mask. */
function copiesOf(masks: readonly string[], pan: string): string[] {
  return masks.flatMap((mask) => {
    const shapes = [
      ...SHAPES,
      ...(mask === '0' ? [] : ENDS),
      ...(/[ 0]/.test(mask) ? [] : ONE_END),
    ];
    return shapes.map(
      ([head, hidden, tail]) =>
        pan.slice(0, head) + mask.repeat(hidden) + pan.slice(pan.length - tail),
    );
  });
}

describe('a masked copy agrees with the card number that is answered:', () => {
  it.each(PLACES)('$name, $deviceType', ({name, deviceType, masks, payloadOf}) => {
    const refused = copiesOf(masks, PAN).flatMap((shown) => {
      if (name.includes('encPAN') && shown.replaceAll(/\D/g, '').length < 10) return [];
      const {response, message} = answer({deviceType, devicePayload: payloadOf(shown)});
      return response?.extracted.PAN === PAN ? [] : [[shown, message]];
    });
    expect(refused).toEqual([]);
  });

  it.each(PLACES)('$name, $deviceType, but another is 2601', ({deviceType, masks, payloadOf}) => {
    const others = ['4112888888881881', '4012888888881681'];
    let tried = 0;
    const passed = others.flatMap((other) =>
      copiesOf(masks, other).flatMap((shown) => {
        if (isOf(shown, PAN)) return [];
        tried++;
        const found = answer({deviceType, devicePayload: payloadOf(shown)});
        expect(String(found.message)).not.toContain(PAN);
        return found.errCode === 2601 ? [] : [[shown, found.errCode]];
      }),
    );
    expect(passed).toEqual([]);
    expect(tried).toBeGreaterThan(50);
  });

  it.each(PLACES)('$name, $deviceType, and another is marked', ({deviceType, masks, payloadOf}) => {
    const shown = `411288${masks[0]?.repeat(6)}1881`;
    const devicePayload = payloadOf(shown);
    const {fault} = errorOf(() => processPayload({deviceType, devicePayload}, testRing()));
    const {offset, length} = fault?.kind === 'masked-copy' ? fault : {offset: 0, length: 0};
    const digits = devicePayload.slice(2 * offset, 2 * (offset + length));
    const marked = [
      devicePayload.slice(offset, offset + length),
      digits,
      `${Buffer.from(digits, 'hex')}`,
    ];
    expect(marked.filter((one) => one.includes(shown))).not.toEqual([]);
    expect(length).toBeLessThan(60);
  });
});

describe('no track is shorter than its masked copy:', () => {
  const copy = `;401288******1881=${'0'.repeat(14)}?`;
  /** Without sentinels, at the end of a block, under lengths that fit: nothing else shows the cut. */
  const CASES: readonly (readonly [string, DeviceType, (track2: string) => string])[] = [
    ['RBA 23.', 'ingenico-rba', (plain) => fields('23.0M', copy, rbaRecord(plain, KSN, 2))],
    [
      'DFDB06 beside a VIPA block',
      'verifone',
      (plain) => hex(vipaOf(plain), tlv('DFDB06', Buffer.from(copy))),
    ],
    [
      'maskedTrack2 beside track2',
      'generic',
      (plain) => JSON.stringify({ksn: KSN, track2: cipher(`;${plain}?`), maskedTrack2: copy}),
    ],
  ];

  it.each(CASES)('%s', (_, deviceType, payloadOf) => {
    const ask = (track2: string) => answer({deviceType, devicePayload: payloadOf(track2)});
    const whole = `${PAN}=28012011234567`;
    expect(ask(whole)).toMatchObject({response: {extracted: {Discretionary: '1234567'}}});
    expect(ask(whole.slice(0, 24))).toMatchObject({errCode: 2601});
  });
});

/** True if a copy shows only digits that are the card's own. */
function isOf(shown: string, pan: string): boolean {
  const [, head = '', tail = ''] = /^(\d*?)(?:\D+|0+)(\d*)$/.exec(shown) ?? [];
  return pan.startsWith(head) && pan.endsWith(tail);
}
