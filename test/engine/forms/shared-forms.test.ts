import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {Evidence} from '../../../src/engine/card/evidence.js';
import {bareCardContent, readBareTracks} from '../../../src/engine/forms/bare-card.js';
import {chosenTracks} from '../../../src/engine/forms/chosen-tracks.js';
import {crc16} from '../../../src/engine/forms/crc16.js';
import {entryOf} from '../../../src/engine/forms/entry-of.js';
import {
  jsonMembersIn,
  jsonOffsetOf,
  membersWithin,
} from '../../../src/engine/forms/json-payload.js';
import {PCB, readLinkFrames, writeLinkFrames} from '../../../src/engine/forms/link-frame.js';
import {textPieces} from '../../../src/engine/forms/members.js';
import {isObjectList} from '../../../src/engine/forms/object-list.js';
import {onlyObject} from '../../../src/engine/forms/one-read.js';
import {compactHex, hexIfBinary, payloadBytes} from '../../../src/engine/forms/payload-bytes.js';
import {
  assertNoTags,
  assertOwnText,
  indexSigns,
  signsBesideKsn,
} from '../../../src/engine/forms/signs.js';
import {
  chipValue,
  packDigits,
  track2EquivalentOf,
} from '../../../src/engine/forms/tlv/chip-data.js';
import {joinedPinsIn, pinsIn} from '../../../src/engine/forms/tlv/pins-in.js';
import {posEntryMode} from '../../../src/engine/forms/tlv/pos-entry-mode.js';
import {serialTag} from '../../../src/engine/forms/tlv/tag-values.js';
import {assertTerminalTags} from '../../../src/engine/forms/tlv/terminal-tags.js';
import {placeInPayload} from '../../../src/engine/forms/tlv/tlv-body.js';
import {fillTemplate} from '../../../src/engine/forms/tlv/tlv-template.js';
import {readTlv} from '../../../src/engine/tlv/ber.js';
import {Trace} from '../../../src/engine/trace.js';

/** What terminals share, each with its exact results. */
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const hexOf = (found: Uint8Array | undefined) =>
  found && Buffer.from(found).toString('hex').toUpperCase();
const objects = (hex: string) => readTlv(bytes(hex)).objects;

/** The result, or code and detail of the error. */
function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof PaylensError) return `${error.code} ${error.detail}`;
    throw error;
  }
}

describe('the bytes of a payload', () => {
  it.each([
    ['01aF', '01AF'],
    [' 01\r\nAF\t', '01AF'],
    ['\x01\xff', '01FF'],
    ['\x7f', '7F'],
    ['012', '2102 odd number of hex digits: found 3'],
    ['xyz', '2100 expected hex digits, found text of 3 characters'],
    ['\x01\u0101', '2100 expected hex digits, found text of 2 characters'],
  ])('%j: %s', (payload, expected) => {
    const found = outcome(() => payloadBytes(payload));
    expect(found instanceof Uint8Array ? hexOf(found) : found).toBe(expected);
  });

  it.each([
    ['\x02A', '0241'],
    ['a\t\r\n~ ', 'a\t\r\n~ '],
    ['\x7f', '7f'],
    ['\x80', '80'],
    ['\x01\u0101', '\x01\u0101'],
  ])('hexIfBinary of %j: %j', (payload, expected) => {
    expect(hexIfBinary(payload)).toBe(expected);
  });

  it.each([
    [' 0 1\n', '01'],
    ['fF', 'fF'],
    ['x0', undefined],
    ['0x', undefined],
    ['', undefined],
  ])('compactHex of %j: %j', (payload, expected) => {
    expect(compactHex(payload)).toBe(expected);
  });
});

// The check value of CRC-16/IBM-3740 (CCITT-FALSE) in the catalogue of CRC algorithms.
it.each([
  ['313233343536373839', 0x29b1],
  ['', 0xffff],
])('CRC-16 of %s', (data, expected) => {
  expect(crc16(bytes(data))).toBe(expected);
});

