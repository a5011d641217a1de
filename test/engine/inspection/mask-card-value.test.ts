import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {maskCardValue} from '../../../src/engine/inspection/mask-card-value.js';

const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();

describe('maskCardValue', () => {
  it.each([
    ['a track 2', ';4111111111111111=25121011234?', ';411111******1111*************'],
    ['a track 1', '%B4111111111111111^DOE/J^2512101?', '%B411111******1111***************'],
    ['a card number', '4111111111111111', '411111******1111'],
    ['a card number of 12 digits', '411111111111', '********1111'],
    ['tag 5A with filler', '374245001751006F', '374245*****1006*'],
    ['tag 57', '374245001751006D2412702', '374245*****1006********'],
    [
      'a track 2 in hex',
      hex(';4111111111111111=2512'),
      `${hex(';411111')}${'*'.repeat(12)}${hex('1111')}**********`,
    ],
  ])('masks %s', (_, value, masked) => {
    expect(maskCardValue(value)).toBe(masked);
  });

  it.each([
    ['a name', 'DOE/JOHN'],
    ['hex of a name', hex('DOE/JOHN')],
    ['a track with blanks', '%B3739 531923 51004^'],
    ['a PAN longer than any', '41111111111111111111'],
    ['packed 6-bit', '16D2412345'],
    ['a CVV', '123'],
  ])('hides all of %s', (_, value) => {
    expect(maskCardValue(value)).toBe('*'.repeat(value.length));
  });

  it('keeps the length of every value', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[;%]?B?\d{10,21}[=^DF]?.*$/)),
        (value) => {
          expect(maskCardValue(value)).toHaveLength(value.length);
        },
      ),
    );
  });

  it('never shows more than ten digits in a row', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[;%]?B?\d{12,30}[=^D]?\d*$/), (value) => {
        expect(maskCardValue(value)).not.toMatch(/\d{11}/);
      }),
    );
  });
});
