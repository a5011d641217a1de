import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {flaggedTag, LIST_CARRIERS, STRIPE_CARRIERS, type Stripe} from './carriers.js';
import {enhanced, KSN, keyedOriginal} from './families/idtech-frames.js';
import {answer} from './samples.js';
import {bytesOf, encrypt, lrcOf, tlv} from './terminal.js';

/**
 * Text members and tracks are answered in their alphabet and grammar only
 * (docs/contract.md#text-members, docs/terminals/common.md#track-grammar).
 */

const PAN = '4012888888881881';
const CARD = [tlv('57', `${PAN}D28012010000000000`), tlv('5A', PAN)];
const text = (tag: string, value: string) => tlv(tag, bytesOf(value));

const GOOD_TAGS: readonly (readonly [string, Uint8Array])[] = [
  ['a name', text('5F20', 'DI TEST/CARD 01')],
  ['a name of two blanks and a slash', text('5F20', ' /')],
  ['an empty name', tlv('5F20', '')],
  ['a name of 26 characters', text('5F20', 'MONTGOMERY-SMYTHE/ALEXANDR')],
  ['a name in lower case', text('5F20', "O'Neil/Ann-Marie S.Dr")],
  ['an extended name', text('9F0B', 'A VERY LONG NAME THAT HAS MORE/CHARACTERS')],
  ['discretionary data of track 1', text('9F1F', '1143800780000000')],
  ['discretionary data of track 2', tlv('9F20', '1143800780000F')],
  ['an expiry date', tlv('5F24', '280131')],
  ['a service code', tlv('5F30', '0201')],
];

const BAD_TAGS: readonly (readonly [string, Uint8Array])[] = [
  ...['\x00', '\x07', '\n', '\x1b', '\x7f', '\x85', '\xa0', '\xe9'].flatMap((bad) =>
    (['5F20', '9F0B', '9F1F'] as const).map(
      (tag) => [`${JSON.stringify(bad)} in ${tag}`, text(tag, `TEST${bad}/CARD`)] as const,
    ),
  ),
  ...[...'%^?`{|}~'].flatMap((bad) =>
    (['5F20', '9F0B'] as const).map(
      (tag) => [`${bad} in ${tag}`, text(tag, `TEST${bad}/CARD`)] as const,
    ),
  ),
  ['sentinels in 5F20', text('5F20', '^?%;')],
  ['a name of 27 characters', text('5F20', 'MONTGOMERY-SMYTHE/ALEXANDRA')],
  ['a name of 60 characters', text('5F20', 'A'.repeat(60))],
  ['an extended name of 46 characters', text('9F0B', 'A'.repeat(46))],
  ['letters in 9F20', tlv('9F20', '11438A07')],
  ['a letter in 5F24', tlv('5F24', '28013A')],
  ['5F24 of four digits', tlv('5F24', '2801')],
  ['5F24 of five digits', tlv('5F24', '28013F')],
  ['5F30 of two digits', tlv('5F30', '20')],
  ['5F30 of four digits', tlv('5F30', '1201')],
  ['a letter in 5F30', tlv('5F30', '020A')],
];

const BAD_LISTS: readonly (readonly [string, readonly Uint8Array[]])[] = [
  ...BAD_TAGS.map(([name, tag]) => [name, [...CARD, tag]] as const),
  ...['D', 'D2', 'D28', 'D280', 'D28012', 'D280120'].slice(1).map((tail) => {
    const digits = PAN + tail;
    return [
      `57 that ends in ${tail}`,
      [tlv('57', digits + 'F'.repeat(digits.length % 2))],
    ] as const;
  }),
  ...['12', '12345', '12a', '1\x002', ' 12'].map(
    (cvv) =>
      [
        `CVV ${JSON.stringify(cvv)}`,
        [tlv('DFDB01', PAN), tlv('DFDB03', '2801'), text('DFDB02', cvv)],
      ] as const,
  ),
  ['a keyed expiry of six digits', [tlv('DFDB01', PAN), tlv('DFDB03', '280131')]],
  ['track 1 in 56 cut in its expiry', [...CARD, text('56', `B${PAN}^TEST/CARD^280`)]],
  ['track 2 in 5F22 cut in its expiry', [...CARD, text('5F22', `;${PAN}=280?`)]],
  ['track 1 in DFDB05 without a card number', [...CARD, text('DFDB05', '%BTEST/CARD^2801?')]],
];

describe.each(LIST_CARRIERS)('a TLV list in $type $name', ({type, carry}) => {
  const read = (...list: readonly Uint8Array[]) =>
    answer({deviceType: type, devicePayload: carry(Buffer.concat(list))});

  it.each(GOOD_TAGS)('may hold %s', (_, tag) => {
    expect(read(...CARD, tag)).toMatchObject({response: {extracted: {PAN}}});
  });

  it.each(BAD_LISTS)('is 2601 with %s', (_, list) => {
    expect(read(...list)).toMatchObject({errCode: 2601});
  });
});

describe('an ID TECH tag encrypted by itself', () => {
  const card = `${PAN}D28012010000000000FFFF`;
  const read = (tag: string, value: Uint8Array) =>
    answer({deviceType: 'idtech', devicePayload: flaggedTag(tag, value, card)});

  it('may be a name', () => {
    const found = read('5F20', bytesOf('DI TEST/CARD 01'));
    expect(found).toMatchObject({response: {extracted: {PAN, Surname: 'DI TEST'}}});
  });

  it.each(['TEST\x07/CARD ABCDEF', 'TEST\x85/CARD ABCDEF'])('is 2601 as name %j', (name) => {
    expect(read('5F20', bytesOf(name))).toMatchObject({errCode: 2601});
  });
});

