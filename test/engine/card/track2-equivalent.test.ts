import {describe, expect, it} from 'vitest';
import {Evidence} from '../../../src/engine/card/evidence.js';
import {
  isPackedCard,
  parseTrack2Equivalent,
  readFilledDigits,
  readFilledTrack2Equivalent,
  readPackedDigits,
  readTrack2Equivalent,
} from '../../../src/engine/card/track2-equivalent.js';
import {fromHex} from '../hex.js';

// EMV Book 3, Annex A, tag 57: PAN, D, YYMM, service code, discretionary data, F to a whole byte.
const WHOLE = '4012888888881881d28012011234';

describe('the data elements of a track 2 equivalent', () => {
  it.each([
    [WHOLE, {expiry: '2801', serviceCode: '201', discretionary: '1234'}],
    ['4012888888881881d2801201', {expiry: '2801', serviceCode: '201'}],
    ['4012888888881881d2801', {expiry: '2801'}],
    ['4012888888881881d', {}],
  ])('%s: %j', (text, elements) => {
    expect(parseTrack2Equivalent(text)).toStrictEqual({pan: '4012888888881881', ...elements});
  });

  it.each([
    '40128888888d2801201',
    '40128888888888888888d2801201',
    '4012888888881881d280',
    '4012888888881881d280120',
    '4012888888881881',
    `a${WHOLE}`,
    `${WHOLE}a`,
  ])('%s has none', (text) => {
    expect(parseTrack2Equivalent(text)).toBeUndefined();
  });
});

describe('a track 2 equivalent', () => {
  it.each([`${WHOLE}ff`, `${WHOLE}`, '4012888888881881d2801201f'.padEnd(26, 'f')])(
    'is read from %s without its filler',
    (hex) => {
      expect(readTrack2Equivalent(fromHex(hex))?.text).toBe(hex.replace(/f+$/, ''));
    },
  );

  it.each(['4012888888881881', `f${WHOLE}0`, `${WHOLE}fa`, `${WHOLE}aa`])('is not %s', (hex) => {
    expect(readTrack2Equivalent(fromHex(hex))).toBeUndefined();
  });

  it.each([
    ['', 14],
    ['ff', 14],
    ['0202', 14],
  ])('as a plaintext of its own ends in front of its fill %j', (fill, length) => {
    const found = readFilledTrack2Equivalent(fromHex(WHOLE + fill), new Evidence());
    expect(found).toEqual({bytes: fromHex(WHOLE), text: WHOLE});
    expect(found?.bytes).toHaveLength(length);
  });

  it('as a plaintext of its own may have zeros behind its filler', () => {
    const found = readFilledTrack2Equivalent(fromHex(`${WHOLE}5f0000`), new Evidence());
    expect(found).toEqual({bytes: fromHex(`${WHOLE}5f`), text: `${WHOLE}5`});
  });

  it.each(['fa', 'faff', 'f00f', 'aa'])('as a plaintext with %s behind it is none', (fill) => {
    expect(readFilledTrack2Equivalent(fromHex(WHOLE + fill), new Evidence())).toBeUndefined();
  });
});

describe('packed digits', () => {
  it.each([
    ['4012888888881881', '4012888888881881'],
    ['401288888888188f', '401288888888188'],
    ['40128888888818ff', '40128888888818'],
    ['401288888888188a', undefined],
    ['f012888888881881', undefined],
    ['ff', undefined],
  ])('%s: %s', (hex, digits) => {
    expect(readPackedDigits(fromHex(hex))).toBe(digits);
  });

  it.each([
    [WHOLE, true],
    ['4012888888881881', true],
    ['401288888888188f', true],
    ['4012888888881881d280', true],
    ['4012a88888881881', false],
    ['f412', false],
    ['d412', false],
  ])('%s may be a card: %s', (hex, is) => {
    expect(isPackedCard(fromHex(hex.length % 2 ? `${hex}f` : hex))).toBe(is);
  });

  it.each([
    ['4012888888881881', '4012888888881881'],
    ['401288888888188f', '401288888888188'],
    ['401288888888188f0000', '401288888888188'],
    ['40128888888818810808080808080808', '4012888888881881'],
    ['4012888888881881a0', undefined],
    ['401288888888188f02', undefined],
  ])('%s as a plaintext of its own: %s', (hex, digits) => {
    const found = readFilledDigits(fromHex(hex));
    expect(found?.text).toBe(digits);
    if (digits) expect(found?.bytes).toHaveLength(Math.ceil(digits.length / 2));
  });
});
