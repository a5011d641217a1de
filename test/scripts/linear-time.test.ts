import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ESLINT = path.join(ROOT, 'node_modules/eslint/bin/eslint.js');
const CONFIG = path.join(ROOT, 'scripts/checks/linear-time.config.mjs');

/** Lints one file with these lines of code; resolves to the lines with faults, and the exit code. */
async function lint(lines: readonly string[], name = 'planted.ts') {
  const cwd = tempFolder();
  writeFileSync(path.join(cwd, name), lines.join('\n'));
  const argv = [ESLINT, '--no-config-lookup', '-c', CONFIG, '-f', 'json', '.'];
  const {stdout, exitCode} = await execa(process.execPath, argv, {cwd, reject: false});
  const [file] = JSON.parse(stdout) as [{messages: {line: number}[]}];
  return {exitCode, lines: [...new Set(file.messages.map(({line}) => line))]};
}

describe('the check for linear time', () => {
  it.each(['x.ts', 'x.tsx', 'x.mjs'])('finds each planted expression in %s', async (name) => {
    const planted = [
      'export const trailing = (text) => text.replace(/=+$/, "");',
      'export const none = /=*$/;',
      'export const move = /\\}[}\\s]*$/;',
      'export const blanks = /^\\s*([\\w .-]{1,20}?)\\s*[:=](.*)$/s;',
      'export const exponential = /^(?:\\w+\\s?)*$/;',
      'export const made = new RegExp("^(\\\\d+)*$");',
      'const PART = "a*"; export const joined = new RegExp(`^${PART}${PART}b`);',
    ];
    const all = planted.map((_, index) => index + 1);
    expect(await lint(planted, name)).toEqual({exitCode: 1, lines: all});
  });

  it('passes what takes linear time', async () => {
    const fine = [
      'interface Found { readonly text: string }',
      'export const anchored = (one: Found): boolean => /^\\d+$/.test(one.text);',
      'export const bounded = /x{1,20}$/;',
      'export const sticky = /\\s+$/y;',
      'export const behind = /(?<!=)=+$/;',
    ];
    expect(await lint(fine)).toEqual({exitCode: 0, lines: []});
  });

  it('is part of npm run check', () => {
    expect(readFileSync(path.join(ROOT, 'scripts/checks/check.mjs'), 'utf8')).toContain(
      'scripts/checks/linear-time.config.mjs src bin',
    );
  });
});
