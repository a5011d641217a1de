import {expect, it} from 'vitest';
import {plainCharacters} from '../../../src/input/notations/plain-characters.js';

/** Texts, and how they look. */
const CASES: readonly (readonly [text: string, plain: string])[] = [
  ['a\u00adb\u200b\u200f\u202a\u2060\ufeffc', 'abc'],
  ['a\u00a0b\u2003c\u3000d', 'a b c d'],
  ['a\u2010b\u2015c\u2212d', 'a-b-c-d'],
  ['a\rb\r\nc', 'a\nb\r\nc'],
  ['\uff10\uff11\uff21\uff01\uff5e', '01A!~'],
  ['> a\n>> b\n> > c', '  a\n   b\n    c'],
  [' * a\n // b\n*c', '   a\n    b\n*c'],
  ['2026-11-22 13:00:01.123 rest', '                        rest'],
  [
    '11-22 13:00:01.123  4711  4733 D Reader: rest',
    '                                         rest',
  ],
  ['[2026/11/22T13:00:01] rest', '                      rest'],
  ['2026-11-22 13:00:01 D/Pos(77): rest', '                               rest'],
  ['2026-11-22 13:00:01,12 app[12:34] rest', '                                  rest'],
  ['11-22 13:00 rest', '11-22 13:00 rest'],
  ['x 2026-11-22 13:00:01.123 rest', 'x 2026-11-22 13:00:01.123 rest'],
  [
    '  00 01 02 03 04 05 06 07  08 09 0A 0B 0C 0D 0E 0F',
    '                                                  ',
  ],
  [
    '00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f x',
    '                                                x',
  ],
  ['0x01, /* [a] "b" */ 0x02', '0x01,               0x02'],
  ['a /* b */', 'a /* b */'],
  ['> a\u0001', '> a\u0001'],
  ['> a\tb', '  a\tb'],
];

it.each(CASES)('shows: %j', (text, expected) => {
  expect(plainCharacters(text)).toEqual(expected);
});
