import {cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
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

/** A src tree that holds one file. */
function treeWith(file: string, code: string): string {
  const src = tempFolder();
  mkdirSync(path.dirname(path.join(src, file)), {recursive: true});
  writeFileSync(path.join(src, file), code);
  return src;
}

describe('check-imports', () => {
  it('passes on this project', async () => {
    expect((await runScript('check-imports.mjs')).exitCode).toBe(0);
  });

  it.each([
    ['an import that goes up', 'engine/a.ts', "import {x} from '../cli/output.js';"],
    ['a lazy import that goes up', 'contract/a.ts', "await import('../engine/a.js');"],
    ['a re-export that goes up', 'auth/a.ts', "export {x} from '../engine/a.js';"],
    ['a file system in the engine', 'engine/a.ts', "import {readFileSync} from 'node:fs';"],
    ['a package in the engine', 'engine/a.ts', "import {z} from 'zod';"],
    ['a clock in the engine', 'engine/a.ts', 'export const t = Date.now();'],
    ['randomness in the engine', 'engine/a.ts', "import {randomBytes} from 'node:crypto';"],
    ['the console in a command', 'commands/a.ts', "console.log('x');"],
    ['stderr outside the output module', 'cli/a.ts', "process.stderr.write('x');"],
    ['a folder without a rule', 'helpers/a.ts', 'export {};'],
  ])('refuses %s', async (_, file, code) => {
    const {exitCode, stderr} = await runScript('check-imports.mjs', treeWith(file, code));
    expect({exitCode, named: stderr.startsWith(`src/${file}: `)}).toEqual({
      exitCode: 1,
      named: true,
    });
  });

  it.each([
    ['an import that goes down', 'commands/a.ts', "import {x} from '../cli/output.js';"],
    ['a comment that speaks of the console', 'engine/a.ts', '// console.log is not used'],
  ])('accepts %s', async (_, file, code) => {
    expect((await runScript('check-imports.mjs', treeWith(file, code))).exitCode).toBe(0);
  });
});

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
