import {expect, it} from 'vitest';
import {memberTexts} from '../../../src/input/notations/member-text.js';

/** Texts with members in the notation of a program: place and JSON of each notation that fits. */
const CASES: readonly (readonly [
  text: string,
  members: readonly (readonly [from: number, to: number, json: string])[],
])[] = [
  [`'ab' => 'x', 'cd' => 'y'`, [[0, 24, '{"ab":"x","cd":"y"}']]],
  [`'ab' => 'x'`, []],
  [`:ab => "x" :cd => "y" :ef => "z"`, [[0, 32, '{"ab":"x","cd":"y","ef":"z"}']]],
  [`'ab' => 'x', 'ab' => 'x', 'cd' => 'y'`, [[0, 37, '{"ab":"x","cd":"y"}']]],
  [`'ab' => 'x', 'ab' => 'y', 'cd' => 'y'`, []],
  [`'ab' => 'x'.'y', 'cd' => 'y'`, []],
  [`'ab' => 'x'+'y', 'cd' => 'y'`, []],
  [`'ab' => 'x' + rest, 'cd' => 'y'`, []],
  [`'ab' => 'x' . $rest, 'cd' => 'y'`, []],
  [`'ab' => 'x'+rest, 'cd' => 'y'`, []],
  [`'ab' => 'x'. rest, 'cd' => 'y'`, []],
  [`'ab' => 'x'.rest, 'cd' => 'y'`, [[0, 29, '{"ab":"x","cd":"y"}']]],
  [`'ab' => 'x' 0001f07f80ff0a0d 'cd' => 'y'`, []],
  [`'ab' => 'it\\'s', 'cd' => '\\\\'`, [[0, 29, '{"ab":"it\'s","cd":"\\\\"}']]],
  [`card.ab = @"x";card->cd = $"y"`, [[4, 30, '{"ab":"x","cd":"y"}']]],
  [`setAb("x"); getCd().setValue("y")`, [[0, 32, '{"Ab":"x","Cd":"y"}']]],
  [`m.put("ab", "x"); m.add('cd','y')`, [[1, 32, '{"ab":"x","cd":"y"}']]],
  [`<ns:ab i="1">x</ns:ab><cd> y </cd>`, [[0, 31, '{"ab":"x","cd":"y"}']]],
  ['{ab=x, cd=y,z, ef=QQ==}', [[0, 22, '{"ab":"x","cd":"y,z","ef":"QQ=="}']]],
  ['{ab=,cd=y}', [[0, 9, '{"ab":"","cd":"y"}']]],
  ['|ab=x|\n| cd : y |\n|ef|z|', [[0, 24, '{"ab":"x","cd":"y","ef":"z"}']]],
];

it.each(CASES)('reads members: %j', (text, expected) => {
  expect(memberTexts(text).map(({from, to, json}) => [from, to, json])).toEqual(expected);
});
