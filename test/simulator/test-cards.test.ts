import {describe, expect, it} from 'vitest';
import {composeCard} from '../../src/simulator/compose-card.js';
import {findTestCard, TEST_CARDS} from '../../src/simulator/test-cards.js';

/** ISO/IEC 7812-1:2017, annex B. */
function passesLuhn(pan: string): boolean {
  const sum = [...pan].toReversed().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

describe('the test cards', () => {
  it('have one id each', () => {
    expect(new Set(TEST_CARDS.map(({id}) => id)).size).toBe(TEST_CARDS.length);
  });

  it('name who published them', () => {
    expect(TEST_CARDS.filter(({source}) => source.length < 8)).toStrictEqual([]);
  });

  it('pass Luhn, except those whose source says that they fail it', () => {
    const wrong = TEST_CARDS.filter(
      ({pan, source}) => passesLuhn(pan) === source.includes('fails Luhn'),
    );
    expect(wrong.map(({id}) => id)).toStrictEqual([]);
  });

  it('cover PANs of 12 to 19 digits', () => {
    const lengths = new Set(TEST_CARDS.map(({pan}) => pan.length));
    expect([12, 13, 14, 15, 16, 18, 19].filter((length) => !lengths.has(length))).toStrictEqual([]);
  });

  it('cover every brand', () => {
    expect([...new Set(TEST_CARDS.map(({brand}) => brand))].toSorted()).toStrictEqual([
      'American Express',
      'Diners Club',
      'Discover',
      'JCB',
      'Maestro',
      'Mastercard',
      'UnionPay',
      'Visa',
    ]);
  });

  it('hold a name of 26 characters and one of none', () => {
    expect(findTestCard('mastercard-long-name')?.name).toHaveLength(26);
    expect(findTestCard('no-name')?.name).toBe('/');
  });

  it.each(TEST_CARDS)('compose: $id fits the stripe', (card) => {
    const {track1 = '', track2 = ''} = composeCard(card, 'swiped');
    expect(track1.length).toBeLessThan(79);
    expect(track2.length).toBeLessThan(40);
  });
});

describe('composeCard', () => {
  it('composes the tracks by ISO/IEC 7813', () => {
    const {track1, track2} = composeCard(
      {
        pan: '4012888888881881',
        expiry: '2801',
        serviceCode: '201',
        name: 'SAMPLE/GENERIC',
        discretionary: '0000000000000',
      },
      'swiped',
    );
    expect(track1).toBe('%B4012888888881881^SAMPLE/GENERIC^28012010000000000000?');
    expect(track2).toBe(';4012888888881881=28012010000000000000?');
  });
});
