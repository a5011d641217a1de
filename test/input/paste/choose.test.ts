import {describe, expect, it} from 'vitest';
import {type Candidate, choose} from '../../../src/input/paste/choose.js';
import type {Judgement} from '../../../src/input/paste/judge.js';

/** Notation, judgement and text of each candidate; its place is that of the text. */
type Row = readonly [notation: string, judgement: Judgement, payload: string];

function candidatesOf(text: string, rows: readonly Row[]): Candidate[] {
  let at = 0;
  return rows.map(([notation, judgement, payload]) => {
    const next = text.indexOf(payload, at);
    const from = next < 0 ? text.indexOf(payload) : next;
    if (next >= 0) at = from + 1;
    return {notation, judgement, payload, from, to: from + payload.length};
  });
}

function outcomeOf(text: string, rows: readonly Row[]): string | undefined {
  try {
    const chosen = choose(text, candidatesOf(text, rows));
    return chosen && `${chosen.notation} at ${chosen.from}`;
  } catch (error) {
    return (error as Error).message;
  }
}

const LONG = 'z.'.repeat(32);

/** Texts with their candidates, and the one that is chosen or the refusal. */
const CASES: readonly (readonly [string, string, readonly Row[], string | undefined])[] = [
  ['nothing', 'abc', [], undefined],
  ['what no reader takes', 'abc', [['text', 'none', 'abc']], undefined],
  [
    'the intact one',
    'x abc',
    [
      ['text', 'weak', 'x abc'],
      ['text', 'intact', 'abc'],
    ],
    'text at 2',
  ],
  [
    'the weak one',
    'x abc',
    [
      ['text', 'none', 'x abc'],
      ['text', 'weak', 'abc'],
    ],
    'text at 2',
  ],
  ['a damaged dump', 'x abc', [['a hex dump', 'damaged', 'abc']], 'a hex dump at 2'],
  ['a cut array', 'x abc', [['an array of bytes', 'cut', 'abc']], 'an array of bytes at 2'],
  ['no damaged text with words around it', 'x abc', [['text', 'damaged', 'abc']], undefined],
  ['damaged text in quotes', '"xyz"', [['text', 'damaged', 'xyz']], 'text at 1'],
  ['no damaged hex that is all of it', 'abc', [['hex digits', 'damaged', 'abc']], undefined],
  ['damaged base64', 'x abc', [['base64', 'damaged', 'abc']], 'base64 at 2'],
  ['no cut base64', 'x abc', [['base64', 'cut', 'abc']], undefined],
  ['no cut base64url', 'x abc', [['base64url', 'cut', 'abc']], undefined],
  [
    'no second reading of a place',
    'x abc',
    [
      ['text', 'damaged', 'abc'],
      ['base64', 'damaged', 'abc'],
    ],
    undefined,
  ],
  [
    'the longest intact one',
    'xabcd',
    [
      ['text', 'intact', 'bc'],
      ['text', 'intact', 'abcd'],
    ],
    'text at 1',
  ],
  [
    'the first reading of a place',
    'abc',
    [
      ['base64', 'intact', 'abc'],
      ['text', 'intact', 'abc'],
    ],
    'base64 at 0',
  ],
  [
    'neither of two',
    'abc\n abd',
    [
      ['text', 'intact', 'abc'],
      ['base64', 'intact', 'abd'],
    ],
    'the text can be read as two payloads: text at line 1 column 1 to line 1 column 3, and base64 at line 2 column 2 to line 2 column 4',
  ],
  [
    'neither of two, the second by its place',
    'abc\n abd',
    [
      ['text', 'weak', 'abc'],
      ['base64', 'intact', 'abd'],
    ],
    'base64 at 5',
  ],
  [
    'neither, if the other is damaged',
    'abc abd',
    [
      ['text', 'intact', 'abc'],
      ['base64', 'damaged', 'abd'],
    ],
    'the text can be read as two payloads: text at line 1 column 1 to line 1 column 3, and base64 at line 1 column 5 to line 1 column 7',
  ],
  [
    'the intact one, if a name tells what the other is',
    'abc key=abd',
    [
      ['text', 'intact', 'abc'],
      ['base64', 'damaged', 'abd'],
    ],
    'text at 0',
  ],
  [
    'neither, if a name stands too far away',
    `abc key=${' '.repeat(41)}abd`,
    [
      ['text', 'intact', 'abc'],
      ['base64', 'damaged', 'abd'],
    ],
    'the text can be read as two payloads: text at line 1 column 1 to line 1 column 3, and base64 at line 1 column 50 to line 1 column 52',
  ],
  [
    'the intact one beside short text that looks damaged',
    'abc ab',
    [
      ['text', 'intact', 'abc'],
      ['text', 'damaged', 'ab'],
    ],
    'text at 0',
  ],
  [
    'neither, if damaged text is long',
    `abc ${LONG}`,
    [
      ['text', 'intact', 'abc'],
      ['text', 'damaged', LONG],
    ],
    'the text can be read as two payloads: text at line 1 column 1 to line 1 column 3, and text at line 1 column 5 to line 1 column 68',
  ],
  [
    'the intact one beside text a little shorter',
    `abc ${LONG.slice(1)}`,
    [
      ['text', 'intact', 'abc'],
      ['text in lines', 'damaged', LONG.slice(1)],
    ],
    'text at 0',
  ],
  [
    'the intact one beside text of less than a third of its length',
    `${`${'y.'.repeat(96)}y`} ${LONG}`,
    [
      ['text', 'intact', `${'y.'.repeat(96)}y`],
      ['text', 'damaged', LONG],
    ],
    'text at 0',
  ],
  [
    'neither, if the other has a third of its length',
    `${'y.'.repeat(96)} ${LONG}`,
    [
      ['text', 'intact', 'y.'.repeat(96)],
      ['text', 'damaged', LONG],
    ],
    'the text can be read as two payloads: text at line 1 column 1 to line 1 column 192, and text at line 1 column 194 to line 1 column 257',
  ],
  [
    'neither, if the other is a dump of anything',
    'abc abd',
    [
      ['text', 'intact', 'abc'],
      ['a hex dump', 'none', 'abd'],
    ],
    'the text can be read as two payloads: text at line 1 column 1 to line 1 column 3, and a hex dump at line 1 column 5 to line 1 column 7',
  ],
  [
    'the intact one beside an array of anything',
    'abc abd',
    [
      ['text', 'intact', 'abc'],
      ['an array of bytes', 'none', 'abd'],
    ],
    'text at 0',
  ],
  [
    'neither hex nor decimals of the same characters',
    '(abc)',
    [
      ['hex digits', 'intact', 'abc'],
      ['an array of bytes', 'intact', 'abc'],
    ],
    'the text can be read as two payloads: hex digits at line 1 column 2 to line 1 column 4, and an array of bytes at line 1 column 2 to line 1 column 4',
  ],
  [
    'hex that is read better than the decimals',
    '(abc)',
    [
      ['hex digits', 'intact', 'abc'],
      ['an array of bytes', 'weak', 'abc'],
    ],
    'hex digits at 1',
  ],
  [
    'text in a damaged larger one',
    'x abc',
    [
      ['an array of bytes', 'damaged', 'x abc'],
      ['text', 'intact', 'abc'],
    ],
    'text at 2',
  ],
  [
    'nothing beside bytes without a name',
    'abc 0001f07f80ff0a0d',
    [['text', 'intact', 'abc']],
    'the text can be read as two payloads: text at line 1 column 1 to line 1 column 3, and hex digits at line 1 column 5 to line 1 column 20',
  ],
  ['a payload beside a KSN', 'abc KSN: 0001f07f80ff0a0d', [['text', 'intact', 'abc']], 'text at 0'],
  [
    'a payload beside a hash',
    '"sha-256" => "0001f07f80ff0a0d" abc',
    [['text', 'intact', 'abc']],
    'text at 32',
  ],
];

describe('choose', () => {
  it.each(CASES)('takes %s', (_, text, rows, expected) => {
    const found = outcomeOf(text, rows);
    expect(found?.replace(/^.*?(?=the text can)/, '')).toBe(expected);
  });
});
