import {describe, expect, it} from 'vitest';
import {
  maskedCopy,
  maskedDigits,
  maskedKeyedCopy,
} from '../../../src/engine/families/idtech/frame/mask-copy.js';

const usual = {first: 4, last: 4};

// docs/terminals/idtech.md#track-text: all but the ends of the PAN, the name, sentinels and separators.
describe('a masked copy', () => {
  it.each([
    [1, '%B4012888888881881^A/B^28012010?X', '%*4012********1881^A/B^********?*'],
    [1, 'B4012888888881881^A/B^28012010', '*4012********1881^A/B^********'],
    [2, ';4012888888881881=28012010?3', ';4012********1881=********?*'],
    [2, ';4012888888881881=28012010?;', ';4012********1881=********?*'],
    [2, ';4012888888881881=28012010??', ';4012********1881=********?*'],
    [2, '4012888888881881=28012010', '4012********1881=********'],
    [3, ';014012888888881881=00=1?3', ';**4012********1881=****?*'],
    [3, '+014012888888881881=00=1?3', '+**4012********1881=****?*'],
    [3, '%! LICENCE?;', '%*********?*'],
    [3, '+12;%?+', '+**;%?*'],
    [3, ';1234', ';****'],
  ] as const)('of track %i, %s: %s', (number, plain, copy) => {
    expect(maskedCopy(number, plain, usual)).toBe(copy);
  });

  it.each([
    [';4012888888881881=2801:123?4', ';4012********1881=2801:***?*'],
    [';4012888888881881=2801?4', ';4012********1881=2801?*'],
    [';4012888888881881=2801?:', ';4012********1881=2801?*'],
    [';4012888888881881=2801:123?:', ';4012********1881=2801:***?*'],
  ])('of keyed entry %s: %s', (plain, copy) => {
    expect(maskedKeyedCopy(plain, usual)).toBe(copy);
  });

  it.each([
    ['4012888888881881', '4012CCCCCCCC1881'],
    ['401288888888881F', '4012CCCCCCC8881F'],
    ['4012888888881881D28012010000F', '4012CCCCCCCC1881D2801201CCCCC'],
  ])('of the digits %s: %s', (digits, copy) => {
    expect(maskedDigits(digits, usual)).toBe(copy);
  });

  it.each([
    [0, 0, ';****************=********?*'],
    [6, 4, ';401288******1881=********?*'],
    [6, 0, ';401288**********=********?*'],
  ])('shows the first %i digits and the last %i', (first, last, copy) => {
    const plain = ';4012888888881881=28012010?3';
    expect(maskedCopy(2, plain, {first, last})).toBe(copy);
  });

  it('hides nothing where the ends meet', () => {
    expect(maskedDigits('40128888', {...usual, first: 6})).toBe('40128888');
  });
});
