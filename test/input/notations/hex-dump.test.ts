import {expect, it} from 'vitest';
import {hexDumps} from '../../../src/input/notations/hex-dump.js';

/** Texts with hex dumps: place and bytes of each, and the problem. */
const CASES: readonly (readonly [
  text: string,
  dumps: readonly (readonly [from: number, to: number, hex: string, problem: string | null])[],
])[] = [
  ['0000ffff: 00 01 f0 7f 80 ff 0a 0d', []],
  [
    '0000ffff: 00 01 f0 7f 80 ff 0a 0d\n00010007: 41',
    [[0, 46, '0001f07f80ff0a0d41', 'hex dump, line 1: it begins at offset 0000ffff, not at 0']],
  ],
  [
    '0000: 00 01 f0 7f 80 ff 0a 0d\n0008: 41 42 43 44 45 46 47 48',
    [[0, 59, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  ['0000: 00 01 f0 7f 80 ff 0a 0d', [[0, 29, '0001f07f80ff0a0d', null]]],
  [
    '00000000  00 01 f0 7f 80 ff 0a 0d  41 42 43 44 45 46 47 48  |........ABCDEFGH|\n00000010  00 01 f0 7f 80 ff 0a 0d  |........|',
    [[0, 124, '0001f07f80ff0a0d41424344454647480001f07f80ff0a0d', null]],
  ],
  [
    '0000000 00 01 f0 7f 80 ff 0a 0d\n0000010 41 42 43 44 45 46 47 48\n0000020',
    [[0, 71, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  [
    '0000000 00 01 f0 7f 80 ff 0a 0d\n0000008 41 42 43 44 45 46 47 48\n0000016',
    [
      [
        0,
        71,
        '0001f07f80ff0a0d4142434445464748',
        'hex dump, line 3: offset 0000016 does not follow 8 bytes at 0000008',
      ],
    ],
  ],
  [
    '0000000 00 01 f0 7f 80 ff 0a 0d 41 42 43 44 45 46 47 48\n0000020 00 01 f0 7f 80 ff 0a 0d\n0000030',
    [[0, 95, '0001f07f80ff0a0d41424344454647480001f07f80ff0a0d', null]],
  ],
  [
    'log before\n0000: 00 01 f0 7f 80 ff 0a 0d\n0008: 41 42 43 44 45 46 47 48\nlog after',
    [[11, 70, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  [
    '12:00:01 dump 0000: 00 01 f0 7f 80 ff 0a 0d\n12:00:01 dump 0008: 41 42 43 44 45 46 47 48',
    [[14, 87, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  [
    '0000: 00 01 f0 7f 80 ff 0a 0d\n\n0008: 41 42 43 44 45 46 47 48',
    [[0, 60, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  [
    '0000: 00 01 f0 7f 80 ff 0a 0d\nbreak\n0008: 41 42 43 44 45 46 47 48',
    [[0, 29, '0001f07f80ff0a0d', null]],
  ],
  [
    '0000: 00 01 f0 7f 80 ff 0a 0d\n0000: 41 42 43 44 45 46 47 48',
    [
      [0, 29, '0001f07f80ff0a0d', null],
      [30, 59, '4142434445464748', null],
    ],
  ],
  ['0x0000: 0x00 0x01 0xf0 0x7f 0x80 0xff 0x0a 0x0d', []],
  ['0000h: 00 01 f0 7f 80 ff 0a 0d', [[0, 30, '0001f07f80ff0a0d', null]]],
  ['000: 00 01 f0 7f 80 ff 0a 0d', []],
  ['00000000000000000: 00 01 f0 7f 80 ff 0a 0d', []],
  ['0000: 00 01 f0 7f 80 ff 0a', []],
  ['0000: 0001f07f 80ff0a0d  ABCD\n0008: 4142', [[0, 40, '0001f07f80ff0a0d4142', null]]],
  [
    '0000 00 01 f0 7f 80 ff 0a 0d 41 beef\n0008 41 42 43 44 45 46 47 48',
    [[0, 65, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  [
    '0000: 00 01 f0 7f 80 ff 0a 0d\n0010: 41 42 43 44 45 46 47 48',
    [[0, 59, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  [
    '0008: 00 01 f0 7f 80 ff 0a 0d\n0010: 41 42 43 44 45 46 47 48',
    [
      [
        0,
        59,
        '0001f07f80ff0a0d4142434445464748',
        'hex dump, line 1: it begins at offset 0008, not at 0',
      ],
    ],
  ],
  [
    '20000000: 00 01 f0 7f 80 ff 0a 0d\n20000008: 41 42 43 44 45 46 47 48',
    [[0, 67, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  [
    '0000: 00 01 f0 7f 80 ff 0a 0d\n*\n0018: 41 42 43 44 45 46 47 48',
    [
      [
        0,
        61,
        '0001f07f80ff0a0d4142434445464748',
        'hex dump, line 2: the line * marks repeated lines that were left out',
      ],
    ],
  ],
  ['*\n0000: 00 01 f0 7f 80 ff 0a 0d', [[2, 31, '0001f07f80ff0a0d', null]]],
  [
    '0000: 00 01 f0 7f 80 ff 0a 0d\n*',
    [
      [
        0,
        31,
        '0001f07f80ff0a0d',
        'hex dump, line 2: the line * marks repeated lines that were left out',
      ],
    ],
  ],
  ['text\n*\n0000: 00 01 f0 7f 80 ff 0a 0d', [[7, 36, '0001f07f80ff0a0d', null]]],
  [
    '0000 0001 f07f 80ff 0a0d\n0008 4142 4344',
    [
      [
        0,
        39,
        '0001f07f80ff0a0d41424344',
        'hex dump, line 1: words of 2 bytes, which most machines print with their bytes swapped',
      ],
    ],
  ],
  ['0000: 4443 4241  ABCD\n0004: 4847 4645  EFGH', [[0, 43, '4443424148474645', null]]],
  [
    '0000: 44434241 48474645  ABCDEFGH',
    [[0, 33, '4443424148474645', 'hex dump, line 1: the bytes of its words are swapped']],
  ],
  ['0000: 4142 4344 4546 4748  ABCDEFGH', [[0, 35, '4142434445464748', null]]],
  ['0000: 1442 ff44 4546 4748  .B.DEFGH', [[0, 35, '1442ff4445464748', null]]],
  ['0001f07f 80ff0a0d\n41424344 45464748', []],
  [
    '00000000 80ff0a0d 41424344',
    [
      [
        0,
        26,
        '80ff0a0d41424344',
        'hex dump, line 1: words of 4 bytes, which most machines print with their bytes swapped',
      ],
    ],
  ],
  ['0000 00 01 f0 7f 80 ff 0a 0d |x| 99', [[0, 35, '0001f07f80ff0a0d', null]]],
  [
    '0000 00 01 f0 7f 80 ff 0a 0d 41 42 43 44 45 46 47 48\n0016 00 01 f0 7f 80 ff 0a 0d',
    [[0, 81, '0001f07f80ff0a0d41424344454647480001f07f80ff0a0d', null]],
  ],
  [
    '0000 00 01 f0 7f 80 ff 0a 0d\n0008 41 42 43 44 45 46 47 48\n000 00 01 f0 7f 80 ff 0a 0d',
    [[0, 57, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  [
    '0000 00 01 f0 7f 80 ff 0a 0d\n00008 41 42 43 44 45 46 47 48',
    [[0, 28, '0001f07f80ff0a0d', null]],
  ],
  [
    '0000: 00 01 f0 7f 80 ff 0a 0d\n0008 41 42 43 44 45 46 47 48',
    [[0, 29, '0001f07f80ff0a0d', null]],
  ],
  ['0010: 00 01 f0 7f 80 ff 0a 0d\n0008: 41 42 43 44 45 46 47 48', []],
  [
    '0000: 00 01 f0 7f 80 ff 0a 0d\r\n0008: 41 42 43 44 45 46 47 48\r\n',
    [[0, 60, '0001f07f80ff0a0d4142434445464748', null]],
  ],
  ['a.0000: 00 01 f0 7f 80 ff 0a 0d', []],
  ['0000:00 01 f0 7f 80 ff 0a 0d', [[0, 28, '0001f07f80ff0a0d', null]]],
  ['0000:     00 01 f0 7f 80 ff 0a 0d', []],
];

it.each(CASES)('reads dumps: %j', (text, expected) => {
  expect(
    hexDumps(text).map(({from, to, bytes, problem}) => [
      from,
      to,
      Buffer.from(bytes).toString('hex'),
      problem?.detail ?? null,
    ]),
  ).toEqual(expected);
});
