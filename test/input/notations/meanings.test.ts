import {expect, it} from 'vitest';
import {meanings} from '../../../src/input/notations/meanings.js';

/** Texts, and every payload that they may be. */
const CASES: readonly (readonly [
  text: string,
  readings: readonly (readonly [notation: string, payloads: readonly string[]])[],
])[] = [
  [
    ' 0001f07f80ff0a0d ',
    [
      [
        'hex digits',
        ['0001f07f80ff0a0d', '0001F07F80FF0A0D', '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r'],
      ],
    ],
  ],
  [
    '00\n01\nf0\n7f\n80\nff\n0a\n0d',
    [
      [
        'hex digits',
        [
          '00\n01\nf0\n7f\n80\nff\n0a\n0d',
          '0001F07F80FF0A0D',
          '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r',
        ],
      ],
    ],
  ],
  ['414243444546474849', [['hex digits', ['414243444546474849', 'ABCDEFGHI']]]],
  ['41424344454647484', [['hex digits', ['41424344454647484', '']]]],
  [
    '0 1 240 127 128 255 10 13',
    [
      [
        'hex digits',
        [
          '0 1 240 127 128 255 10 13',
          '012401271282551013',
          "\u0001$\u0001'\u0012\u0082U\u0010\u0013",
        ],
      ],
      ['an array of bytes', ['0001F07F80FF0A0D', '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r']],
    ],
  ],
  [
    '00000000 00000001 11110000 01111111 10000000 11111111 00001010 00001101',
    [
      [
        'hex digits',
        [
          '00000000 00000001 11110000 01111111 10000000 11111111 00001010 00001101',
          '0000000000000001111100000111111110000000111111110000101000001101',
          '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0001\u0011\u0011\u0000\u0000\u0001\u0011\u0011\u0011\u0010\u0000\u0000\u0000\u0011\u0011\u0011\u0011\u0000\u0000\u0010\u0010\u0000\u0000\u0011\u0001',
        ],
      ],
      [
        'hex digits',
        [
          '0000000000000001111100000111111110000000111111110000101000001101',
          '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0001\u0011\u0011\u0000\u0000\u0001\u0011\u0011\u0011\u0010\u0000\u0000\u0000\u0011\u0011\u0011\u0011\u0000\u0000\u0010\u0010\u0000\u0000\u0011\u0001',
        ],
      ],
      ['binary digits', ['0001F07F80FF0A0D', '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r']],
    ],
  ],
  ['some text', [['text', ['some text']]]],
  [
    ' some\ntext\r\nmore ',
    [
      ['text', ['some\ntext\r\nmore']],
      ['text in lines', ['sometextmore']],
    ],
  ],
  [
    '%41%42%43',
    [
      ['text', ['%41%42%43']],
      ['URL encoding', ['ABC', 'ABC']],
    ],
  ],
  [
    '%00%01',
    [
      ['text', ['%00%01']],
      ['URL encoding', ['0001', '\u0000\u0001', '\u0000\u0001']],
    ],
  ],
  [
    'a%20b',
    [
      ['text', ['a%20b']],
      ['URL encoding', ['a b', 'a b']],
    ],
  ],
  [
    '\\u2014\\u0041',
    [
      ['text', ['\\u2014\\u0041']],
      ['a string with escapes', ['\u2014A', '\u2014A']],
    ],
  ],
  [
    '\\x30\\x78\\x34\\x31',
    [
      ['text', ['\\x30\\x78\\x34\\x31']],
      ['a string with escapes', ['0x41', '0x41']],
    ],
  ],
  [
    '0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48',
    [
      ['text', ['0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48']],
      ['an array of bytes', ['ABCDEFGH']],
    ],
  ],
  [
    '10, 11, 12, 13, 14, 15, 16, 17',
    [
      ['text', ['10, 11, 12, 13, 14, 15, 16, 17']],
      ['hex digits', ['1011121314151617', '\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017']],
      ['an array of bytes', ['0A0B0C0D0E0F1011', '\n\u000b\f\r\u000e\u000f\u0010\u0011']],
    ],
  ],
  [
    'AAHwf4D/Cg0AAfB/gP8KDQ==',
    [
      ['text', ['AAHwf4D/Cg0AAfB/gP8KDQ==']],
      [
        'base64',
        [
          '0001F07F80FF0A0D0001F07F80FF0A0D',
          '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r',
        ],
      ],
    ],
  ],
  [
    'AAHwf4D/Cg0AAfB/gP8KDQ',
    [
      ['text', ['AAHwf4D/Cg0AAfB/gP8KDQ']],
      [
        'base64',
        [
          '0001F07F80FF0A0D0001F07F80FF0A0D',
          '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r',
        ],
      ],
    ],
  ],
  ['AAHwf4D/Cg0AAfB/gP8KDQ=', [['text', ['AAHwf4D/Cg0AAfB/gP8KDQ=']]]],
  ['AAHwf4D/Cg0AAfB/gP8KDR==', [['text', ['AAHwf4D/Cg0AAfB/gP8KDR==']]]],
  [
    'AAHwf4D_Cg0AAfB_gP8KDQ',
    [
      ['text', ['AAHwf4D_Cg0AAfB_gP8KDQ']],
      [
        'base64url',
        [
          '0001F07F80FF0A0D0001F07F80FF0A0D',
          '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r',
        ],
      ],
    ],
  ],
  [
    'AAHwf4D_Cg0AAfB_gP8KDQ==',
    [
      ['text', ['AAHwf4D_Cg0AAfB_gP8KDQ==']],
      [
        'base64url',
        [
          '0001F07F80FF0A0D0001F07F80FF0A0D',
          '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r',
        ],
      ],
    ],
  ],
  ['AAHwf4D/Cg0A', [['text', ['AAHwf4D/Cg0A']]]],
  [
    'AAHwf4D/Cg0AAfB/',
    [
      ['text', ['AAHwf4D/Cg0AAfB/']],
      [
        'base64',
        [
          '0001F07F80FF0A0D0001F07F',
          '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r\u0000\u0001\u00f0\u007f',
        ],
      ],
    ],
  ],
  [
    'AAHwf4D/\nCg0AAfB/',
    [
      ['text', ['AAHwf4D/\nCg0AAfB/']],
      ['text in lines', ['AAHwf4D/Cg0AAfB/']],
      [
        'base64',
        [
          '0001F07F80FF0A0D0001F07F',
          '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\r\u0000\u0001\u00f0\u007f',
        ],
      ],
    ],
  ],
  [
    'QUJDREVGR0hJSktMTU5P',
    [
      ['text', ['QUJDREVGR0hJSktMTU5P']],
      ['base64', ['ABCDEFGHIJKLMNO']],
    ],
  ],
  ['AAHwf4D/Cg0AAfB/====', [['text', ['AAHwf4D/Cg0AAfB/====']]]],
  [
    '00-01-f0-7f-80-ff-0a-00',
    [
      ['text', ['00-01-f0-7f-80-ff-0a-00']],
      ['hex digits', ['0001F07F80FF0A00', '\u0000\u0001\u00f0\u007f\u0080\u00ff\n\u0000']],
    ],
  ],
  ['AAHwf4D!Cg0AAfB/', [['text', ['AAHwf4D!Cg0AAfB/']]]],
];

it.each(CASES)('reads a whole text: %j', (text, expected) => {
  expect(meanings(text).map(({notation, payloads}) => [notation, payloads])).toEqual(expected);
});
