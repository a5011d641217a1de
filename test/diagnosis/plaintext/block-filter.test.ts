import {describe, expect, it} from 'vitest';
import {
  canBeginAt,
  canBeginTlvAt,
  canContinue,
  patternBits,
  wordAt,
} from '../../../src/diagnosis/plaintext/block-filter.js';
import {Draw} from '../draw.js';

const draw = new Draw('block filter');

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

function patternOf(hex: string): number {
  const block = bytes(hex);
  return patternBits(block.readInt32BE(0), block.readInt32BE(4));
}

/** A block at the beginning of `length` bytes. */
function begins(hex: string, length = 24): boolean {
  return canBeginAt(Buffer.concat([bytes(hex), Buffer.alloc(length - 8, 0x81)]));
}

function continues(block: Buffer): boolean {
  return canContinue(block.readInt32BE(0), block.readInt32BE(4));
}

describe('a word', () => {
  it('is big-endian, with zeros behind the end', () => {
    expect(wordAt(bytes('0102030405'), 0)).toBe(0x01020304);
    expect(wordAt(bytes('0102030405'), 3)).toBe(0x04050000);
    expect(wordAt(bytes('80000000'), 0)).toBe(-0x80000000);
    expect(wordAt(bytes(''), 0)).toBe(0);
  });
});

describe('a pattern', () => {
  it.each([
    ['01 23 45 67 89 AB CD EF', 58],
    ['FE DC BA 98 76 54 32 10', 58],
    ['12 34 56 78 90 12 34 56', 58],
    ['89 01 23 45 67 89 01 23', 58],
    ['98 76 54 32 10 98 76 54', 58],
    ['09 87 65 43 21 09 87 65', 58],
    ['90 12 34 56 78 90 12 34', 58],
    ['10 98 76 54 32 10 98 76', 58],
    ['EF 01 23 45 67 89 AB CD', 58],
    ['10 FE DC BA 98 76 54 32', 58],
    ['00 11 22 33 44 55 66 77', 46],
    ['41 42 43 44 45 46 47 48', 46],
    ['FF FF FF FF FF FF FF FF', 46],
    ['FE FF 00 01 02 03 04 05', 46],
    ['08 07 06 05 04 03 02 01', 46],
    ['A1 B2 A1 B2 A1 B2 A1 B2', 46],
    ['A1 B2 C3 D5 A1 B2 C3 D5', 30],
    ['A1 B2 C3 D5 A1 B2 C3 D4', 0],
    ['01 23 45 67 89 AB CD EE', 0],
    ['12 34 56 78 9A BC DE F1', 0],
    ['98 76 54 32 10 98 76 53', 0],
    ['00 11 22 33 44 55 66 78', 0],
    ['A9 87 65 43 21 0A 98 76', 0],
  ])('of %s is worth %i bits', (hex, bits) => {
    expect(patternOf(hex)).toBe(bits);
  });

  it('is in hardly any random block', () => {
    const found = Array.from({length: 5000}, () => draw.hex(8)).filter((hex) => patternOf(hex));
    expect(found).toEqual([]);
  });
});

