import {describe, expect, it} from 'vitest';
import {digitEdits, inSentences} from '../../../src/diagnosis/candidates/digit-edits.js';

const RIGHT = '0123456789ABCDEF';

describe('the slips between digits that were given and the right ones', () => {
  it.each<[string, number, string]>([
    [RIGHT, 2, ''],
    ['0123456789ABCDE0', 1, 'Digit 16 is wrong.'],
    ['1023456789ABCDEF', 1, 'Digits 1 and 2 are transposed.'],
    ['0123456789ABCDFE', 1, 'Digits 15 and 16 are transposed.'],
    ['123456789ABCDEF', 1, 'Digit 1 was lost.'],
    ['0123456789ABCDE', 1, 'Digit 16 was lost.'],
    ['F0123456789ABCDEF', 1, 'Digit 1 is extra.'],
    ['0123456789ABCDEF0', 1, 'Digit 17 is extra.'],
    ['0123456789ABCDE00', 2, 'Digit 16 is wrong. Digit 17 is extra.'],
    ['1023456789ABCDFE', 2, 'Digits 1 and 2 are transposed. Digits 15 and 16 are transposed.'],
    ['0023456789ABCDE0', 2, 'Digit 2 is wrong. Digit 16 is wrong.'],
    ['0145236789ABCDEF', 1, 'Bytes 2 and 3 are transposed.'],
    ['2301456789ABEFCD', 2, 'Bytes 1 and 2 are transposed. Bytes 7 and 8 are transposed.'],
    ['0123457689BCDEF', 2, 'Digits 7 and 8 are transposed. Digit 11 was lost.'],
  ])('%s within %i: %s', (given, most, expected) => {
    expect(inSentences(digitEdits(given, RIGHT, most) ?? [])).toBe(expected);
    expect(digitEdits(given, RIGHT, most)).toBeDefined();
  });

  it.each<[string, number]>([
    ['0123456789ABCDE0', 0],
    ['1023456789ABCDFE', 1],
    ['0123456789ABCD', 1],
    ['0123456789ABCDEF00', 1],
    ['FEDCBA9876543210', 2],
  ])('%s is no slip within %i', (given, most) => {
    expect(digitEdits(given, RIGHT, most)).toBeUndefined();
  });
});
