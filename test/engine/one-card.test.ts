import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../src/contract/device-types.js';
import {
  bbposMessage,
  hex,
  list,
  rbaRecord,
  sredBlob,
  vipaBlock,
  vipaPanBlock,
  withLrc,
  xpiBlob,
} from './blocks.js';
import {asciiTrack, nibbleTrack} from './families/bbpos-tracks.js';
import {enhanced, flagged} from './families/idtech-frames.js';
import {answer, ringOf, TEST_BDK} from './samples.js';
import {encrypt, tlv} from './terminal.js';

/** Test cards of the PayPal and Visa lists. */
const A = {pan: '4012888888881881', expiry: '2801'};
const B = {pan: '4761739001010010', expiry: '2801'};
const OTHER_DATE = {...A, expiry: '2912'};

type Card = typeof A;

const KSN = 'FFFF9876543210E00011';
const NEXT_KSN = 'FFFF9876543210E00012';
/** A key for KSNs that begin with FFFF alone. */
const FFFF_RING = ringOf([{kind: 'bdk', hex: TEST_BDK, ksnPrefix: 'FFFF'}]);

const track1 = ({pan, expiry}: Card) => withLrc(`%B${pan}^SAMPLE/CARD^${expiry}2011234567?`);
const track2 = ({pan, expiry}: Card) => withLrc(`;${pan}=${expiry}2011234567?`);
const tag57 = ({pan, expiry}: Card) => tlv('57', equivalent({pan, expiry}));
const equivalent = ({pan, expiry}: Card) => `${pan}D${expiry}2011234567F`;

/** What of a card may stand in a chip list, or as a track in a tag. */
const IN_LISTS: Readonly<Record<string, (card: Card) => Buffer>> = {
  '57': tag57,
  '5A and 5F24': ({pan, expiry}) => list(tlv('5A', pan), tlv('5F24', `${expiry}28`)),
  '9F6B': (card) => tlv('9F6B', equivalent(card)),
  '56': (card) => tlv('56', Buffer.from(track1(card).slice(1, -2))),
};
const STRIPES: Readonly<Record<string, (card: Card) => Buffer>> = {
  '5F21': (card) => tlv('5F21', Buffer.from(track1(card))),
  '5F22': (card) => tlv('5F22', Buffer.from(track2(card))),
  DFDB05: (card) => tlv('DFDB05', Buffer.from(track1(card))),
  DFDB06: (card) => tlv('DFDB06', Buffer.from(track2(card))),
};

/** Puts two parts of plaintext into one payload of a terminal. */
interface Carrier {
  readonly deviceType: DeviceType;
  readonly name: string;
  readonly carry: (one: Buffer, other: Buffer) => string;
}

/** Terminals whose ciphertext is a TLV list: both parts in one. */
const LISTS: readonly Carrier[] = [
  {deviceType: 'miura', name: 'one SRED blob', carry: (a, b) => hex(blob(list(a, b)))},
  {deviceType: 'verifone', name: 'one VIPA block', carry: (a, b) => hex(vipa(list(a, b)))},
  {deviceType: 'verifone', name: 'an XPI blob', carry: (a, b) => hex(xpi(list(a, b)))},
  {deviceType: 'wisepad', name: 'an online message', carry: (a, b) => hex(online(list(a, b)))},
  {deviceType: 'generic', name: 'a data member', carry: (a, b) => json({data: cipher(list(a, b))})},
  {deviceType: 'ingenico-rba', name: 'a record', carry: (a, b) => record(list(a, b))},
  {
    deviceType: 'miura',
    name: 'two SRED blobs, each under its KSN',
    carry: (a, b) => hex(blob(a), blob(b, NEXT_KSN)),
  },
  {
    deviceType: 'verifone',
    name: 'two VIPA blocks of a KSN',
    carry: (a, b) => hex(vipa(a), vipa(b)),
  },
];

const cipher = (plain: string | Uint8Array) => encrypt(plain, {ksn: KSN}).toString('hex');
const json = (members: object) => JSON.stringify({ksn: KSN, ...members});

