import {describe, expect, it} from 'vitest';
import {Evidence} from '../../../../src/engine/card/evidence.js';
import {headLayouts, hideOpenDigits} from '../../../../src/engine/families/abecs/heads.js';
import {ABECS_METHODS} from '../../../../src/engine/families/abecs/layout.js';
import {
  clearNumber,
  isDecimal,
  openPanBlock,
  secondFact,
  splitTrack,
} from '../../../../src/engine/families/abecs/pan-block.js';
import {TERMINALS} from '../../../../src/engine/families/registry.js';
import {readPayload} from '../../../../src/engine/read-payload.js';
import {Trace} from '../../../../src/engine/trace.js';
import {errorOf} from '../../error-of.js';

const BLOCK = '1A2B3C4D5E6F7081';
const REST_1 = '^DOE/JANE^2512201123456789';
const REST_2 = '=25122011143878089';

describe('a track is split at its block:', () => {
  it.each([
    [`B${BLOCK}${REST_1}`, 1, 'B', '', REST_1],
    [`%B${BLOCK}${REST_1}?`, 1, '%B', '', `${REST_1}?`],
    [`B476${BLOCK.toLowerCase()}${REST_1}`, 1, 'B476', '476', REST_1],
    [`B4 7${BLOCK}${REST_1}`, 1, 'B4 7', '4 7', REST_1],
    [`${BLOCK}${REST_2}`, 2, '', '', REST_2],
    [`;4761739${BLOCK}${REST_2}?`, 2, ';4761739', '4761739', `${REST_2}?`],
    [`+${BLOCK}${REST_2}`, 3, '+', '', REST_2],
  ])('%s', (text, number, head, open, rest) => {
    expect(splitTrack(text)).toEqual({number, head, open, block: BLOCK, rest});
  });

  it.each([
    ['eight digits in cleartext', `47617390${BLOCK}${REST_2}`, undefined],
    ['15 digits', `${BLOCK.slice(1)}${REST_2}`, undefined],
    ['no format letter before a name', `${BLOCK}${REST_1}`, undefined],
    ['a format letter before =', `B${BLOCK}${REST_2}`, undefined],
    ['letters after =', `${BLOCK}=2512ABC`, undefined],
    ['one ^', `B${BLOCK}^DOE/JANE`, undefined],
    ['a second number', `B${BLOCK}^4111111111111^2512201`, undefined],
    ['track 1 in the place of track 2', `B${BLOCK}${REST_1}`, 2],
    ['track 2 in the place of track 1', `${BLOCK}${REST_2}`, 1],
    ['44 characters', `${BLOCK}${REST_2.padEnd(28, '0')}`, 2],
    ['83 characters of track 1', `B${BLOCK}${REST_1.padEnd(66, '0')}`, 1],
    ['111 characters of track 3', `${BLOCK}${REST_2.padEnd(95, '0')}`, 3],
  ] as const)('but not with %s', (_, text, named) => {
    expect(splitTrack(text, named)).toBeUndefined();
  });

  it.each([
    [`${BLOCK}${REST_2.padEnd(27, '0')}`, 2],
    [`B${BLOCK}${REST_1.padEnd(65, '0')}`, 1],
    [`${BLOCK}${REST_2.padEnd(94, '0')}`, 3],
  ] as const)('of the largest length: %s', (text, named) => {
    expect(splitTrack(text, named)?.number).toBe(named);
  });

  it('and may be in cleartext', () => {
    const track = splitTrack(`B4 1${'1'.repeat(16)}${REST_1}`);
    expect(track && [isDecimal(track), clearNumber(track)]).toEqual([true, `41${'1'.repeat(16)}`]);
    const other = splitTrack(`B${BLOCK}${REST_1}`);
    expect(other && isDecimal(other)).toBe(false);
  });
});