describe('chip data', () => {
  const card = {pan: '4012888888881881', expiry: '2802', serviceCode: '201', name: 'A/B'};

  it.each([
    ['123', '123F'],
    ['12', '12'],
    ['', ''],
  ])('packs %s as %s', (digits, expected) => {
    expect(hexOf(packDigits(digits))).toBe(expected);
  });

  it('makes a track 2 equivalent of the stripe, else of the card', () => {
    expect(track2EquivalentOf(card)).toBe('4012888888881881D2802201');
    expect(track2EquivalentOf({...card, track2: ';4012=28?'})).toBe('4012D28');
  });

  it.each([
    ['57', card, '4012888888881881D2802201'],
    ['5A', {...card, pan: '378282246310005'}, '378282246310005F'],
    ['5F20', card, '412F42'],
    ['5F24', card, '280228'],
    ...['2804', '2806', '2809', '2811'].map((expiry) => ['5F24', {...card, expiry}, `${expiry}30`]),
    ...['2801', '2805', '2812'].map((expiry) => ['5F24', {...card, expiry}, `${expiry}31`]),
    ['5F30', card, '0201'],
    ['9F02', card, undefined],
  ] as [string, typeof card, string | undefined][])('%s of %j', (tag, of, expected) => {
    expect(hexOf(chipValue(tag, of))).toBe(expected);
  });

  // The applications of the registered providers (EMVCo).
  it.each([
    ['4', 'A0000000031010'],
    ...['51', '55', '22', '27'].map((prefix) => [prefix, 'A0000000041010']),
    ...['34', '37'].map((prefix) => [prefix, 'A000000025010402']),
    ...['6011', '64', '65', '30', '36', '38'].map((prefix) => [prefix, 'A0000001523010']),
    ['35', 'A0000000651010'],
    ['62', 'A000000333010101'],
    ...['50', '56', '21', '28', '33', '6012', '63'].map((prefix) => [prefix, 'A0000000043060']),
  ] as [string, string][])('a card that begins with %s has %s', (prefix, expected) => {
    const pan = prefix.padEnd(16, '9');
    for (const tag of ['4F', '84']) expect(hexOf(chipValue(tag, {...card, pan}))).toBe(expected);
  });
});

describe('the tracks that an option names', () => {
  const card = {track1: 'one', track3: 'three'};
  const [one, three] = [
    {number: 1, text: 'one'},
    {number: 3, text: 'three'},
  ];

  it.each([
    ['all', [one, three]],
    ['12', [one]],
    ['3', [three]],
    ['2', '9001 option tracks: the card has none of these tracks'],
  ])('%s: %j', (wanted, expected) => {
    expect(outcome(() => chosenTracks(card, wanted))).toEqual(expected);
  });
});

describe('tags of a list', () => {
  it.each([
    [[''], 'emv'],
    [['9F390105'], 'emv'],
    ...['80', '90', '91'].map((mode) => [[`9F3901${mode}`], 'swiped']),
    [['9F3900', '9F390190'], 'swiped'],
    [['9F390105', '9F390190'], 'emv'],
  ] as [string[], string][])('the entry mode of %j is %s', (lists, mode) => {
    expect(posEntryMode(...lists.map(objects))).toBe(mode);
  });

  const serial = (text: string) =>
    `9F1E${(text.length + 256).toString(16).slice(1)}${Buffer.from(text).toString('hex')}`;
  it.each([
    [serial(' AB1 '), 'AB1'],
    [serial('AB\0\0'), 'AB'],
    [serial('1234567'), '1234567'],
    [serial('12345678'), undefined],
    [serial('terminal'), undefined],
    [serial('0000'), undefined],
    [serial('A\x01'), undefined],
    ['', undefined],
    [serial('A') + serial('A'), 'A'],
    [serial('A') + serial('B'), '2100 tag 9F1E at 0 and at 4: two values, one expected'],
  ])('the serial number of %s is %j', (list, expected) => {
    expect(outcome(() => serialTag(objects(list)))).toBe(expected);
  });

  it.each(['', '5A00', 'DF01020102DF01020102'])('onlyObject of 5A in %j has no value', (list) => {
    expect(onlyObject(objects(list), '5A')).toBeUndefined();
  });

  it('onlyObject gives the first of equal ones, and refuses two values', () => {
    expect(onlyObject(objects('5A025A00DF01005A025A00'), '5A')?.offset).toBe(0);
    expect(outcome(() => onlyObject(objects('5A01015A0102'), '5A'))).toBe(
      '2100 tag 5A at 0 and at 3: two values, one expected',
    );
  });

  const foreign = (tag: string, offset = 0) =>
    `2100 tag ${tag} at ${offset}: not a tag of this terminal, but perhaps of another read`;
  it.each([
    ['5A0240125F2000', undefined],
    ['9A03260131', undefined],
    ['9A0426013100', foreign('9A')],
    [`5010${'41'.repeat(16)}`, undefined],
    [`5011${'41'.repeat(17)}`, foreign('50')],
    ['480100', undefined],
    ['C10100', undefined],
    ['CE0100', undefined],
    ['CF0100', foreign('CF')],
    ['DC0100', undefined],
    ['D10100', foreign('D1')],
    ['DF010100D10100', undefined],
    ['DF0101003000', foreign('30', 4)],
    ['0201FF', foreign('02')],
  ])('%s is of a terminal: %j', (list, expected) => {
    expect(outcome(() => assertTerminalTags(objects(list)))).toBe(expected);
  });
});

