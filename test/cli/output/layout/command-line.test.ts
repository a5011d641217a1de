import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {continuedLines} from '../../../../src/cli/output/layout/command-line.js';
import {widthOf} from '../../../../src/cli/output/layout/text-width.js';

/** The words of a command as a shell takes them. */
function wordsOf(command: string, shell = 'sh'): string[] {
  const script = `printf '%s\\0' ${command}`;
  return execFileSync(shell, ['-c', script], {encoding: 'utf8'}).split('\0').slice(0, -1);
}

const plain = fc.stringMatching(/^[\w.,:/=+%-]{1,120}$/);
const spaced = fc.stringMatching(/^[\w "{}:\\$`!?*é決-]{1,120}$/);
const inSingle = spaced.map((text) => `'${text}'`);
const withApostrophe = spaced.map((text) => `'${text}'\\''${text}'`);
const inDouble = fc.stringMatching(/^[\w '{}:]{1,120}$/).map((text) => `"${text}"`);
const word = fc.oneof(plain, inSingle, withApostrophe, inDouble);
const command = fc.array(word, {minLength: 1, maxLength: 6}).map((words) => words.join(' '));

describe('a command in several lines', () => {
  it('is the same to a POSIX shell, and no line is too long', () => {
    const check = fc.property(command, fc.integer({min: 20, max: 120}), (line, width) => {
      const lines = continuedLines(line, {width, lead: '  '});
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
      expect(wordsOf(lines.join('\n'))).toEqual(wordsOf(line));
    });
    fc.assert(check, {numRuns: 60});
  });

  it("keeps the escapes of bash's quotes whole", () => {
    const line = `paylens decrypt --payload $'${"\\x02\\\\\\'".repeat(40)}' --test-keys`;
    const lines = continuedLines(line, {width: 40});
    expect(lines.length).toBeGreaterThan(5);
    expect(wordsOf(lines.join('\n'), 'bash')).toEqual(wordsOf(line, 'bash'));
  });

  it('begins no line inside of quotes', () => {
    const lines = continuedLines(`paylens sign '${'{"a": 1} '.repeat(30)}' --json`, {width: 40});
    for (const line of lines) expect(line.replace(/[^']/g, '').length % 2).toBe(0);
  });

  it('is one line if it fits', () => {
    expect(continuedLines('paylens key list', {width: 18, lead: '  '})).toEqual([
      '  paylens key list',
    ]);
  });
});