const blob = (plain: Uint8Array, ksn = KSN) => sredBlob(plain, ksn);
const vipa = (plain: string | Uint8Array) => vipaBlock(plain, KSN);
const xpi = (plain: Uint8Array) => xpiBlob(plain, KSN);
const online = (plain: Uint8Array) => bbposMessage(plain, KSN);
const record = (plain: Uint8Array) => rbaRecord(plain, KSN);
const panTemplate = (plain: Uint8Array) => vipaPanBlock(plain, KSN);

const masked = ({pan}: Card) => `${pan.slice(0, 6)}******${pan.slice(-4)}`;

const otherCard = {
  errCode: 2601,
  message: expect.stringMatching(new RegExp(`${quoted(B)}.*${quoted(A)}`)),
};

function quoted(card: Card): string {
  return masked(card).replaceAll('*', '\\*');
}

function assertOneCard(ask: (one: Card, other: Card) => object): void {
  expect(ask(A, A)).toMatchObject({response: {extracted: {PAN: A.pan, EXPY: '0128'}}});
  expect(ask(A, B)).toMatchObject(otherCard);
  expect(ask(A, OTHER_DATE)).toMatchObject({errCode: 2601});
}

describe('a track and chip data of one read are of one card:', () => {
  for (const {deviceType, name, carry} of LISTS) {
    for (const [stripe, stripeOf] of Object.entries(STRIPES)) {
      it.each(Object.entries(IN_LISTS))(
        `${name} of ${deviceType} with ${stripe} and %s`,
        (_, chip) => {
          assertOneCard((one, other) =>
            answer({deviceType, devicePayload: carry(stripeOf(one), chip(other))}),
          );
        },
      );
    }
  }
});

describe('chip data of one read is of one card:', () => {
  for (const {deviceType, name, carry} of LISTS) {
    it.each(Object.keys(IN_LISTS).slice(1))(`${name} of ${deviceType} with 57 and %s`, (tags) => {
      assertOneCard((one, other) => {
        const parts = [tag57(one), IN_LISTS[tags]?.(other) ?? Buffer.alloc(0)] as const;
        return answer({deviceType, devicePayload: carry(...parts)});
      });
    });
  }
});

/** Parts that are no list, or that have ciphertexts of their own. */
const OTHERS: readonly (readonly [string, DeviceType, (a: Card, b: Card) => string])[] = [
  ...Object.entries(IN_LISTS).flatMap(([tags, chip]) => [
    [
      `track2 beside ${tags} in data`,
      'generic',
      (a: Card, b: Card) => json({track2: cipher(track2(a)), data: cipher(chip(b))}),
    ] as const,
    [
      `track2 beside ${tags} in tlv`,
      'phressiapad',
      (a: Card, b: Card) => json({track2: cipher(track2(a)), tlv: cipher(chip(b))}),
    ] as const,
    [
      `track text and ${tags} in blocks of a KSN`,
      'verifone',
      (a: Card, b: Card) => hex(vipa(track2(a)), vipa(chip(b))),
    ] as const,
  ]),
  [
    'encTracks beside encTrack2',
    'wisepad',
    (a, b) => json({formatID: '60', encTracks: bbpos1(a) + bbpos2(a), encTrack2: bbpos2(b)}),
  ],
  [
    'encTracks that is track 1 beside encTrack2',
    'wisepad2',
    (a, b) => json({encTracks: bbpos1(a), encTrack2: bbpos2(b)}),
  ],
  [
    'encTracks beside a packed encTrack2',
    'wisepad',
    (a, b) => json({encTracks: bbpos2(a), encTrack2: cipher(nibbleTrack(track2(b), 40))}),
  ],
  [
    'C2 and C8',
    'wisepad',
    (a, b) => {
      const value = encrypt(Buffer.from(equivalent(b), 'hex'), {ksn: NEXT_KSN, fill: 'pkcs7'});
      return hex(
        online(STRIPES['5F22']?.(a) ?? Buffer.alloc(0)),
        tlv('C7', NEXT_KSN),
        tlv('C8', value),
      );
    },
  ],
  [
    'DFEF18 and 57',
    'idtech',
    (a, b) => hex(tlv('DFEE12', KSN), sealed('DFEF18', track2(a)), sealed('57', equivalent(b))),
  ],
  [
    'DFEF17 and DFEF18',
    'idtech',
    (a, b) => hex(tlv('DFEE12', KSN), sealed('DFEF17', track1(a)), sealed('DFEF18', track2(b))),
  ],
  [
    '56 and 9F6B',
    'idtech',
    (a, b) =>
      hex(tlv('DFEE12', KSN), sealed('56', track1(a).slice(1, -2)), sealed('9F6B', equivalent(b))),
  ],
];

