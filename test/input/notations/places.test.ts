import {expect, it} from 'vitest';
import {findPlaces} from '../../../src/input/notations/places.js';

/** Texts with the places where a payload may be, longest first; what a place stands for if it is joined. */
const CASES: readonly (readonly [
  text: string,
  places: readonly (readonly [from: number, to: number, joined?: string])[],
])[] = [
  ['abc def ghi jkl mno pqr', []],
  [' abcdefghijklmnopqrstuvwx ', [[1, 25]]],
  [' bcdefghijklmnopqrstuvwx ', []],
  [
    '(abcdefghijklmnopqrstuvwx.")',
    [
      [1, 27],
      [0, 25],
    ],
  ],
  ['a "abc def ghi jkl mno pqr stu" b', [[3, 30]]],
  ["a 'abc def ghi jkl mno pqr stu' b", [[3, 30]]],
  ['\u201cabc def ghi jkl mno pqr stu\u201d', [[1, 28]]],
  ['\u201eabc def ghi jkl mno pqr stu\u201c x', [[1, 28]]],
  ['b"abc def ghi jkl mno pqr stu"', [[2, 29]]],
  ["don't say abc def ghi jkl mno pqr stu isn't", []],
  ['"abc def ghi jkl mno pqr stu\\" x" y', [[1, 32]]],
  ['"."abc def ghi jkl mno pqr stu"', []],
  ['"abc def ghi jkl mno pqr stu and "abc def ghi jkl mno pqr stu', [[1, 33]]],
  [
    '"abc def ghi jkl mno pqr stu" + "abc def ghi jkl mno pqr stu"',
    [
      [1, 60, 'abc def ghi jkl mno pqr stuabc def ghi jkl mno pqr stu'],
      [1, 28],
      [33, 60],
    ],
  ],
  [
    '"abc def ghi jkl mno pqr stu" . b\'abc def ghi jkl mno pqr\'',
    [
      [1, 57, 'abc def ghi jkl mno pqr stuabc def ghi jkl mno pqr'],
      [1, 28],
    ],
  ],
  [
    '"abc def ghi jkl mno pqr stu"\n  "abc def ghi jkl mno pqr"',
    [
      [1, 56, 'abc def ghi jkl mno pqr stuabc def ghi jkl mno pqr'],
      [1, 28],
    ],
  ],
  [
    '"abc def ghi jkl mno pqr stu" & vbCrLf & "abc def ghi jkl mno pqr"',
    [
      [1, 65, 'abc def ghi jkl mno pqr stu\nabc def ghi jkl mno pqr'],
      [1, 28],
    ],
  ],
  ['"abc def ghi jkl mno pqr stu", "abc def ghi jkl mno pqr"', [[1, 28]]],
  [
    '"abc def ghi jkl mno pqr stu"                                                                                 "abc def ghi jkl mno pqr"',
    [[1, 28]],
  ],
  [
    'x {abc def ghi jkl mno pqr stu} y',
    [
      [2, 31],
      [3, 30],
    ],
  ],
  ['[abc def ghi jkl mno pqr stu]', [[1, 28]]],
  ['f(abc def ghi jkl mno pqr stu)', [[2, 29]]],
  ['<abc def ghi jkl mno pqr stu>', [[1, 28]]],
  ['[a [abc def ghi jkl mno pqr stu] b]', [[4, 31]]],
  ['(abc def ghi jkl mno pqr stu', []],
  [
    'log {"a": {"b": "abcdefghijklmnopqrstuvwx"}} end',
    [
      [4, 44],
      [10, 48],
      [16, 48],
      [11, 42],
      [17, 41],
    ],
  ],
  [
    '{abc def ghi jkl mno pqr stu} {abc def ghi jkl mno pqr stu}',
    [
      [0, 29],
      [30, 59],
      [1, 28],
      [31, 58],
    ],
  ],
  [
    '} {abc def ghi jkl mno pqr stu}',
    [
      [2, 31],
      [3, 30],
    ],
  ],
  ['[a "abc def ghi jkl mno pqr stu] b"', [[4, 34]]],
  ['-----BEGIN CARD-----\nabc def ghi jkl mno pqr stu\n-----END CARD-----', [[21, 49]]],
  ['data = abc def ghi jkl mno pqr stu', [[7, 34]]],
  [
    'k: abc def ghi jkl mno pqr stu\nmore: abc def ghi jkl mno pqr stu',
    [
      [3, 64],
      [3, 30],
      [37, 64],
    ],
  ],
  [':k => abc def ghi jkl mno pqr stu', [[6, 33]]],
  ['x %B123 abc def ghi jkl mno pqr stu', []],
  ['x ;412 abc def ghi jkl mno pqr stu', [[2, 34]]],
  ['x TVP|abc def ghi jkl mno pqr stu', [[2, 33]]],
  ['x 23.0abc def ghi jkl mno pqr stu', [[2, 33]]],
  ['x Format ID abc def ghi jkl mno pqr stu', [[2, 39]]],
  ['x E071abc def ghi jkl mno pqr stu', [[2, 33]]],
  ['xTVP|abc def ghi jkl mno pqr stu', []],
  [
    'x 02100012345678901234567890123456789012345678901234567890 y',
    [
      [2, 58],
      [2, 46],
      [2, 30],
    ],
  ],
];

it.each(CASES)('finds places: %j', (text, expected) => {
  const found = findPlaces(text).map(({from, to, text: meant}) =>
    meant === text.slice(from, to) ? [from, to] : [from, to, meant],
  );
  expect(found).toEqual(expected);
});

it.each([
  [80, 2],
  [81, 1],
])('joins strings that are %i characters apart: %i places', (distance, places) => {
  const [one, other] = ['abc def ghi jkl mno pqr stu', 'abc def'];
  const between = `"${' '.repeat(distance - 2)}"`;
  expect(findPlaces(`"${one}${between}${other}"`)).toHaveLength(places);
});

it('looks into the 40 longest places only, one of which is all strings joined', () => {
  const words = Array.from({length: 50}, (_, i) => 'w'.repeat(24 + i));
  const spans = findPlaces(words.map((word) => `"${word}"`).join(' '));
  expect(spans).toHaveLength(40);
  expect(spans.at(-1)!.text).toHaveLength(35);
});

it('looks for quotes, brackets and runs only in a text that is no line of a log', () => {
  const [word, log] = ['x'.repeat(24), ' '.repeat(16_384)];
  expect(findPlaces(`${word}${log.slice(24)}`)).toHaveLength(1);
  expect(findPlaces(`${word}${log}`)).toEqual([]);
  expect(findPlaces(`"${word}"${log}`)).toHaveLength(1);
});
