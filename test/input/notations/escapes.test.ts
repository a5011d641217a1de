import {expect, it} from 'vitest';
import {NOTATIONS} from '../../../src/input/notations/table.js';

/** Texts with escapes, and what each kind of escapes makes of them. */
const CASES: readonly (readonly [
  text: string,
  undone: readonly (readonly [notation: string, text: string])[],
])[] = [
  ['plain text', []],
  ['\\u0041\\u00f0', [['a string with escapes', 'A\u00f0']]],
  ['\\u{41}\\u{7}', [['a string with escapes', 'A\u0007']]],
  ['\\x41\\xF0', [['a string with escapes', 'A\u00f0']]],
  ['\\101\\377\\0', [['a string with escapes', 'A\u00ff\u0000']]],
  [
    '\\a\\b\\e\\f\\n\\r\\t\\v\\0',
    [['a string with escapes', '\u0007\b\u001b\f\n\r\t\u000b\u0000']],
  ],
  ['\\"\\\'\\`\\\\\\/\\$', [['a string with escapes', '"\'`\\/$']]],
  ['one\\\ntwo\\\r\nthree', [['a string with escapes', 'onetwothree']]],
  ['\\q\\8', []],
  ['\\400', []],
  ['%41%f0', [['URL encoding', 'A\u00f0']]],
  ['%41', []],
  ['%3D', [['URL encoding', '=']]],
  ['%3d', [['URL encoding', '=']]],
  ['a+b%20c', [['URL encoding', 'a b c']]],
  ['%41%4', []],
  ['%B4111111111111111^%41%42', []],
  ['%b411111%41%42', [['URL encoding', '\u00b411111AB']]],
  ['%41%42%B411111', []],
  [
    '%B4111111111111111%5ETEST/VISA%5E2812%3F%7C0600',
    [['URL encoding', '%B4111111111111111^TEST/VISA^2812?|0600']],
  ],
  ['%B41111%41%42', [['URL encoding', '\u00b41111AB']]],
  ['100%', []],
  ['=41=F0', [['quoted-printable', 'A\u00f0']]],
  ['=41', []],
  ['a=41=\nb', [['quoted-printable', 'aAb']]],
  ['a=41=\r\nb=', [['quoted-printable', 'aAb']]],
  ['=f0=41', []],
  ['a=b=41=42', []],
  ['x=41=', []],
  ['&#65;&#x42;&amp;&lt;&gt;&quot;&apos;', [['XML entities', 'AB&<>"\'']]],
  ['&AMP;&#123456;&nbsp;&#x1F600;', [['XML entities', '&&#123456;&nbsp;&#x1F600;']]],
  ['&#240;&#xf0;', [['XML entities', '\u00f0\u00f0']]],
];

it.each(CASES)('undoes escapes: %j', (text, expected) => {
  expect(undone(text)).toEqual(expected);
});

function undone(text: string): (readonly [string, string])[] {
  return NOTATIONS.filter(({isEscape}) => isEscape).flatMap(({name, undo}) => {
    const meant = undo?.(text) ?? text;
    return meant === text ? [] : [[name, meant] as const];
  });
}
