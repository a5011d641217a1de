import {cpSync, mkdirSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {describe, expect, test} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

/** Runs `prepare` in a folder with package.json alone, as a tarball has it. */
function prepared(folder: string) {
  cpSync('package.json', path.join(folder, 'package.json'));
  return execa('npm', ['run', '--silent', 'prepare'], {cwd: folder, reject: false});
}

describe('prepare', () => {
  test('does nothing where there are no sources', async () => {
    const {exitCode, stderr} = await prepared(tempFolder());
    expect([exitCode, stderr.replace(/^npm warn .*$/gm, '').trim()]).toEqual([0, '']);
  });

  test('builds where there are some, and fails when that fails', async () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'src'));
    expect((await prepared(folder)).exitCode).not.toBe(0);
  });
});
