import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {runBin} from '../cli/run-bin.js';
import {tempFolder} from '../keyfile/temp-folder.js';

it('no profile is lost when several commands run at once', async () => {
  const env = {XDG_CONFIG_HOME: tempFolder()};
  const names = ['a', 'b', 'c', 'd'];
  const added = await Promise.all(
    names.map((name) => runBin(['profile', 'add', name, '--base-url', 'http://127.0.0.1'], {env})),
  );
  expect(added.map(({exitCode}) => exitCode)).toEqual([0, 0, 0, 0]);
  const file = join(env.XDG_CONFIG_HOME, 'paylens', 'profiles.json');
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles).sort()).toEqual(names);
});

it('a profile that is not there leaves the file as it was', async () => {
  const env = {XDG_CONFIG_HOME: tempFolder()};
  const {exitCode, stderr} = await runBin(['profile', 'use', 'x'], {env});
  expect(stderr).toContain('Error 9001: Invalid usage: there is no profile ');
  expect(exitCode).toBe(2);
  expect(existsSync(join(env.XDG_CONFIG_HOME, 'paylens', 'profiles.json'))).toBe(false);
});
