import {expect, it} from 'vitest';
import {hexLines} from '../../../src/input/notations/hex-lines.js';

/** Texts with hex in lines: place and digits of each payload. */
const CASES: readonly (readonly [
  text: string,
  payloads: readonly (readonly [from: number, to: number, digits: string])[],
])[] = [
  ['0001f07f80ff0a0d', []],
  ['1: 0001f07f80ff0a0d\n2: 0001f07f80ff0a0d', [[3, 39, '0001f07f80ff0a0d0001f07f80ff0a0d']]],
  [
    '1: 0001f07f80ff0a0d\n2: 0001f07f80ff0a0d\n3: 0102',
    [[3, 47, '0001f07f80ff0a0d0001f07f80ff0a0d0102']],
  ],
  ['a 0001f07f80ff0a0d\nb 0001f07f80ff0a0d', []],
  [
    '12:00:01 rx 0001f07f80ff0a0d\n12:00:02 rx 0001f07f80ff0a0d\nend',
    [[12, 57, '0001f07f80ff0a0d0001f07f80ff0a0d']],
  ],
  ['1: 00 01 f0 7f 80 ff 0a 0d\n2: 0102 03\n', [[3, 37, '0001f07f80ff0a0d010203']]],
  [
    '1: 0001f07f80ff0a0d  \r\n2: 0001f07f80ff0a0d\t\r',
    [[3, 42, '0001f07f80ff0a0d0001f07f80ff0a0d']],
  ],
  ['x0001f07f80ff0a0d\nx0001f07f80ff0a0d', []],
  ['(0001f07f80ff0a0d\n(0001f07f80ff0a0d', [[1, 35, '0001f07f80ff0a0d0001f07f80ff0a0d']]],
  ['.* 0001f07f80ff0a0d\n.* 0001f07f80ff0a0d', [[3, 39, '0001f07f80ff0a0d0001f07f80ff0a0d']]],
  [
    '1: 0001f07f80ff0a0d\n2: 0001f07f80ff0a0d\n\n3: 0001f07f80ff0a0d\n4: 0001f07f80ff0a0d',
    [
      [3, 39, '0001f07f80ff0a0d0001f07f80ff0a0d'],
      [44, 80, '0001f07f80ff0a0d0001f07f80ff0a0d'],
    ],
  ],
  ['1: 01f07f80ff0a0d\n2: 0001f07f80ff0a0d', []],
  ['1: 0001f07f80ff0a0d\n2: 010', []],
  ['1:0001f07f80ff0a0d\n2: 0001f07f80ff0a0d', [[2, 38, '0001f07f80ff0a0d0001f07f80ff0a0d']]],
  ['1: 0001f07f80ff0a0d\n2:0001f07f80ff0a0d', []],
  ['1:  0001f07f80ff0a0d\n 22: 0001f07f80ff0a0d', [[4, 42, '0001f07f80ff0a0d0001f07f80ff0a0d']]],
  ['1: 00:01:f0:7f:80:ff:0a:0d\n2: 00-01', [[3, 35, '0001f07f80ff0a0d0001']]],
  [
    '----------------------------------------------------------------------------------------------------------------------- 0001f07f80ff0a0d\n----------------------------------------------------------------------------------------------------------------------- 0001f07f80ff0a0d',
    [[120, 273, '0001f07f80ff0a0d0001f07f80ff0a0d']],
  ],
  [
    '------------------------------------------------------------------------------------------------------------------------ 0001f07f80ff0a0d\n------------------------------------------------------------------------------------------------------------------------ 0001f07f80ff0a0d',
    [],
  ],
  [' 0001f07f80ff0a0d\n 0001f07f80ff0a0d', [[1, 35, '0001f07f80ff0a0d0001f07f80ff0a0d']]],
  ['1: 0001f07f80ff0a0dz\n2: 0001f07f80ff0a0dz', []],
  ['0001f07f80ff0a0d\n0001f07f80ff0a0d', [[0, 33, '0001f07f80ff0a0d0001f07f80ff0a0d']]],
];

it.each(CASES)('joins lines: %j', (text, expected) => {
  expect(hexLines(text).map(({from, to, digits}) => [from, to, digits])).toEqual(expected);
});
