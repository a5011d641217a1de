import {describe, expect, it} from 'vitest';
import {
  type HexDigits,
  hiddenDigits,
  starred,
} from '../../../src/engine/inspection/hidden-digits.js';

const PAN = '4761739001010010';
const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex').toUpperCase();
const spelled = (before: string, behind = '') =>
  [...PAN].map((digit) => before + digit + behind).join('');
const hide = (text: string, digits?: HexDigits) => starred(text, hiddenDigits(text, digits));

describe('hiddenDigits hides', () => {
  it.each([
    ['text', PAN, '476173******0010'],
    ['12 digits', PAN.slice(0, 12), '********0101'],
    ['text in groups', '4761 7390-0101 0010', '4761 73**-**** 0010'],
    ['full-width digits', '４７６１７３９００１０１００１０', '４７６１７３******００１０'],
    ['packed digits', `5A${PAN}F`, '5A476173******0010F'],
    ['packed digits that begin inside a byte', `A${PAN}D2`, 'A476173******0010D2'],
    [
      'hex of ASCII in groups',
      hex('4761 7390 0101 0010'),
      `${hex('4761 73')}${'*'.repeat(14)}${hex(' 0010')}`,
    ],
    ['more digits than a card number has', `00${PAN}99`, '004761**********1099'],
  ])('%s', (_, text, hidden) => {
    expect(hide(text)).toBe(hidden);
  });

  it.each([
    ['hex of ASCII', hex(PAN), 2],
    ['hex of hex of ASCII', hex(hex(PAN)), 2],
    ['hex of JIS X 0201 with even parity', evenParity(), 2],
    ['hex of JIS X 0208', spelled('233'), 4],
    [
      'hex of Shift JIS',
      [...PAN].map((digit) => `82${hex(String.fromCharCode(0x4f + Number(digit)))}`).join(''),
      4,
    ],
    ['hex of EBCDIC', spelled('F'), 2],
    ['hex of UTF-16', spelled('003'), 4],
    ['hex of UTF-16, little-endian', spelled('3', '00'), 4],
    ['unpacked digits', spelled('0'), 2],
    ['JSON escapes', spelled('\\u003'), 6],
    ['percent escapes', spelled('%3'), 3],
    ['a hex dump', spelled('3', ' '), 3],
  ])('%s', (_, text, size) => {
    const shown = hide(text);
    expect(shown).not.toBe(text);
    // The first six and last four digits are shown at most.
    expect(shown.replaceAll('*', '').length).toBeLessThanOrEqual(10 * size + size);
    expect(shown.slice(7 * size, -5 * size)).toMatch(/^\*+$/);
  });

  it.each([
    ['text', Buffer.from(`;${PAN}=2512`)],
    ['packed digits', Buffer.from(`AB${PAN}D25121`, 'hex')],
    ['hex of ASCII', Buffer.from(hex(PAN))],
  ])('base64 of %s', (_, bytes) => {
    const base64 = bytes.toString('base64');
    for (const text of [base64, `"${base64}" `, base64.replace(/=+$/, '')]) {
      expect(
        Buffer.from(hide(text).replaceAll('*', 'A'), 'base64').toString('latin1'),
      ).not.toContain(bytes.toString('latin1'));
      expect(hide(text)).toContain('**');
    }
  });

  it('of ciphertext only what looks like a card', () => {
    expect(hide(`AB${PAN}F3`, 'chance')).toBe('AB476173******0010F3');
    expect(hide('476173900101001AD2', 'chance')).toBe('476173900101001AD2');
    expect(hide('5452300551227189D2512', 'chance')).toBe('545230******7189D2512');
    expect(hide('AB5452300551227188F3', 'chance')).toBe('AB5452300551227188F3');
    expect(hide(hex(`x${PAN}x`), 'chance')).toContain('****');
  });
});

describe('hiddenDigits leaves alone', () => {
  it.each([
    ['a KSN with letters', 'FFFF9876543210E00001'],
    ['zeros', '0'.repeat(40)],
    ['blanks', '20'.repeat(12)],
    ['ASCII zeros', hex('000000000000000')],
    ['a short number in ASCII', hex('12345678')],
    ['11 digits', '47617390010'],
    ['a text', 'TERMINAL NUMBER ONE'],
  ])('%s', (_, text) => {
    expect(hide(text)).toBe(text);
  });

  it('the hex of a text where digits are chance', () => {
    expect(hide(hex('VISA DEBIT'), 'chance')).toBe(hex('VISA DEBIT'));
  });
});

/** Bit 8 makes the number of bits even. */
function evenParity(): string {
  return [...PAN]
    .map((digit) => {
      const code = digit.charCodeAt(0);
      const isOdd = (code.toString(2).match(/1/g) ?? []).length % 2 === 1;
      return (isOdd ? code | 0x80 : code).toString(16).toUpperCase();
    })
    .join('');
}
