import {describe, expect, it} from 'vitest';
import {
  beginsWithPan,
  hasCheckDigit,
  isPan,
  parseTrack1,
  parseTrack2,
} from '../../../src/engine/card/track-data.js';

// ISO/IEC 7813: %B, PAN, ^, name, ^, YYMM, service code, discretionary data.
const T1 = '%B4012888888881881^SAMPLE/CARD^28012011234?';
// ;, PAN, =, YYMM, service code, discretionary data.
const T2 = ';4012888888881881=28012011234?';

describe('the data elements of a track', () => {
  const elements = {expiry: '2801', serviceCode: '201', discretionary: '1234'};

  it('1 stand where ISO/IEC 7813 says', () => {
    expect(parseTrack1(T1)).toMatchObject({
      ...elements,
      pan: '4012888888881881',
      panText: '4012888888881881',
      name: 'SAMPLE/CARD',
    });
  });

  it('2 stand where ISO/IEC 7813 says', () => {
    expect(parseTrack2(T2)).toMatchObject({
      ...elements,
      pan: '4012888888881881',
      name: undefined,
    });
  });

  it.each([
    ['^^1234', {discretionary: '1234'}],
    ['2801^1234', {expiry: '2801', discretionary: '1234'}],
    ['^2011234', {serviceCode: '201', discretionary: '1234'}],
    ['2801201', {expiry: '2801', serviceCode: '201'}],
    ['2801', {expiry: '2801'}],
    ['', {}],
  ])('behind the name and its separator, %j: a separator means there is none', (behind, found) => {
    const none = {expiry: undefined, serviceCode: undefined, discretionary: undefined};
    expect(parseTrack1(`%B4012888888881881^SAMPLE/CARD^${behind}?`)).toMatchObject({
      ...none,
      ...found,
    });
    expect(parseTrack2(`;4012888888881881=${behind.replaceAll('^', '=')}?`)).toMatchObject({
      ...none,
      ...found,
    });
  });

  it.each([
    ['text in front', `B${T1}`],
    ['text behind', `${T1}1`],
    ['a track behind', T1 + T2],
    ['no start sentinel', T1.slice(1)],
    ['no end sentinel', T1.slice(0, -1)],
    ['a PAN of 11 digits', T1.replace('40128', '')],
    ['a PAN of 20 digits', T1.replace('4012', '40124012')],
    ['an expiry date of 3 digits', '%B4012888888881881^A/B^280?'],
    ['a service code of 2 digits', '%B4012888888881881^A/B^280120?'],
    ['no name separator', '%B4012888888881881^28012011234?'],
  ])('1 are not found with %s', (_, text) => {
    expect(parseTrack1(text)).toBeUndefined();
  });

  it.each([
    ['text in front', `1${T2}`],
    ['text behind', `${T2}1`],
    ['no start sentinel', T2.slice(1)],
    ['no end sentinel', T2.slice(0, -1)],
    ['a PAN of 11 digits', T2.replace('40128', '')],
    ['a PAN of 20 digits', T2.replace('4012', '40124012')],
    ['an expiry date of 3 digits', ';4012888888881881=280?'],
    ['a service code of 2 digits', ';4012888888881881=280120?'],
  ])('2 are not found with %s', (_, text) => {
    expect(parseTrack2(text)).toBeUndefined();
  });

  it('1 have a PAN that may hold blanks', () => {
    expect(parseTrack1('%B3739 531923 51004^A^2512?')).toMatchObject({
      pan: '373953192351004',
      panText: '3739 531923 51004',
    });
  });
});

describe('a track begins with a card number', () => {
  it.each([
    [T1, true],
    [T2, true],
    [';4012888888881881=???', true],
    ['%4012888888881881^', true],
    ['%B3739 531923 51004 ^', true],
    [';401288888881=', true],
    [';4012888888888888888=', true],
    [';40128888888=', false],
    [';40128888888888888888=', false],
    ['%B401288888881^', true],
    ['%B4012888888888888888^', true],
    ['%B40128888888^', false],
    ['%B40128888888888888888^', false],
    [`1${T2}`, false],
    [`%${T1}`, false],
  ])('%s: %s', (text, begins) => {
    expect(beginsWithPan(text)).toBe(begins);
  });
});

describe('a card number', () => {
  it.each([
    ['40128888888', false],
    ['401288888888', true],
    ['4012888888888888888', true],
    ['40128888888888888888', false],
    ['a401288888888', false],
    ['401288888888a', false],
  ])('%s: %s', (digits, is) => {
    expect(isPan(digits)).toBe(is);
  });

  // The usual example of the Luhn formula, and published test cards.
  it.each([
    '49927398716',
    '4012888888881881',
    '371449635398431',
    '36000000000008',
    '5555555555554444',
    '6011111111111117',
    '6799998900000060018',
  ])('%s has its check digit, and no other', (pan) => {
    const found = Array.from({length: 10}, (_, digit) => `${pan.slice(0, -1)}${digit}`);
    expect(found.filter(hasCheckDigit)).toEqual([pan]);
  });
});
