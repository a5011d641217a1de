import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {describe, expect, test} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const SCRIPT = path.resolve('scripts/build/pack.mjs');
const TEXT = readFileSync('package.json', 'utf8');

/** A folder with the package.json alone, as a tarball has it, in a repository with a remote. */
function repository(remote?: string): string {
  const folder = tempFolder();
  writeFileSync(path.join(folder, 'package.json'), TEXT);
  const git = (...argv: string[]) => execFileSync('git', ['-C', folder, ...argv]);
  git('init', '--quiet');
  if (remote !== undefined) git('remote', 'add', 'origin', remote);
  return folder;
}

const manifestOf = (folder: string) => readFileSync(path.join(folder, 'package.json'), 'utf8');

async function packed(folder: string): Promise<unknown> {
  await execa(process.execPath, [SCRIPT, 'before', folder]);
  const {repository: named, ...rest} = JSON.parse(manifestOf(folder));
  expect(rest).toEqual(JSON.parse(TEXT));
  await execa(process.execPath, [SCRIPT, 'after', folder]);
  expect(manifestOf(folder)).toBe(TEXT);
  return named?.url;
}

describe('the repository of a packed package.json', () => {
  test.each([
    ['https://code.example.com/a/paylens.git', 'git+https://code.example.com/a/paylens.git'],
    ['https://me:secret@code.example.com/a/b', 'git+https://code.example.com/a/b'],
    ['git@code.example.com:a/paylens.git', 'git+ssh://git@code.example.com/a/paylens.git'],
    ['ssh://git@code.example.com:22/a/b.git', 'git+ssh://git@code.example.com:22/a/b.git'],
    ['git://code.example.com/a/b.git', 'git://code.example.com/a/b.git'],
    ['ssh://me:secret@code.example.com/a', 'git+ssh://me@code.example.com/a'],
    ['/srv/git/paylens.git', undefined],
    ['file:///srv/git/paylens.git', undefined],
    ['../paylens', undefined],
    ['http://localhost:3000/a/b.git', undefined],
    ['http://127.0.0.1/a/b.git', undefined],
    ['buildhost:a/b.git', undefined],
    [undefined, undefined],
  ])('with the remote %s is %s', async (remote, url) => {
    expect(await packed(repository(remote))).toBe(url);
  });

  test('is gone after an interrupted packing, too', async () => {
    const folder = repository('https://code.example.com/a/paylens.git');
    await execa(process.execPath, [SCRIPT, 'before', folder]);
    await execa(process.execPath, [SCRIPT, 'before', folder]);
    await execa(process.execPath, [SCRIPT, 'after', folder]);
    expect(manifestOf(folder)).toBe(TEXT);
  });

  test('is not in package.json itself', () => {
    expect(JSON.parse(TEXT)).not.toHaveProperty('repository');
  });
});

describe('prepare', () => {
  test('does nothing where there are no sources', async () => {
    const folder = repository();
    const {exitCode, stderr} = await execa('npm', ['run', '--silent', 'prepare'], {
      cwd: folder,
      reject: false,
    });
    expect([exitCode, stderr.replace(/^npm warn .*$/gm, '').trim()]).toEqual([0, '']);
  });

  test('builds where there are some, and fails when that fails', async () => {
    const folder = repository();
    mkdirSync(path.join(folder, 'src'));
    const {exitCode} = await execa('npm', ['run', 'prepare'], {cwd: folder, reject: false});
    expect(exitCode).not.toBe(0);
  });
});