describe('PIN blocks', () => {
  const pin = (digits: number) => `99${digits.toString(16).padStart(2, '0')}${'A1'.repeat(digits)}`;

  it.each([
    [18, 8],
    [20, 8],
    [26, 16],
    [28, 16],
    [8, undefined],
    [19, undefined],
  ])('tag 99 of %i bytes has a block of %s bytes', (length, block) => {
    const {ciphertext, ksn, ...rest} = joinedPinsIn(objects(pin(length)))[0] ?? {};
    expect({block: ciphertext?.length, ksn, ...rest}).toEqual({
      block: block ?? length,
      ksn: block && 'A1'.repeat(length - block),
      name: 'tag 99',
      offset: 2,
    });
  });

  it.each([
    ['DF0401A1', [['A1', undefined]]],
    ['DF0401A1DF0501B1', [['A1', 'B1']]],
    [
      'DF0401A1DF0501B1DF0501B2',
      [
        ['A1', 'B1'],
        ['A1', 'B2'],
      ],
    ],
    ['DF040100DF0501B1', []],
    ['DF0401A1DF050100', [['A1', undefined]]],
  ])('%s: %j', (list, expected) => {
    const pins = pinsIn(objects(list), {block: 'DF04', ksn: 'DF05'});
    expect(pins.map(({ciphertext, ksn}) => [hexOf(ciphertext), ksn])).toEqual(expected);
  });
});

describe('signs of a terminal', () => {
  const index = indexSigns([
    {type: 'acme', signs: {tags: new Set(['DF01'])}},
    {type: 'none'},
    {type: 'other', signs: signsBesideKsn(new Set(['DF01', 'DF02']), new Set(['DF03']))},
  ]);
  const second = (type: string, tag: string) =>
    `2100 tag ${tag} at 0: a read of ${type} beside this one`;

  it.each([
    ['DF0101AA', second('acme', 'DF01')],
    ['DF0100', undefined],
    ['DF0401AA', undefined],
    ['DF0201AA', undefined],
    [`DF0201AADF030A${'11'.repeat(10)}`, second('other', 'DF02')],
    [`DF0201AADF030C${'11'.repeat(12)}`, second('other', 'DF02')],
    [`DF0201AADF030B${'11'.repeat(11)}`, undefined],
    [`DF0200DF030A${'11'.repeat(10)}`, undefined],
  ])('%s: %j', (list, expected) => {
    const read = () => assertNoTags(objects(list), index);
    expect(outcome(read)).toBe(expected);
  });

  const texts = indexSigns([
    {
      type: 'acme',
      signs: {text: (text) => (text.includes('!') ? 'a !' : undefined)},
    },
    {type: 'tags', signs: {tags: new Set(['DF01'])}},
  ]);

  it.each([
    ['own', 'a!', '2100 a !: a read of acme beside this one'],
    ['own', 'a', undefined],
    ['acme', 'a!', undefined],
  ])('text in a payload of %s, %s: %j', (type, payload, expected) => {
    expect(outcome(() => assertOwnText({type}, payload, texts))).toBe(expected);
  });
});

describe('bare hex of other terminals', () => {
  it.each([
    ['80440002ABCD', true],
    ['80 44 00 02 ab cd', true],
    ['800100018044 0001AA', false],
    ['80010001AA80450001BB', true],
    ['80010001AA', false],
    ['80470001AA', false],
    ['804A0001AA', true],
    ['80440003ABCD', false],
    ['80440002ABCD00', false],
    ['70440002ABCD', false],
    [`47544B303030303030${'80440002ABCD'}`, true],
    ['hello', false],
  ])('%s is a list of ABECS objects: %s', (payload, expected) => {
    expect(isObjectList(payload)).toBe(expected);
  });
});

describe('members', () => {
  it('of JSON have their place, nested ones too', () => {
    expect([...jsonMembersIn('{"a":{"b":1},"c":[true,"x"]}')]).toEqual([
      {name: 'a', offset: 1, length: 5, depth: 0},
      {name: 'b', offset: 6, length: 5, depth: 1, value: '1'},
      {name: 'c', offset: 13, length: 5, depth: 0},
    ]);
  });

  it.each([
    ['{"a": "XY"}', 'XY', 1],
    ['{"a":XY}', 'XY', 1],
    ['{"a":1}', 'XY', 0],
    ['XY', 'XY', 0],
  ])('the member of %s with %s begins at %i', (text, value, at) => {
    expect(jsonOffsetOf(text, value)).toBe(at);
  });

  it('inside others are found but in those of a terminal itself', () => {
    const object = {a: 1, b: {c: 2}, d: [{e: 3}, 4], own: {f: 5}, n: null};
    expect([...membersWithin(object, (name) => name === 'own')]).toEqual([
      ['a', 1],
      ['c', 2],
      ['e', 3],
      ['own', {f: 5}],
      ['n', null],
    ]);
  });

  it('of text are pieces between separators', () => {
    expect(textPieces('a;b|\n c&\r ')).toEqual([
      {piece: 'a', offset: 0},
      {piece: 'b', offset: 2},
      {piece: ' c', offset: 5},
    ]);
  });

  it('are looked up among own properties', () => {
    expect([entryOf({a: 1}, 'a'), entryOf({a: 1}, 'constructor')]).toEqual([1, undefined]);
  });
});

