import {cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {beforeEach, describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

let folder = '';
const inFolder = (file: string) => path.join(folder, file);

/** A copy of what the check reads. */
beforeEach(() => {
  folder = tempFolder();
  mkdirSync(inFolder('scripts'));
  cpSync('scripts/checks', inFolder('scripts/checks'), {recursive: true});
  for (const file of ['CHANGELOG.md', 'package.json']) cpSync(file, inFolder(file));
  const filter = (file: string) => !/\.(?:js|map)$/.test(file);
  cpSync('dist', inFolder('dist'), {recursive: true, filter});
  symlinkSync(path.resolve('node_modules'), inFolder('node_modules'));
});

function replaceIn(file: string, from: string, to: string): void {
  const text = readFileSync(inFolder(file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(inFolder(file), text.replace(from, to));
}

async function check(...argv: string[]) {
  const script = inFolder('scripts/checks/check-types.mjs');
  const {exitCode, stderr} = await execa(process.execPath, [script, ...argv], {reject: false});
  return {exitCode, stderr};
}

describe('the check of the public types', {timeout: 180_000}, () => {
  it('finds a change of a member, and wants it in the changelog', async () => {
    // The report is of this changelog.
    rmSync(inFolder('scripts/checks/public-types.api.md'));
    await check('--renew');
    replaceIn('dist/library/request-of.d.ts', 'readonly iv?:', 'readonly iv:');
    const changed = await check();
    expect(changed.exitCode).toBe(1);
    expect(changed.stderr).toContain('the public types have changed: ');
    expect(await check('--renew')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('CHANGELOG.md has to say so first'),
    });
    replaceIn('CHANGELOG.md', '\n- ', '\n- A change of the types.\n- ');
    expect((await check('--renew')).exitCode).toBe(0);
    expect((await check()).exitCode).toBe(0);
  });
});
