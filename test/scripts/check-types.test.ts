import {appendFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
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
  cpSync('CHANGELOG.md', inFolder('CHANGELOG.md'));
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

describe('the check of the public types', () => {
  it('passes on the built declarations', async () => {
    expect(await check()).toEqual({exitCode: 0, stderr: ''});
  });

  it('does not mind comments and spaces', async () => {
    replaceIn('dist/decrypt.d.ts', 'export ', '// more\n\n  export  ');
    expect(await check()).toEqual({exitCode: 0, stderr: ''});
  });

  it.each([
    ['a member of an option', 'dist/library/request-of.d.ts', 'readonly iv?:', 'readonly iv:'],
    ['a type behind one', 'dist/engine/trace.d.ts', 'readonly ', ''],
    ['a name', 'dist/decrypt.d.ts', 'PaylensError', 'PaylensError as Failure'],
    ['a declaration of a terminal', 'dist/terminals/idtech.d.ts', 'const idtech', 'const idTech'],
  ])('finds a change of %s, and wants it in the changelog', async (_, file, from, to) => {
    replaceIn(file, from, to);
    const changed = await check();
    expect(changed.exitCode).toBe(1);
    expect(changed.stderr).toContain('the public types have changed: ');
    // As a person does who has the last change recorded.
    const snapshot = inFolder('scripts/checks/public-types.txt');
    const [, ...types] = readFileSync(snapshot, 'utf8').split('\n');
    replaceIn('CHANGELOG.md', '### Added', '### Added\n\n- Another thing.');
    expect((await check('--renew')).exitCode).toBe(0);
    writeFileSync(snapshot, [readFileSync(snapshot, 'utf8').split('\n')[0], ...types].join('\n'));
    expect(await check('--renew')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('CHANGELOG.md has to say so first'),
    });
    replaceIn('CHANGELOG.md', '- Another thing.', '- A change of the types.');
    expect((await check('--renew')).exitCode).toBe(0);
    expect((await check()).exitCode).toBe(0);
  });

  it('finds a name without a comment', async () => {
    appendFileSync(inFolder('dist/decrypt.d.ts'), '\nexport declare function bare(): void;\n');
    expect((await check()).stderr).toContain('bare has no comment');
  });
});