const bbpos1 = (card: Card) => cipher(asciiTrack(track1(card).slice(0, -1), 80));
const bbpos2 = (card: Card) => cipher(asciiTrack(track2(card).slice(0, -1), 40));

/** A whole object under ID TECH's flag; text, or hex that holds a separator. */
function sealed(tag: string, value: string): Buffer {
  const bytes = /^\d+D/.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value);
  return flagged(tag, 'C1', encrypt(tlv(tag, bytes), {ksn: KSN}));
}

describe('parts with ciphertexts of their own are of one card:', () => {
  it.each(OTHERS)('%s, %s', (_, deviceType, payloadOf) => {
    assertOneCard((a, b) => answer({deviceType, devicePayload: payloadOf(a, b)}));
  });
});

/** Ciphertext that an answer does not need, beside that of the card. */
const WITNESSES: typeof OTHERS = [
  [
    'FF7E with 5A beside FF7F',
    'verifone',
    (a, b) => hex(vipa(tag57(a)), panTemplate(tlv('5A', b.pan))),
  ],
  [
    'FF7E with the bare number beside FF7F',
    'verifone',
    (a, b) => hex(panTemplate(Buffer.from(b.pan, 'hex')), vipa(tag57(a))),
  ],
  [
    'DFEF4D beside 57',
    'idtech',
    (a, b) =>
      hex(
        ...[tlv('DFEE12', KSN), sealed('57', equivalent(a))],
        tlv('DFEF4C', Buffer.from([0, track2(b).length, 0, b.pan.length, 0, 0])),
        tlv('DFEF4D', encrypt(track2(b) + b.pan, {ksn: KSN})),
      ),
  ],
  [
    'encPAN beside encTracks',
    'wisepad',
    (a, b) => json({encTracks: bbpos2(a), encPAN: cipher(Buffer.from(b.pan, 'hex'))}),
  ],
  [
    'encTrack2Eq beside encTracks',
    'wisepad2',
    (a, b) =>
      json({
        encTracks: bbpos1(a),
        encTrack2Eq: encrypt(Buffer.from(equivalent(b), 'hex'), {
          ksn: KSN,
          fill: 'pkcs7',
        }).toString('hex'),
      }),
  ],
  [
    'C9 beside C2',
    'wisepad',
    (a, b) => hex(online(tag57(a)), tlv('C9', cipher(Buffer.from(b.pan, 'hex')))),
  ],
];

describe('ciphertext beside that of the card is of the same one:', () => {
  it.each(WITNESSES)('%s, %s', (_, deviceType, payloadOf) => {
    const ask = (b: Card) => answer({deviceType, devicePayload: payloadOf(A, b)});
    expect(ask(A)).toMatchObject({response: {extracted: {PAN: A.pan}}});
    expect(ask(B)).toMatchObject(otherCard);
  });

  it('says nothing where it does not open', () => {
    const alone = hex(vipa(tag57(A)));
    const other = panTemplate(tlv('5A', B.pan)).toString('hex').toUpperCase();
    const foreign = other.replaceAll(KSN, 'AAAA9876543210E00011');
    for (const beside of [foreign, other.replace(KSN, 'FFFF9876543210E00099')]) {
      const found = answer({deviceType: 'verifone', devicePayload: alone + beside}, FFFF_RING);
      expect(found).toMatchObject({response: {extracted: {PAN: A.pan}}});
    }
  });
});

/** A published swipe of a BBPOS reader has one beside a track 2 with a number. */
const BLANK = {pan: '0000000000000000', expiry: '0000'};

