import {expect, it} from 'vitest';
import {looseTexts} from '../../../src/input/notations/loose-places.js';

const Z = (count: number) => 'z'.repeat(count);

/** Texts, and every payload that `diagnose` looks for in them. */
const CASES: readonly (readonly [text: string, found: readonly string[]])[] = [
  ['words', []],
  ['RX: 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f', ['000102030405060708090a0b0c0d0e0f']],
  ['RX: 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f', []],
  ['a 0001f07f80ff0a0d\nb 0001f07f80ff0a0d', ['0001f07f80ff0a0d0001f07f80ff0a0d']],
  ['a 0001f07f80ff0a0d 1111f07f80ff0a0d\nb 0001f07f80ff0a0d', ['1111f07f80ff0a0d0001f07f80ff0a0d']],
  ['00:01:f0:7f:80:ff:0a:0d-00:01:f0:7f:80:ff:0a:0d', []],
  ['x{a{b}c}{d}{e}{f}', ['{a{b}c}', '{b}', '{d}', '{e}']],
  ['x{a', []],
  ['x <a>1</a> y', ['<a>1</a>']],
  ['x <n:a b="c">1</n:a>', ['<n:a b="c">1</n:a>']],
  ['x <a>1 </b>', []],
  [`{"k":"${Z(32)}"}`, [Z(32)]],
  [`{"k":"${Z(31)}"}`, []],
  [`{"k":["${Z(33)} {b}"]}`, ['{b}', `${Z(33)} {b}`]],
  [`x TVP|${Z(36)} end`, [`TVP|${Z(36)} end`, `TVP|${Z(36)}`]],
  [`x TVP|${Z(35)} end`, [`TVP|${Z(35)} end`]],
  [`x 021c0012ab${Z(40)}`, [`021c0012ab${Z(40)}`, `021c0012ab${Z(30)}`]],
  [`x 021b0012ab${Z(40)}`, [`021b0012ab${Z(40)}`]],
  [`a key=${Z(36)};b`, [`key=${Z(36)};b`, `key=${Z(36)}`]],
];

it.each(CASES)('looks for payloads: %j', (text, expected) => {
  expect(looseTexts(text)).toEqual(expected);
});