describe('card data', () => {
  it.each([
    ['zeros', '00 00 00 00 00 00 00 00'],
    ['the text of track 1', Buffer.from('%B411111').toString('hex')],
    ['the text of track 2', Buffer.from(';4111111').toString('hex')],
    ['text with a tab and line ends', Buffer.from('A\tB\r\nC~ ').toString('hex')],
    ['digits', '41 11 11 11 11 11 11 11'],
    ['digits up to a separator', '41 11 11 11 11 11 1D 27'],
    ['digits up to a filler', '41 11 11 11 11 11 11 1F'],
    ['a packed track 2 with its sentinel', 'B4 11 11 11 11 11 11 11'],
    ['a packed track 1 with its sentinel', '16 28 8A 91 B2 93 F4 95'],
    ['a pattern', '41 42 43 44 45 46 47 48'],
    ['track 2 equivalent data', '57 13 41 11 11 81 C3 E5'],
    ['a PAN', '5A 08 41 11 11 81 C3 E5'],
    ['a name', '5F 20 15 81 C3 E5 A7 89'],
    ['a tag of EMV', '9F 02 06 81 C3 E5 A7 89'],
    ['a tag of a vendor', 'DF EE 23 81 C3 E5 A7 89'],
    ['a private tag', 'DF 3F 81 A1 C3 E5 A7 89'],
    ['a list', '70 16 C3 E5 A7 89 C1 E3'],
    ['an application profile', '82 02 C3 E5 A7 89 C1 E3'],
    ['a list with a long length', 'E1 81 15 C3 E5 A7 89 C1'],
    ['a list with a length of two bytes', 'E1 82 00 14 C3 E5 A7 89'],
  ])('can begin with %s', (_, hex) => {
    expect(begins(hex)).toBe(true);
  });

  it.each([
    ['a character that is not printable', '25 42 4A 4B 4C 4D 4E 81'],
    ['a delete character', '25 42 4A 4B 4C 4D 4E 7F'],
    ['a control character', '01 42 4A 4B 4C 4D 4E 4F'],
    ['digits up to another nibble', '41 11 11 11 11 11 11 1E'],
    ['a separator before the last two bytes', '41 11 11 11 11 1D 11 11'],
    ['a sentinel before another nibble', 'BA 11 11 11 11 11 11 11'],
    ['a sentinel and no digits', 'B4 1A 11 11 11 11 11 11'],
    ['track 2 equivalent data that is too short', '57 07 41 11 11 81 C3 E5'],
    ['track 2 equivalent data that is too long', '57 15 41 11 11 81 C3 E5'],
    ['a PAN of other nibbles', '5A 08 4A 11 11 81 C3 E5'],
    ['a PAN of other nibbles further on', '5A 08 41 1A 11 81 C3 E5'],
    ['a PAN of other nibbles in its third byte', '5A 08 41 11 A1 81 C3 E5'],
    ['an unknown tag of 5F', '5F 99 02 81 C3 E5 A7 89'],
    ['a name longer than the data', '5F 20 16 81 C3 E5 A7 89'],
    ['a tag of EMV without data', '9F 02 00 81 C3 E5 A7 89'],
    ['a tag of EMV longer than 32 bytes', '9F 02 21 81 C3 E5 A7 89'],
    ['a tag of EMV of three bytes', '9F 82 06 81 C3 E5 A7 89'],
    ['a tag of no vendor', 'DF 91 06 81 C3 E5 A7 89'],
    ['a list longer than the data', '70 17 C3 E5 A7 89 C1 E3'],
    ['a list far shorter than the data', '70 05 C3 E5 A7 89 C1 E3'],
    ['a list of unknown length', '70 80 C3 E5 A7 89 C1 E3'],
    ['an application profile of three bytes', '82 03 C3 E5 A7 89 C1 E3'],
    ['an application profile of one byte', '82 01 C3 E5 A7 89 C1 E3'],
    ['a tag that begins no list', 'C5 16 C3 E5 A7 89 C1 E3'],
  ])('cannot begin with %s', (_, hex) => {
    expect(begins(hex)).toBe(false);
  });

  it('needs room for the length of its first tag', () => {
    // Header and value of 5F20 are 3 + 21 bytes, of 9F02 3 + 6, of 5A 2 + 8.
    expect(begins('5F 20 15 81 C3 E5 A7 89', 24)).toBe(true);
    expect(begins('9F 02 06 81 C3 E5 A7 89', 9)).toBe(true);
    expect(begins('9F 02 06 81 C3 E5 A7 89', 8)).toBe(false);
    expect(begins('5A 08 41 11 11 81 C3 E5', 10)).toBe(true);
    expect(begins('5A 08 41 11 11 81 C3 E5', 9)).toBe(false);
    expect(begins('70 16 C3 E5 A7 89 C1 E3', 40)).toBe(true);
    expect(begins('70 16 C3 E5 A7 89 C1 E3', 41)).toBe(false);
  });

  it('can begin at an offset', () => {
    const data = Buffer.concat([bytes('81 C3'), bytes('5A 08 41 11 11 81 C3 E5'), Buffer.alloc(8)]);
    expect(canBeginTlvAt(data, 2)).toBe(true);
    expect(canBeginTlvAt(data, 1)).toBe(false);
    expect(canBeginAt(data, 2)).toBe(true);
    expect(canBeginTlvAt(Buffer.from('%B4111111'))).toBe(false);
  });

  it('begins about one random block in 150', () => {
    const found = Array.from({length: 30_000}, () => draw.bytes(24)).filter((one) =>
      canBeginAt(one),
    );
    expect(found.length).toBeGreaterThan(30_000 / 400);
    expect(found.length).toBeLessThan(30_000 / 60);
  });
});

describe('containers', () => {
  // ISO/IEC 7816-4 and EMV Book 3 (61 to 77), terminals of several vendors (E0 to E6), MagTek
  // (D99875629, appendix A: F0 to FC without F6 and FB).
  const known = [
    ...[0x61, 0x6f, 0x70, 0x71, 0x72, 0x73, 0x77, 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6],
    ...[0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xf9, 0xfa, 0xfc],
  ];

  it('are those that begin lists, and no others', () => {
    const constructed = Array.from({length: 256}, (_, tag) => tag).filter(
      (tag) => (tag & 0x20) !== 0 && (tag & 0x1f) !== 0x1f && tag >= 0x60,
    );
    const found = constructed.filter((tag) => {
      const list = Buffer.from([
        tag,
        22,
        0xc3,
        0xe5,
        0xa7,
        0x89,
        0xc1,
        0xe3,
        ...new Uint8Array(16),
      ]);
      return canBeginTlvAt(list);
    });
    expect(found).toEqual(known);
  });
});

describe('inside card data', () => {
  it.each(['ABC DE/F', '11111111', '?\r\n\t ~^='])('there can be the text %j', (text) => {
    expect(continues(Buffer.from(text))).toBe(true);
  });

  it('there can be digits or a pattern', () => {
    expect(continues(bytes('12 34 56 78 90 99 88 77'))).toBe(true);
    expect(continues(bytes('81 82 83 84 85 86 87 88'))).toBe(true);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('there is no other byte, as at %i', (at) => {
    const [text, digits] = [Buffer.from('ABCDEFGZ'), bytes('12 34 56 78 90 99 88 77')];
    text[at] = 0xc7;
    digits[at] = 0x1b;
    expect(continues(text)).toBe(false);
    expect(continues(digits)).toBe(false);
  });
});
