import {cpSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

function runScript(name: string, argument?: string) {
  const argv = argument === undefined ? [] : [argument];
  return execa(process.execPath, [path.join(root, 'scripts/checks', name), ...argv], {
    reject: false,
  });
}

/** The built project with another manifest. */
function projectWith(change: (manifest: {commands: Record<string, unknown>}) => void): string {
  const copy = tempFolder();
  for (const name of ['package.json', 'dist']) {
    cpSync(path.join(root, name), path.join(copy, name), {recursive: true});
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const manifest = JSON.parse(readFileSync(path.join(root, 'oclif.manifest.json'), 'utf8'));
  change(manifest);
  writeFileSync(path.join(copy, 'oclif.manifest.json'), JSON.stringify(manifest));
  return copy;
}

describe('check-manifest', () => {
  it('passes on this project', async () => {
    expect((await runScript('check-manifest.mjs')).exitCode).toBe(0);
  });

  it('refuses a manifest that is older than the commands', async () => {
    const copy = projectWith((manifest) => {
      manifest.commands.errors = {};
    });
    expect((await runScript('check-manifest.mjs', copy)).stderr).toContain('is not current');
  });

  it('refuses a command that the list lacks', async () => {
    const copy = projectWith((manifest) => {
      manifest.commands.unlisted = {};
    });
    expect((await runScript('check-manifest.mjs', copy)).stderr).toContain('src/command-list.ts');
  });
});
