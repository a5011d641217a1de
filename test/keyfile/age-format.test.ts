import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {encryptKeyfile} from '../../src/keyfile/encrypt-keyfile.js';
import {openKeyfile} from '../../src/keyfile/open-keyfile.js';
import {age, ageOnTerminal, hasAge, hasAgeTerminal} from './age-tool.js';
import {
  ALICE,
  BOB,
  byIdentity,
  byPassphrase,
  PASSPHRASE,
  passphraseEncryption,
  recipientEncryption,
  sampleKeyfile,
  TEST_BDK,
} from './sample-keyfile.js';
import {tempFolder} from './temp-folder.js';

const JSON_BY_HAND = `{"version":1,"keys":[{"kind":"bdk","hex":"${TEST_BDK}"}]}`;

describe.skipIf(!hasAgeTerminal)('a keyfile under a passphrase and the age tool', () => {
  it.each([10, 18])('age opens what we encrypt with work factor %i', async (workFactor) => {
    const {file, out} = paths();
    writeFileSync(
      file,
      await encryptKeyfile(sampleKeyfile(), passphraseEncryption(PASSPHRASE, workFactor)),
    );
    expect(ageOnTerminal(PASSPHRASE, '-d', '-o', out, file)).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      version: 1,
      keys: [{kind: 'bdk', hex: TEST_BDK, ksnPrefix: 'FFFF987654'}],
    });
  });

  it.each([[], ['-a']])('we open what age encrypts %s', async (...flags: string[]) => {
    const {file, out} = paths();
    writeFileSync(out, JSON_BY_HAND);
    expect(ageOnTerminal(PASSPHRASE, '-p', ...flags, '-o', file, out)).toBe(0);
    const {keyfile, encryption} = await openKeyfile(readFileSync(file), byPassphrase());
    expect(keyfile.keys.map(({kind, secret}) => [kind, hexOf(secret.reveal())])).toEqual([
      ['bdk', TEST_BDK],
    ]);
    expect(encryption).toMatchObject({kind: 'passphrase', workFactor: 18});
  });

  it('age refuses what we encrypt under another passphrase', async () => {
    const {file, out} = paths();
    writeFileSync(file, await encryptKeyfile(sampleKeyfile(), passphraseEncryption('another')));
    expect(ageOnTerminal(PASSPHRASE, '-d', '-o', out, file)).not.toBe(0);
  });
});

describe.skipIf(!hasAge)('a keyfile for X25519 recipients and the age tool', () => {
  it.each([ALICE, BOB])('age -i opens what we encrypt for two recipients', async ({identity}) => {
    const {file, out, identityFile} = paths();
    writeFileSync(identityFile, `${identity}\n`);
    const encryption = recipientEncryption(ALICE.recipient, BOB.recipient);
    writeFileSync(file, await encryptKeyfile(sampleKeyfile(), encryption));
    expect(age('-d', '-i', identityFile, '-o', out, file)).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      keys: [{hex: TEST_BDK}],
      recipients: [ALICE.recipient, BOB.recipient],
    });
  });

  it('we open what age -r encrypts, and know whom to encrypt it for again', async () => {
    const {file, out} = paths();
    writeFileSync(out, JSON_BY_HAND);
    expect(age('-r', ALICE.recipient, '-o', file, out)).toBe(0);
    const {keyfile, encryption} = await openKeyfile(readFileSync(file), byIdentity(ALICE.identity));
    expect(keyfile.keys).toHaveLength(1);
    expect(encryption).toEqual(recipientEncryption(ALICE.recipient));
  });

  it.each([
    ['an identity', ALICE.identity],
    ['other text', 'ssh-ed25519 AAAA'],
  ])('nothing is encrypted for %s', async (found, recipient) => {
    const detail = `expected an X25519 recipient (age1 and 58 characters), found ${found}`;
    const encrypted = encryptKeyfile(sampleKeyfile(), recipientEncryption(recipient));
    await expect(encrypted).rejects.toMatchObject({code: 9001, detail});
  });

  it('a file that age encrypts for several without naming them inside is not saved blindly', async () => {
    const {file, out} = paths();
    writeFileSync(out, JSON_BY_HAND);
    age('-r', ALICE.recipient, '-r', BOB.recipient, '-o', file, out);
    const {keyfile, encryption} = await openKeyfile(readFileSync(file), byIdentity(BOB.identity));
    await expect(encryptKeyfile(keyfile, encryption)).rejects.toMatchObject({code: 9001});
  });
});

function paths(): {file: string; out: string; identityFile: string} {
  const folder = tempFolder();
  return {
    file: join(folder, 'keyfile.age'),
    out: join(folder, 'keyfile.json'),
    identityFile: join(folder, 'identity.txt'),
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}