describe('a decrypted block', () => {
  const GRAMMAR = Math.log2(1.6);
  const open = (number: 1 | 2, shown: string, hex: string) => {
    const evidence = new Evidence();
    const track = {number, head: shown, open: shown, block: BLOCK, rest: REST_2};
    const pan = openPanBlock(track, Buffer.from(hex, 'hex'), evidence);
    return [pan, evidence.bits] as const;
  };

  it.each([
    [2, '', '4111111111111111', '4111111111111111', 16, 0],
    [2, '411', '4111111111111111', '4114111111111111111', 16, 0],
    [2, '', '4222222222222fff', '4222222222222', 13, 3],
    [1, '', '3782e822463e1000', '3782 822463 1000', 14, 2],
  ] as const)('of track %i after "%s": %s', (number, shown, hex, pan, digits, fill) => {
    const [found, bits] = open(number, shown, hex);
    expect(found).toBe(pan);
    expect(bits).toBeCloseTo(digits * GRAMMAR + fill * 4);
  });

  it.each([
    ['twelve digits', 2, '', '422222222222ffff'],
    ['a letter', 2, '', '411111111111111a'],
    ['F inside', 2, '', '41111111f1111111'],
    ['fill after digits in cleartext', 2, '411', '4222222222222fff'],
    ['a space at its end', 1, '', '411111111111111e'],
    ['a space in track 2', 2, '', '4111e11111111111'],
    ['20 digits', 2, '4111', '4111111111111111'],
    ['twelve digits and spaces', 1, '', '4111e1111e1e1e11'],
  ] as const)('is not a card number with %s', (_, number, shown, hex) => {
    expect(errorOf(() => open(number, shown, hex)).code).toBe(2601);
  });
});

/** Every number passes Luhn, but for those that say so. */
describe('the second fact of a card number', () => {
  const CHECK = 'check digit of the card number';
  const GROUPS = 'groups of digits of the card number';
  it.each([
    ['4111111111111111', CHECK],
    ['4222222222222', CHECK],
    ['30569309025904', CHECK],
    ['378282246310005', CHECK],
    ['6304000000000000000', CHECK],
    ['2221000000000009', CHECK],
    ['3530111333300000', CHECK],
    ['3589000000000003', CHECK],
    ['6011111111111117', CHECK],
    ['6001234567890125', CHECK],
    // Without check digit.
    ['6001234567890123', 'range of cards without a check digit'],
    ['4111111111111112', undefined],
    ['2220000000000000', undefined],
    ['2721000000000004', undefined],
    ['3527000000000008', undefined],
    ['3590000000000000', undefined],
    ['6100000000000006', undefined],
    ['6600000000000001', undefined],
    ['4111 1111 1111 1111', GROUPS],
    ['3782 822463 10005', GROUPS],
    ['3056 930902 5904', GROUPS],
    ['4111 111111111111', undefined],
    ['3182 822463 10005', undefined],
  ])('%s: %s', (shown, fact) => expect(secondFact(shown)).toBe(fact));
});

describe('the digits in cleartext before the blocks', () => {
  const track1 = (head: string, blocks: number) =>
    ({
      name: 'PP_TRACK1',
      ksn: 'PP_TRK1KSN',
      holds: 1,
      bytes: body(Buffer.from(head), blocks),
    }) as const;
  const track2 = (head: string, blocks: number) =>
    ({
      name: 'PP_TRACK2',
      ksn: 'PP_TRK2KSN',
      holds: 2,
      bytes: body(Buffer.from(head, 'hex'), blocks),
    }) as const;
  const body = (head: Buffer, blocks: number) =>
    new Uint8Array(Buffer.concat([head, Buffer.alloc(8 * blocks, 0xff)]));

  it.each([
    ['none', [track1('', 2), track2('', 3)], undefined, [[0, 0]]],
    ['eight with the letter', [track1('B47617390', 1)], '8', [[9]]],
    ['six without the letter', [track1('476173', 1)], '6', [[6]]],
    ['four in both', [track1('B4761', 1), track2('4761', 1)], undefined, [[5, 2]]],
    ['a block of digits', [track2('', 1)], '0', [[0]]],
  ] as const)('%s', (_, sent, stated, lengths) => {
    expect(headLayouts(sent, stated).map((heads) => heads.map(({length}) => length))).toEqual(
      lengths,
    );
  });

  it.each([
    ['another number', [track2('', 1)], '3', 2100],
    ['no blocks', [track2('47617390', 0)], '8', 2102],
    ['letters in packed digits', [track2('4F', 1)], '2', 2102],
    ['two letters', [track1('BB', 1)], '2', 2102],
    ['other digits than stated', [track2('4761', 1)], '2', 2102],
    ['different numbers', [track1('B47', 1), track2('4761', 1)], undefined, 2102],
  ] as const)('are refused with %s', (_, sent, stated, code) => {
    expect(errorOf(() => headLayouts(sent, stated)).code).toBe(code);
  });

  it('hide digits of a copy', () => {
    expect(hideOpenDigits({name: 'x', pan: '476173******0010'}, 4).pan).toBe('****73******0010');
  });
});

