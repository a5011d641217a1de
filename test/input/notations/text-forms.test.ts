import {expect, it} from 'vitest';
import {textFormSteps} from '../../../src/input/notations/text-forms.js';
import {finish} from '../../../src/input/steps.js';

const DIGITS = '0001f07f80ff0a0d';

function hexText(text: string): string {
  return Buffer.from(text).toString('hex');
}

/** Texts, and every form of them with the labels of what was undone, in order. */
const CASES: readonly (readonly [
  text: string,
  forms: readonly (readonly [text: string, ...labels: string[]])[],
])[] = [
  ['words', []],
  ['   ', []],
  [
    hexText(hexText(DIGITS)),
    [
      [hexText(DIGITS), 'hex-of-hex'],
      [DIGITS, 'hex-of-hex', 'hex-of-hex'],
    ],
  ],
  [`"${DIGITS}"`, [[DIGITS, 'text-around']]],
  ['MDAwMWYwN2Y4MGZmMGEwZA==', [[DIGITS, 'base64']]],
  [
    'TURBd01XWXdOMlk0TUdabU1HRXdaQT09',
    [
      ['MDAwMWYwN2Y4MGZmMGEwZA==', 'base64'],
      [DIGITS, 'base64', 'base64'],
    ],
  ],
  [
    '"%4D%44AwMWYwN2Y4MGZmMGEwZA=="',
    [
      ['%4D%44AwMWYwN2Y4MGZmMGEwZA==', 'text-around'],
      ['"MDAwMWYwN2Y4MGZmMGEwZA=="', 'text-escaped'],
      ['MDAwMWYwN2Y4MGZmMGEwZA==', 'text-around', 'text-escaped'],
      [DIGITS, 'text-around', 'text-escaped', 'base64'],
    ],
  ],
  [
    '00000001 00000001 11110000 01111111 10000000 11111111 00001010 00001101',
    [
      ['0000000100000001111100000111111110000000111111110000101000001101', 'white-space'],
      ['0101F07F80FF0A0D', 'text-escaped'],
    ],
  ],
];

it.each(CASES)('undoes %j', (text, expected) => {
  const found = finish(textFormSteps(text)).map((one) => [
    one.text,
    ...one.findings.map(({label}) => label),
  ]);
  expect(found).toEqual([[text], ...expected]);
});

it.each(['A', ' ', "'", 'a='])('leaves a log of 16 Mi of %j as it is', (unit) => {
  const log = unit.repeat((16 * 1024 * 1024) / unit.length);
  expect(finish(textFormSteps(log))).toHaveLength(1);
});