const T1 = `%B${PAN}^SAMPLE/CARD^28012010000000000000?`;
const T2 = `;${PAN}=28012010000000000000?`;

const GOOD_STRIPES: readonly (readonly [string, Stripe])[] = [
  ['both tracks', {track1: T1, track2: T2}],
  ['an expiry and no more', {track1: `%B${PAN}^A/B^2801?`, track2: `;${PAN}=2801?`}],
  ['an expiry and a service code', {track1: `%B${PAN}^A/B^2801201?`, track2: `;${PAN}=2801201?`}],
  [
    'separators for expiry and service code',
    {track1: `%B${PAN}^A/B^2801^123?`, track2: `;${PAN}=2801=123?`},
  ],
];

const BAD_STRIPES: readonly (readonly [string, Stripe])[] = [
  ...['2', '28', '280', '28012', '280120'].flatMap((cut) => [
    [`track 1 that ends in ${cut}`, {track1: `%B${PAN}^SAMPLE/CARD^${cut}?`}] as const,
    [`track 2 that ends in ${cut}`, {track2: `;${PAN}=${cut}?`}] as const,
    [`track 2 that ends in ${cut}, and track 1`, {track1: T1, track2: `;${PAN}=${cut}?`}] as const,
  ]),
  ...[...':;<=>'].map(
    (bad) => [`${bad} in track 2`, {track2: `;${PAN}=2801201000${bad}000?`}] as const,
  ),
  ...[...'%`{|}~\x07\x7f\x85'].map(
    (bad) =>
      [
        `${JSON.stringify(bad)} in track 1`,
        {track1: T1.replace('LE/', `${bad}E/`), track2: T2},
      ] as const,
  ),
  ['track 1 without a card number', {track1: '%BSAMPLE/CARD^28012010000000000000?', track2: T2}],
  ['track 2 without a card number', {track1: T1, track2: ';12345=28012010000000000000?'}],
];

describe.each(STRIPE_CARRIERS)('a stripe in $type $name', ({type, carry}) => {
  const read = (stripe: Stripe) => answer({deviceType: type, devicePayload: carry(stripe)});

  it.each(GOOD_STRIPES)('may hold %s', (_, stripe) => {
    expect(read(stripe)).toMatchObject({response: {extracted: {PAN, EXPY: '0128'}}});
  });

  it.each(BAD_STRIPES)('is 2601 with %s', (_, stripe) => {
    expect(read(stripe)).toMatchObject({errCode: 2601});
  });
});

describe('a packed track 2', () => {
  const pack = (characters: string) => {
    const nibbles = [...characters].map((c) => (c.charCodeAt(0) - 0x30).toString(16)).join('');
    return Buffer.from(nibbles.padEnd(48, '0'), 'hex');
  };
  const read = (plain: Uint8Array) =>
    answer({
      deviceType: 'generic',
      devicePayload: JSON.stringify({
        ksn: KSN,
        track2: encrypt(plain, {ksn: KSN}).toString('hex'),
      }),
    });

  it('is read', () => {
    expect(read(pack(T2 + lrcOf(T2)))).toMatchObject({response: {track2: {ascii: T2}}});
  });

  it('is 2601 with a character that is no data in place of any digit', () => {
    const at = fc.integer({min: 1, max: T2.length - 2}).filter((i) => T2[i] !== '=');
    const cases = fc.tuple(at, fc.constantFrom(...':;<>?'));
    let tried = 0;
    fc.assert(
      fc.property(cases, ([i, bad]) => {
        const spoilt = T2.slice(0, i) + bad + T2.slice(i + 1);
        tried++;
        expect(read(pack(spoilt + lrcOf(spoilt)))).toMatchObject({errCode: 2601});
      }),
      {seed: 20261122, numRuns: 500},
    );
    expect(tried).toBe(500);
  });
});

describe('clear members beside the ciphertext', () => {
  const keyed = (more: object) =>
    answer({
      deviceType: 'idtech',
      devicePayload: keyedOriginal({plain: `${PAN}=2801=123`, exp: '2801', ...more}),
    });
  const enhancedKeyed = (additional: string) => {
    const plain = `;${PAN}=2801:123?`;
    const devicePayload = enhanced({
      type: 0xc0,
      tracks: [undefined, {plain: plain + lrcOf(plain)}],
      additional,
    });
    return answer({deviceType: 'idtech', devicePayload});
  };

  it('are answered', () => {
    const extracted = {PAN, CVV: '123', street: '81 HIGH ST', ZIP: '90210-1234'};
    expect(keyed({adr: '81 HIGH ST', zip: '90210-1234'})).toMatchObject({response: {extracted}});
    expect(enhancedKeyed('81 HIGH ST=90210-1234=')).toMatchObject({response: {extracted}});
  });

  it.each(['\x00', '\x07', '\x7f', '\x85', '\xe9'])('are 2601 with %j in street or ZIP', (bad) => {
    expect(keyed({adr: `8${bad}1`})).toMatchObject({errCode: 2601});
    expect(keyed({zip: `902${bad}0`})).toMatchObject({errCode: 2601});
    expect(enhancedKeyed(`8${bad}1=90210=`)).toMatchObject({errCode: 2601});
    expect(enhancedKeyed(`902${bad}0=`)).toMatchObject({errCode: 2601});
  });
});
