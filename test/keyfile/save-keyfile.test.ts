import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Keyfile} from '../../src/keyfile/keyfile.js';
import {keyEntryFrom} from '../../src/keyfile/keys/key-entry.js';
import {openKeyfile, type Unlock} from '../../src/keyfile/open-keyfile.js';
import {createKeyfile, updateKeyfile} from '../../src/keyfile/save-keyfile.js';
import {
  ALICE,
  BOB,
  byIdentity,
  byPassphrase,
  passphraseEncryption,
  recipientEncryption,
  sampleKeyfile,
  TEST_BDK,
} from './sample-keyfile.js';
import {tempFolder} from './temp-folder.js';

const ALICES: Unlock = byIdentity(ALICE.identity);

describe('createKeyfile', () => {
  it('makes the file 0600 in a new folder 0700', async () => {
    const path = join(tempFolder(), 'paylens', 'keyfile.age');
    await createKeyfile(path, sampleKeyfile(), passphraseEncryption());
    expect(await namesIn(path, byPassphrase())).toEqual(['test']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, 'old')],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to a file', (path: string) => symlinkSync(import.meta.filename, path)],
    ['a link to nowhere', (path: string) => symlinkSync('nowhere', path), 9010],
  ])('refuses to overwrite %s', async (_, put, code = 9001) => {
    const path = join(tempFolder(), 'keyfile.age');
    put(path);
    const made = createKeyfile(path, sampleKeyfile(), recipientEncryption(ALICE.recipient));
    await expect(made).rejects.toMatchObject({code});
    expect(readdirSync(dirname(path))).toEqual(['keyfile.age']);
  });

  it('does not encrypt anything when the file is there', async () => {
    const path = join(tempFolder(), 'keyfile.age');
    writeFileSync(path, 'old');
    const encryption = {
      kind: 'recipients',
      get recipients(): string[] {
        throw new Error('encrypted');
      },
    } as const;
    await expect(createKeyfile(path, sampleKeyfile(), encryption)).rejects.toMatchObject({
      code: 9001,
    });
  });

  it('leaves a file that somebody else made while it was encrypted', async () => {
    const path = join(tempFolder(), 'keyfile.age');
    const encryption = {
      kind: 'recipients',
      get recipients(): string[] {
        writeFileSync(path, 'theirs');
        return [ALICE.recipient];
      },
    } as const;
    await expect(createKeyfile(path, sampleKeyfile(), encryption)).rejects.toMatchObject({
      code: 9001,
    });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(dirname(path))).toEqual(['keyfile.age']);
  });
});

describe('updateKeyfile', () => {
  it('saves the change and keeps the recipients', async () => {
    const path = await made(recipientEncryption(ALICE.recipient, BOB.recipient));
    await updateKeyfile(path, ALICES, ({keyfile}) => ({keyfile: withKey(keyfile, 'AA')}));
    expect(await namesIn(path, byIdentity(BOB.identity))).toEqual(['test', 'AA']);
    expect(await namesIn(path, ALICES)).toEqual(['test', 'AA']);
  });

  it('saves the change under the same passphrase and work factor', async () => {
    const path = await made(passphraseEncryption());
    await updateKeyfile(path, byPassphrase(), ({keyfile}) => ({keyfile: withKey(keyfile, 'AA')}));
    expect(await namesIn(path, byPassphrase())).toEqual(['test', 'AA']);
    expect(readFileSync(path, 'latin1')).toMatch(/^age-encryption.org\/v1\n-> scrypt \S{22} 10\n/);
  });

  it('saves the file behind a symbolic link and leaves the link', async () => {
    const path = await made(recipientEncryption(ALICE.recipient));
    const link = join(tempFolder(), 'link.age');
    symlinkSync(path, link);
    await updateKeyfile(link, ALICES, ({keyfile}) => ({keyfile: withKey(keyfile, 'AA')}));
    expect(await namesIn(path, ALICES)).toEqual(['test', 'AA']);
    expect(readdirSync(dirname(link))).toEqual(['link.age']);
  });

  it('loses no key when many write at once', async () => {
    const path = await made(recipientEncryption(ALICE.recipient));
    const prefixes = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'];
    const add = (prefix: string) =>
      updateKeyfile(path, ALICES, ({keyfile}) => ({keyfile: withKey(keyfile, prefix)}));
    await Promise.all(prefixes.map(add));
    expect((await namesIn(path, ALICES)).sort()).toEqual([...prefixes, 'test']);
  });

  it.each<[string, number, Unlock]>([
    ['a wrong identity', 9011, byIdentity(BOB.identity)],
    ['a change that fails', 9015, ALICES],
  ])('does not touch the file after %s', async (_, code, unlock) => {
    const path = await made(recipientEncryption(ALICE.recipient));
    const before = stateOf(path);
    const failing = updateKeyfile(path, unlock, ({keyfile}) => ({keyfile: withKey(keyfile, 'X')}));
    await expect(failing).rejects.toMatchObject({code});
    expect(stateOf(path)).toEqual(before);
    expect(readdirSync(dirname(path))).toEqual(['keyfile.age']);
  });

  it('asks for no passphrase when the file is damaged', async () => {
    const path = join(tempFolder(), 'keyfile.age');
    writeFileSync(path, 'damaged', {mode: 0o600});
    const before = stateOf(path);
    const update = updateKeyfile(path, byIdentity(), ({keyfile}) => ({keyfile}));
    await expect(update).rejects.toMatchObject({code: 9012});
    expect(stateOf(path)).toEqual(before);
  });

  it('gives a file that others could read mode 0600', async () => {
    const path = await made(recipientEncryption(ALICE.recipient));
    chmodSync(path, 0o644);
    await updateKeyfile(path, ALICES, ({keyfile}) => ({keyfile}));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

async function made(encryption: Parameters<typeof createKeyfile>[2]): Promise<string> {
  const path = join(tempFolder(), 'keyfile.age');
  await createKeyfile(path, sampleKeyfile(), encryption);
  return path;
}

function withKey(keyfile: Keyfile, ksnPrefix: string): Keyfile {
  const form = {name: ksnPrefix, kind: 'bdk', hex: TEST_BDK, ksnPrefix} as const;
  return {...keyfile, keys: [...keyfile.keys, keyEntryFrom(form, 'new key')]};
}

async function namesIn(path: string, unlock: Unlock): Promise<(string | undefined)[]> {
  const {keyfile} = await openKeyfile(readFileSync(path), unlock);
  return keyfile.keys.map(({name}) => name);
}

function stateOf(path: string): unknown {
  const {mtimeMs, ino, mode} = statSync(path);
  return {content: readFileSync(path, 'latin1'), mtimeMs, ino, mode};
}