describe('link frames', () => {
  it.each([
    [{}, '01000301900093'],
    [{wrongLrc: true}, '01000301900092'],
    [{control: PCB.unsolicited}, '014003019000D3'],
  ])('of one byte with %j: %s', (options, expected) => {
    expect(hexOf(writeLinkFrames(bytes('01'), options))).toBe(expected);
  });

  it('of 254 bytes are two', () => {
    const written = writeLinkFrames(new Uint8Array(254));
    expect([hexOf(written.subarray(0, 4)), written.length]).toEqual(['0101FE00', 264]);
    expect(hexOf(written.subarray(258))).toBe('010002900093');
  });

  it.each([
    ['01000301900093', ['019000 9000']],
    ['0100030190009301000302691F76', ['019000 9000', '02691F 691F']],
    ['010101AAAB0100029000 93'.replace(' ', ''), ['AA9000 9000']],
    ['0100', '2102 frame at byte 0: no LEN'],
    ['01000301', '2102 LEN at byte 2: expected 3 bytes and the LRC, found 1'],
    ['010101AAAB', '2102 the PCB of the last frame announces further frames, at byte 5'],
    ['0100010000', '2102 frame at byte 3: no status word'],
  ])('%s: %j', (frames, expected) => {
    const read = () =>
      readLinkFrames(bytes(frames), new Trace({recording: false})).map(
        ({body, status}) => `${hexOf(body.bytes)} ${status}`,
      );
    expect(outcome(read)).toEqual(expected);
  });

  it.each([
    [0, 10],
    [1, 11],
    [2, 12],
    [3, 20],
    [4, 21],
  ])('byte %i of a body in base64 and one in binary stands at %i', (index, place) => {
    const pieces = [
      {start: 0, length: 3, offset: 10, units: 4},
      {start: 3, length: 3, offset: 20, units: 3},
    ];
    expect(placeInPayload({bytes: new Uint8Array(6), pieces}, index)).toBe(place);
  });
});

describe('templates', () => {
  it.each([
    ['5A00', '5A024012'],
    ['E1025A00', 'E1045A024012'],
    ['5A01125700', '5A01125700'],
    ['5700', '5700'],
  ])('%s is filled as %s', (template, expected) => {
    const fill = (tag: string) => (tag === '5A' ? bytes('4012') : undefined);
    expect(hexOf(fillTemplate(template, fill))).toBe(expected);
  });
});

describe('a card in values of its own', () => {
  const names = {pan: 'DE-2', expiry: 'DE-14'};
  const content = (pan: string | undefined, expiry: string | undefined) =>
    bareCardContent({bytes: bytes('01'), tracks: {}, pan, expiry, names});

  it.each([
    ['4012', '2801', {text: '4012=2801', pan: '4012'}],
    ['4012', undefined, {text: '4012', pan: '4012'}],
    [undefined, '2801', undefined],
  ])('%s and %s are keyed: %j', (pan, expiry, keyed) => {
    const {keyed: found, places, expiry: date, pan: number} = content(pan, expiry);
    expect(found).toEqual(keyed && {...keyed, bytes: bytes('01')});
    expect({date, number}).toEqual({date: expiry, number: undefined});
    expect(places).toHaveLength([pan, expiry].filter(Boolean).length);
  });

  it.each([
    [2, '4012888888881881D2801201', true],
    [2, ';4012888888881881=2801201?', true],
    [2, '40128888888=2801201', false],
    [2, '4012888888881881', false],
    [1, 'B4012888888881881^A/B^2801201', true],
    [1, '4012888888881881^A/B^2801201', false],
  ] as const)('track %i may be %s: %s', (number, text, isTrack) => {
    const value = (asked: number) => (asked === number ? Buffer.from(text) : undefined);
    const found = outcome(() => readBareTracks(value, new Evidence()));
    expect(typeof found === 'object').toBe(isTrack);
    if (!isTrack) expect(found).toBe(`2601 track ${number}: no card number in its place`);
  });
});
