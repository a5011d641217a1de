import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {openInput, readInput} from '../../../src/cli/input/read-input.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-input-'));
  writeFileSync(path.join(folder, 'read'), 'from the file');
  writeFileSync(path.join(folder, 'full'), '2'.repeat(65_536));
  writeFileSync(path.join(folder, 'over'), '2'.repeat(65_537));
  mkdirSync(path.join(folder, 'folder'));
});

afterAll(() => rmSync(folder, {recursive: true}));

const inFolder = (name: string) => path.join(folder, name);

describe('readInput', () => {
  it('reads an argument that names a file', async () => {
    expect(await readInput({argument: inFolder('read')})).toBe('from the file');
  });

  it.each(['0298', '%B4111', 'a\0b', '2'.repeat(5000), '', ' '])(
    'takes an argument that names no file as the payload',
    async (argument) => {
      expect(await readInput({argument})).toBe(argument);
    },
  );

  it('takes the name of a file as the payload when told so', async () => {
    expect(await readInput({payload: inFolder('read')})).toBe(inFolder('read'));
  });

  it('reads 64 KiB', async () => {
    expect(await readInput({file: inFolder('full')})).toHaveLength(65_536);
  });

  it.each([
    ['a file', {file: inFolderLazy('over')}],
    ['a text', {payload: () => '2'.repeat(65_537)}],
    ['an endless file', {file: () => '/dev/zero'}],
  ])('refuses more than 64 KiB from %s', async (_, source) => {
    const entries = Object.entries(source).map(([name, value]) => [name, value()]);
    await expect(readInput(Object.fromEntries(entries))).rejects.toThrow(
      'Request body too large: expected at most 65536 bytes',
    );
  });

  it.each([
    ['missing', 'no such file'],
    ['folder', 'is a directory'],
  ])('says why it cannot read the file %s', async (name, reason) => {
    await expect(readInput({file: inFolder(name)})).rejects.toMatchObject({
      code: 9002,
      detail: `${inFolder(name)}: ${reason}`,
    });
  });

  it('does not take the name of a folder for a payload, and says what to do', async () => {
    await expect(readInput({argument: inFolder('folder')})).rejects.toMatchObject({
      code: 9002,
      detail: `${inFolder('folder')}: is a directory`,
      hint: 'Pass a file inside it.',
    });
    expect(await readInput({payload: inFolder('folder')})).toBe(inFolder('folder'));
  });

  it.each(['samples/mistyped.json', 'samples/idtech-swipe.jsn'])(
    'does not take a mistyped name of a file for a payload: %s',
    async (argument) => {
      await expect(readInput({argument})).rejects.toMatchObject({
        code: 9002,
        detail: `${argument}: no such file`,
      });
    },
  );

  it.each([[{argument: 'a', file: 'b'}], [{file: 'a', payload: 'b'}]])(
    'wants one source at most, not %j',
    async (source) => {
      await expect(readInput(source)).rejects.toMatchObject({code: 9001});
    },
  );
});

describe('openInput', () => {
  it('opens a file when it is read: an error before that would end the process', async () => {
    const errors: unknown[] = [];
    const note = (error: unknown) => errors.push(error);
    process.prependOnceListener('uncaughtException', note);
    const {stream} = openInput({file: inFolder('gone')});
    await delay(50);
    process.off('uncaughtException', note);
    expect(errors).toEqual([]);
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({code: 9002});
  });
});

function inFolderLazy(name: string) {
  return () => inFolder(name);
}