describe('the tracks of one swipe have one number, but for a blank track 1 of BBPOS:', () => {
  const SWIPES: typeof OTHERS = [
    [
      'generic members',
      'generic',
      (a, b) => json({track1: cipher(track1(b)), track2: cipher(track2(a))}),
    ],
    ['encTracks', 'wisepad', (a, b) => json({encTracks: bbpos1(b) + bbpos2(a)})],
    ['an SRED blob', 'miura', (a, b) => hex(blob(stripes('5F21', '5F22', a, b)))],
    ['a VIPA block', 'verifone', (a, b) => hex(vipa(stripes('DFDB05', 'DFDB06', a, b)))],
  ];

  it.each(SWIPES)('%s, %s', (_, deviceType, payloadOf) => {
    const ask = (a: Card, b: Card) => answer({deviceType, devicePayload: payloadOf(a, b)});
    const published = {response: {extracted: {PAN: A.pan}}};
    expect(ask(A, BLANK)).toMatchObject(deviceType === 'wisepad' ? published : {errCode: 2601});
    expect(ask(A, A)).toMatchObject(published);
    expect(ask(A, B)).toMatchObject({errCode: 2601});
    expect(ask(BLANK, A)).toMatchObject({errCode: 2601});
    expect(ask(A, OTHER_DATE)).toMatchObject({errCode: 2601});
  });

  it('under a KSN of its own a track is of another swipe', () => {
    const parts = [blob(stripe('5F21', B)), blob(stripe('5F22', A), NEXT_KSN)];
    expect(answer({deviceType: 'miura', devicePayload: hex(...parts)})).toMatchObject({
      errCode: 2601,
    });
  });
});

function stripe(tag: string, card: Card): Buffer {
  return STRIPES[tag]?.(card) ?? Buffer.alloc(0);
}

function stripes(one: string, two: string, a: Card, b: Card): Buffer {
  return list(stripe(one, b), stripe(two, a));
}

describe('a clear expiry beside the ciphertext is that of the card:', () => {
  const CLEAR: readonly (readonly [string, DeviceType, (date: string) => string])[] = [
    ['5F24 of Miura', 'miura', (date) => hex(blob(tag57(A)), tlv('5F24', `${date}28`))],
    ['5F24 of VIPA', 'verifone', (date) => hex(vipa(tag57(A)), tlv('5F24', `${date}28`))],
    [
      '5F24 of ID TECH',
      'idtech',
      (date) => hex(tlv('DFEE12', KSN), sealed('57', equivalent(A)), tlv('5F24', `${date}28`)),
    ],
    ['expiryDate', 'wisepad', (date) => json({encTracks: bbpos2(A), expiryDate: date})],
  ];

  it.each(CLEAR)('%s, %s', (_, deviceType, payloadOf) => {
    const ask = (date: string) => answer({deviceType, devicePayload: payloadOf(date)});
    expect(ask(A.expiry)).toMatchObject({response: {extracted: {EXPY: '0128'}}});
    expect(ask('2912')).toMatchObject({errCode: 2601});
  });
});

it('keyed entry in two slots of a frame is one', () => {
  const entry = (cvv: string) => ({plain: withLrc(`;${A.pan}=${A.expiry}:${cvv}?`)});
  const ask = (one: string, other: string) =>
    answer({
      deviceType: 'idtech',
      devicePayload: enhanced({ksn: KSN, type: 0xc0, tracks: [entry(one), entry(other)]}),
    });
  expect(ask('123', '123')).toMatchObject({response: {extracted: {PAN: A.pan, CVV: '123'}}});
  expect(ask('123', '456')).toMatchObject({errCode: 2601});
});

describe('a value of the card that a list holds twice', () => {
  const twice = (first: string, second: string) =>
    list(tag57(A), tlv('5F20', Buffer.from(first)), tlv('5F20', Buffer.from(second)));

  it.each(LISTS.slice(0, 6))('is the same one: $name of $deviceType', ({deviceType, carry}) => {
    const ask = (plain: Buffer) =>
      answer({deviceType, devicePayload: carry(plain, Buffer.alloc(0))});
    expect(ask(twice('SAMPLE/CARD', 'SAMPLE/CARD'))).toMatchObject({
      response: {extracted: {Surname: 'SAMPLE'}},
    });
    expect(ask(twice('SAMPLE/CARD', 'OTHER/CARD'))).toMatchObject({errCode: 2601});
  });
});