it('has the methods of the protocol', () => {
  const rows = Object.entries(ABECS_METHODS).map(([code, {setting, singleDes}]) =>
    [code, setting.mode, setting.variant, setting.selfEncrypted, singleDes].join(' '),
  );
  expect(rows.sort()).toEqual([
    ...['00 ecb data true true', '01 cbc data true true', '10 ecb data true false'],
    ...['11 cbc data true false', '30 ecb pin false false', '50 ecb data true false'],
    '51 cbc data true false',
  ]);
});

describe('objects in hex', () => {
  const TRACK = '80450008FFFFFFFFFFFFFFFF';
  const KSN = 'FFFF9876543210E00041';
  const objects = `${TRACK}804C000A${KSN}`;
  const codeOf = (payload: string) =>
    errorOf(() => readPayload(TERMINALS.abecs, payload, new Trace())).code;

  it.each([
    ['a second one', objects + TRACK, 2100],
    ['half a byte', `${objects}8`, 2102],
    ['an object without its end', objects.slice(0, -2), 2102],
    ['an object without its length', `${objects}804A00`, 2102],
    ['an id outside the protocol', `${objects}70010000`, 2100],
    ['a response that is too short', `47544B303030303237${objects}`, 2102],
    ['a response that is too long', `47544B303030303235${objects}`, 2100],
    ['text in a value', JSON.stringify({PP_TRACK2: 'XY', PP_KSN: KSN}), 2100],
    ['half a byte in a value', JSON.stringify({PP_TRACK2: 'FFF', PP_KSN: KSN}), 2102],
    ['a number', JSON.stringify({PP_TRACK2: 5, PP_KSN: KSN}), 2100],
    ['two values', JSON.stringify({PP_TRACK2: 'FF', pp_track2: 'EE'}), 2100],
    [
      'a track of another form',
      JSON.stringify({PP_TRACK2: 'FF', track2: `${BLOCK}${REST_2}`}),
      2100,
    ],
    [
      'two expiry dates',
      JSON.stringify({
        PP_TRACK2: 'FF'.repeat(8),
        PP_TRK1INC: 'B4761*^A^2512',
        PP_TRK2INC: '4761*=2612',
      }),
      2100,
    ],
    ['nothing encrypted', JSON.stringify({SPE_MTHDDAT: '51'}), 2100],
    ['a copy in cleartext', JSON.stringify({PP_TRK2INC: '4761739001010010=2512'}), 2110],
  ])('are refused with %s', (_, payload, code) => expect(codeOf(payload)).toBe(code));

  it.each([
    ['a random key', {PP_ENCKRAND: 'FF'}, 2111],
    ['method 90', {SPE_MTHDDAT: '90'}, 2111],
    ['method 52', {SPE_MTHDDAT: '52'}, 2111],
  ])('are not decrypted with %s', (_, more, code) => {
    const payload = JSON.stringify({PP_TRACK2: 'FF'.repeat(8), PP_KSN: KSN, ...more});
    const {refusal, candidates} = readPayload(TERMINALS.abecs, payload, new Trace());
    expect([refusal?.code, candidates]).toEqual([code, [[]]]);
  });

  it('give fields with their place, KSN and methods', () => {
    const {candidates} = readPayload(TERMINALS.abecs, `47544B303030303236${objects}`, new Trace());
    const rows = candidates.map(([field]) => [field?.setting.mode, field?.setting.variant]);
    expect(rows).toEqual([
      ['cbc', 'data'],
      ['ecb', 'data'],
      ['ecb', 'pin'],
    ]);
    expect(candidates[0]?.[0]).toMatchObject({
      ...{name: 'PP_TRACK2', offset: 13, ksn: KSN, singleDes: true},
      ciphertext: new Uint8Array(8).fill(0xff),
    });
  });
});
