import {describe, expect, it} from 'vitest';
import {isAsked} from '../../src/cli/is-asked.js';

describe('isAsked', () => {
  it.each([
    [['--json'], true],
    [['x', '-j'], true],
    [['-tj'], true],
    [['-jq'], true],
    [['-tjk', 'keys.age'], true],
    [['-kj'], false],
    [['--', '--json'], false],
    [['--', '-j'], false],
    [['-'], false],
    [['--jsonx'], false],
    [['-x'], false],
  ])('json in %j: %s', (argv, expected) => {
    expect(isAsked('json', argv)).toBe(expected);
  });

  it('knows flags without a letter by their name only', () => {
    expect([isAsked('no-color', ['--no-color']), isAsked('no-color', ['-n'])]).toEqual([
      true,
      false,
    ]);
  });
});
