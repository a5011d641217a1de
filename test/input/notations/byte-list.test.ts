import {expect, it} from 'vitest';
import {listText} from '../../../src/input/notations/byte-list.js';
import {NOTATIONS} from '../../../src/input/notations/table.js';

/** Texts that list bytes, or almost, with every reading: its notation and the bytes in hex. */
const CASES: readonly (readonly [
  text: string,
  readings: readonly (readonly [notation: string, hex: string])[],
])[] = [
  [
    '/**/0x00, 0x01, 0xf0, 0x7f, /**/ 0x80, 0xff, 0x0a, 0x0d',
    [['an array of bytes', '0001f07f80ff0a0d']],
  ],
  ['0x00, 0x01, 0xf0, 0x7f, 0x80, 0xff, 0x0a, 0x0d', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['&h00 &h01 &hf0 &h7f &h80 &hff &h0a &h0d', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['$00,$01,$f0,$7f,$80,$ff,$0a,$0d', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['\\x00\\x01\\xf0\\x7f\\x80\\xff\\x0a\\x0d', []],
  ['\\x00 \\x01 \\xf0 \\x7f \\x80 \\xff \\x0a \\x0d', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['16#00,16#01,16#f0,16#7f,16#80,16#ff,16#0a,16#0d', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['#x00 #x01 #xf0 #x7f #x80 #xff #x0a #x0d', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['0x0 0x1 0xf 0x7 0x8 0xA 0xb 0xc', [['an array of bytes', '00010f07080a0b0c']]],
  ['0x01,0xf0,0x7f,0x80,0xff,0x0a,0x0d', []],
  ['0x00,0x01,0xf0,0x7f,0x80,0xff,0x0a,0d', []],
  ['0x00,0x01,0xf0,0x7f,0x80,0xff,0x0a,0x00d', []],
  ['000h, 001h, 0f0h, 07fh, 080h, 0ffh, 00ah, 00dh', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['00h 01h f0h 7fh 80h ffh 0ah 0dh', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['01H f0H 7fH 80H ffH 0aH 0dH', []],
  ['1000h, 001h, 0f0h, 07fh, 080h, 0ffh, 00ah, 00dh', []],
  [
    '00000000 00000001 11110000 01111111 10000000 11111111 00001010 00001101',
    [
      ['hex digits', '0000000000000001111100000111111110000000111111110000101000001101'],
      ['binary digits', '0001f07f80ff0a0d'],
    ],
  ],
  [
    '00000001 11110000 01111111 10000000 11111111 00001010 00001101',
    [['hex digits', '00000001111100000111111110000000111111110000101000001101']],
  ],
  ['00 01 f0 7f 80 ff 0a 0d', [['hex digits', '0001f07f80ff0a0d']]],
  ['00:01:f0:7f:80:ff:0a:0d', [['hex digits', '0001f07f80ff0a0d']]],
  ['00-01-f0-7f-80-ff-0a-0d', [['hex digits', '0001f07f80ff0a0d']]],
  ['00|01|f0|7f|80|ff|0a|0d', [['hex digits', '0001f07f80ff0a0d']]],
  ['00_01_f0_7f_80_ff_0a_0d', [['hex digits', '0001f07f80ff0a0d']]],
  ['00/01/f0/7f/80/ff/0a/0d', [['hex digits', '0001f07f80ff0a0d']]],
  ['00.01.f0.7f.80.ff.0a.0d', [['hex digits', '0001f07f80ff0a0d']]],
  ['00"01"f0"7f"80"ff"0a"0d', [['hex digits', '0001f07f80ff0a0d']]],
  [
    '00\u201901\u2019f0\u20197f\u201980\u2019ff\u20190a\u20190d',
    [['hex digits', '0001f07f80ff0a0d']],
  ],
  ['00~01~f0~7f~80~ff~0a~0d', []],
  ['0x0001f07f80ff0a0d', [['hex digits', '0001f07f80ff0a0d']]],
  ['\\x0001f07f80ff0a0d', [['hex digits', '0001f07f80ff0a0d']]],
  ["h'0001f07f80ff0a0d'", [['hex digits', '0001f07f80ff0a0d']]],
  ['0001f07f80ff0a0dh', [['hex digits', '0001f07f80ff0a0d']]],
  ['"0001f07f80ff0a0d"', [['hex digits', '0001f07f80ff0a0d']]],
  ['0001 f07f 80ff 0a0d', [['hex digits', '0001f07f80ff0a0d']]],
  ['0001 f07 80ff 0a0d', []],
  ['01f07f80ff0a0d', []],
  [
    '(byte) 0x00, (byte)0x01, (unsigned char)0xf0, (char)0x7f, (ubyte)0x80, (sbyte)0xff, (uint8_t)0x0a, (int8_t)0x0d',
    [['an array of bytes', '0001f07f80ff0a0d']],
  ],
  ['(word) 0x00, 0x01, 0xf0, 0x7f, 0x80, 0xff, 0x0a, 0x0d', []],
  [
    '0x00.toByte(), 0x01.toByte(), 0xf0.toByte(), 0x7f.toByte(), 0x80.toByte(), 0xff.toByte(), 0x0a.toByte(), 0x0d.toByte()',
    [['an array of bytes', '0001f07f80ff0a0d']],
  ],
  [
    '0x00u, 0x01u, 0xf0u, 0x7fu, 0x80u, 0xffu, 0x0au, 0x0du',
    [['an array of bytes', '0001f07f80ff0a0d']],
  ],
  [
    '0x00u8, 0x01u8, 0xf0u8, 0x7fu8, 0x80u8, 0xffu8, 0x0au8, 0x0du8',
    [['an array of bytes', '0001f07f80ff0a0d']],
  ],
  [
    '0x00, 0x01, // two\n0xf0, 0x7f, /* more */ 0x80, 0xff, 0x0a, 0x0d',
    [['an array of bytes', '0001f07f80ff0a0d']],
  ],
  [
    '0x00, 0x01, 0xf0, 0x7f, 0x80, 0xff, 0x0a, 0x0d /* open',
    [['an array of bytes', '0001f07f80ff0a0d']],
  ],
  ['0x00 /', []],
  ['0, 1, 240, 127, 128, 255, 10, 13', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['0;1;240;127;128;255;10;13', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['0 1 240 127 128 255 10 13', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['0, 1, -16, 127, -128, -1, 10, 13', [['an array of bytes', '0001f07f80ff0a0d']]],
  ['0, 1, -16, 128, -128, -1, 10, 13', []],
  ['0, 1, 240, 127, 128, 256, 10, 13', []],
  ['0, 1, -1, 200, 12, 12, 10, 13', []],
  ['0, 1, 240, 127, 128, 255, 10', []],
  ['-129, 1, 24, 12, 12, 25, 10, 13', []],
  [
    '10, 11, 12, 13, 14, 15, 16, 17',
    [
      ['hex digits', '1011121314151617'],
      ['an array of bytes', '0a0b0c0d0e0f1011'],
    ],
  ],
  ['10 11 12 13 14 15 16 17', [['hex digits', '1011121314151617']]],
  ['0, 1, 240, 127, 128, 255, 10, 1000', []],
  ['words', []],
  ['', []],
];

it.each(CASES)('lists bytes: %j', (text, expected) => {
  expect(listsOf(text)).toEqual(expected);
});

function listsOf(text: string): (readonly [notation: string, hex: string])[] {
  return NOTATIONS.filter(({name}) => !name.startsWith('base64')).flatMap(({name, decode}) =>
    (decode?.(text, listText(text)) ?? []).flatMap((bytes) =>
      bytes ? [[name, Buffer.from(bytes).toString('hex')] as const] : [],
    ),
  );
}
