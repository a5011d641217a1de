import {describe, expect, it} from 'vitest';
import {NOTATIONS} from '../../../src/input/notations/table.js';

const hex = (text: string) => Buffer.from(text).toString('hex');
const BYTES = '0001F07F80FF0A0D';

/** Texts, and what `diagnose` makes of them by one row of the table; undefined if nothing. */
const CASES: Readonly<Record<string, readonly (readonly [text: string, meant?: string])[]>> = {
  'hex digits': [
    ['00 01 F0 7F 80 FF 0A 0D', BYTES],
    ['0x00,0x01,0xF0,0x7F,0x80,0xFF,0x0A,0x0D', BYTES],
    ['{"00","01";<F0>,(7F),[80],FF_0A-0D}', BYTES],
    ['00:01:F0:7F:80:FF:0A:0D:1', `${BYTES}1`],
    ['00:01:F0:7F:80:FF:0A:0'],
    ['00 01 F0 7F 80 FF 0A 0G'],
    [BYTES],
    ["00'01'F0'7F'80'FF'0A'0D"],
  ],
  'text in lines': [
    ['ab\ncd', 'abcd'],
    ['ab \r\n cd', 'ab  cd'],
    ['ab\n\ncd'],
    ['ab\n'],
    ['a\x02b\ncd'],
  ],
  'a hex dump': [
    ['0000: 00 01 f0 7f 80 ff 0a 0d', BYTES],
    [' \n0000: 00 01 f0 7f 80 ff 0a 0d\n', BYTES],
    ['x\n0000: 00 01 f0 7f 80 ff 0a 0d'],
    ['0000: 00 01 f0 7f 80 ff 0a 0d\n0000: 00 01 f0 7f 80 ff 0a 0d'],
  ],
  'an array of bytes': [
    ['[0, 1, -16, 127, -128, -1, 10, 13]', BYTES],
    ['(0;1;240;127;128;255;10;13);', BYTES],
    ['0 1 240 127 128 255 10 13', BYTES],
    ['x 0 1 240 127 128 255 10 13'],
    ['00 01 24 12 12 25 10 13'],
  ],
  'look-alikes': [
    ['OOO1FO7F8OFFOAOD', BYTES],
    ['oo 01 F0 7F 80 FF 0A 0D', BYTES],
    ['Il01F07F80FF0A0D', '1101F07F80FF0A0D'],
    ['OOO1FO7F8OFFOAO'],
    ['OOO1FO7F8OFFOAOX'],
    [BYTES],
  ],
  quotes: [
    ['"0123456789abcde"', '0123456789abcde'],
    [" '0123456789abcde', ", '0123456789abcde'],
    ['“0123456789abcde”;', '0123456789abcde'],
    ['"0123456789abcd"'],
    ['"0123456789abcde'],
    ['"01234567"89abcdef"'],
  ],
  'a named value': [
    ["payload = '0123456789abcdef';", '0123456789abcdef'],
    ['byte[] p=0123456789abcdef', '0123456789abcdef'],
    ['"key": 0123456789abcdef,', '0123456789abcdef'],
    ['key => "0123456789abcdef"', '0123456789abcdef'],
    ["payload = '0123456789abcde';"],
  ],
  'hex of hex': [
    [hex(BYTES), BYTES],
    [hex(';1234=5678 90/.:?'), ';1234=5678 90/.:?'],
    [hex(BYTES.slice(1))],
    [`${hex(BYTES)}3`],
    [hex('0~IPAD100KB|1~11|'), '0~IPAD100KB|1~11|'],
    ['00'.repeat(16)],
  ],
  base64: [
    ['AAHwf4D/Cg0A', `${BYTES}00`],
    ['AAHwf4D_\nCg0A===', `${BYTES}00`],
    ['QUJDREVGR0hJSktM', 'ABCDEFGHIJKL'],
    ['AAHwf4D/Cg0='],
    ['AAHwf4D/Cg0_'],
    ['AAHwf4D/Cg0!'],
  ],
  'UTF-8': [
    ['\u00c2\u0080a\u00c3\u00bf', '\u0080a\u00ff'],
    ['a\u00ff'],
    ['\u00c2\u0080\u00c2'],
    ['\u00c3\u00bf\u0100'],
    ['\u00c2\u0080\u00c4\u0080'],
  ],
  'control words': [
    ['[STX]A<FS>B{GS}[RS][US][CR][LF][ETX]', '\x02A\x1cB\x1d\x1e\x1f\r\n\x03'],
    ['(STX)[NUL]', '(STX)[NUL]'],
  ],
  'lower case': [
    ['02abcd%x', '02ABCD%X'],
    ['2abc;', '2ABC;'],
    ['02abcd'],
    ['021234%'],
    ['12abcd%'],
  ],
};

describe.each(Object.entries(CASES))('of %s', (name, cases) => {
  it.each(cases.map(([text, meant]) => ({text, meant})))(
    'diagnose undoes $text',
    ({text, meant}) => {
      const found = NOTATIONS.find((one) => one.name === name)?.guess?.(text);
      // Some also say where the damage is.
      expect(Array.isArray(found) ? found[0]?.text : found).toBe(meant);
    },
  );
});

const [FIRST, LAST] = ['The first 0 was lost.', 'The last 3 was lost.'];

it.each([
  ['2abcde', [['02abcde', FIRST]]],
  [
    '2abcd0',
    [
      ['02abcd0', FIRST],
      ['02abcd03', `${FIRST} ${LAST}`],
    ],
  ],
  [
    '02ab0',
    [
      ['02ab03', LAST],
      ['02ab003', 'The ETX at the end was lost.'],
    ],
  ],
  ['02ab03', []],
  ['2abcd', []],
  ['12', []],
])('of lost ends diagnose undoes %s', (text, expected) => {
  const guess = NOTATIONS.find(({name}) => name === 'lost ends')?.guess;
  const found = guess?.(text);
  expect(Array.isArray(found) && found.map((one) => [one.text, one.detail])).toEqual(expected);
});
