import {describe, expect, it} from 'vitest';
import {repairedFrames} from '../../../src/engine/families/idtech/frame/repair-frame.js';

const lost = (text: string, detail: string) => ({text, change: 'lost', detail});
const extra = (text: string, at: number, what: string) => ({
  text,
  change: 'added',
  detail: `The ${what} at ${at} is extra.`,
});

// The card data is A*C in keyboard text: LRC 41 ^ 2A ^ 43 = 28, sum AE; and 41 42 in hex: 03, 83.
const TEXT = '020300A*C28AE03';
const HEX = '0202004142038303';

/** A frame of keyboard text with 100 asterisks less than its length states. */
const COLLAPSED = `026500A*C${'28AE03'}`;

describe('the originals of a damaged frame', () => {
  it.each([
    ['an intact one', TEXT, []],
    ['an intact one in hex', HEX, []],
    ['another text', 'hello', []],
    ['a length alone', '020000', []],
    [
      'without a character',
      ' 020300A*28AE03\n',
      [
        lost('020300CA*28AE03', 'A character was lost at 6.'),
        lost('020300AC*28AE03', 'A character was lost at 7.'),
        lost(TEXT, 'A character was lost at 8.'),
        lost('020300A**28AE03', '1 stars were lost at 7.'),
      ],
    ],
    [
      'without a character, its sum wrong',
      '020300A*28AF03',
      [lost('020300A**28AF03', '1 stars were lost at 7.')],
    ],
    [
      'with a character more',
      '020300A*CC28AE03',
      [extra(TEXT, 8, 'character'), extra(TEXT, 9, 'character')],
    ],
    ['with a character more, its sum wrong', '020300A*CC28AF03', []],
    [
      'without two of the same characters',
      '020500A*  28AE03'.replace('  ', ' '),
      [
        lost('020500A*** 28AE03', '2 stars were lost at 7.'),
        lost('020500A*   28AE03', '2 blanks were lost at 8.'),
      ],
    ],
    ['without 98 characters, more than print loses', COLLAPSED, []],
    ['without a hex digit', '020200442038303', [lost(HEX, 'A hex digit was lost at 7.')]],
    [
      'with a hex digit more',
      '02020041142038303',
      [extra(HEX, 7, 'hex digit'), extra(HEX, 8, 'hex digit')],
    ],
    [
      'without a byte',
      '02020041038303',
      [lost('0202004241038303', 'A byte was lost at 3.'), lost(HEX, 'A byte was lost at 4.')],
    ],
    ['without a byte, its sum wrong', '02020041038403', []],
    ['without two bytes', '020200038303', []],
  ])('%s', (_, text, expected) => {
    expect(repairedFrames(text)).toEqual(expected);
  });
});
