import {cpSync, mkdirSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {describe, expect, test} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

/** Runs what npm runs after `npm ci`, in a folder with package.json alone. */
function built(folder: string) {
  cpSync('package.json', path.join(folder, 'package.json'));
  return execa('npm', ['run', '--silent', 'dependencies'], {cwd: folder, reject: false});
}

describe('the build after npm ci', () => {
  test('does nothing where there are no sources', async () => {
    const {exitCode, stderr} = await built(tempFolder());
    expect([exitCode, stderr.replace(/^npm warn .*$/gm, '').trim()]).toEqual([0, '']);
  });

  test('builds where there are some, and fails when that fails', async () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'src'));
    expect((await built(folder)).exitCode).not.toBe(0);
  });
});
