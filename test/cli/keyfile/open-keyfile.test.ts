import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {KeyfileFlags} from '../../../src/cli/keyfile/key-flags.js';
import {loadKeyfiles, loadRingKeys} from '../../../src/cli/keyfile/open-keyfile.js';
import {passphraseOf} from '../../../src/cli/keyfile/passphrase.js';
import {KeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import type {KeyfileEncryption} from '../../../src/keyfile/encrypt-keyfile.js';
import {createKeyfile} from '../../../src/keyfile/save-keyfile.js';
import {
  ALICE,
  BOB,
  passphraseEncryption,
  recipientEncryption,
  sampleKeyfile,
  TEST_BDK,
} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {BIN, runBin} from '../run-bin.js';

let folder = '';
beforeEach(() => {
  folder = tempFolder();
  for (const name of ['PAYLENS_KEYFILE', 'PAYLENS_PASSPHRASE', 'PAYLENS_IDENTITY_FILE']) {
    vi.stubEnv(name, '');
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('loadRingKeys', () => {
  it('makes a ring of the keys of several keyfiles, each opened in its own way', async () => {
    const keyfile = [
      await made('a.age', passphraseEncryption('one')),
      await made('b.age', forAlice),
    ];
    const keys = await loadRingKeys({
      keyfile,
      identity: secretFile('identity', ALICE.identity),
      'passphrase-file': secretFile('passphrase', 'one\n'),
    });
    expect(new KeyRing(keys).find(parseKsn('FFFF9876543210E00001'))?.name).toBe('test');
  });

  it('takes the default keyfile when none is named', async () => {
    vi.stubEnv('XDG_CONFIG_HOME', folder);
    await made('paylens/keyfile.age', forAlice);
    const keys = await loadRingKeys({identity: secretFile('identity', ALICE.identity)});
    expect(new KeyRing(keys).find(parseKsn('FFFF9876543210E00001'))).toBeDefined();
  });
});

describe('what opens a keyfile', () => {
  it.each<[string, KeyfileFlags, Record<string, string>]>([
    [
      '--identity before PAYLENS_IDENTITY_FILE',
      {identity: 'alice'},
      {PAYLENS_IDENTITY_FILE: 'bob'},
    ],
    ['PAYLENS_IDENTITY_FILE', {}, {PAYLENS_IDENTITY_FILE: 'alice'}],
  ])('%s', async (_, flags, env) => {
    const path = await made('a.age', forAlice);
    const files: Record<string, string> = {
      alice: secretFile('alice', ALICE.identity),
      bob: secretFile('bob', BOB.identity),
    };
    for (const [name, file] of Object.entries(env)) vi.stubEnv(name, files[file] ?? '');
    const identity = flags.identity && files[flags.identity];
    await expect(loadKeyfiles({keyfile: [path], identity})).resolves.toHaveLength(1);
  });

  it('never shows a --passphrase-file that is no file: it may be the passphrase', async () => {
    const error = await passphraseOf('correct horse battery staple', '--passphrase-file').catch(
      (thrown) => thrown,
    );
    expect(error).toMatchObject({code: 9002});
    expect(`${error.message} ${error.hint} ${error.stack}`).not.toContain('battery');
  });

  it('--passphrase-file before PAYLENS_PASSPHRASE', async () => {
    const path = await made('a.age', passphraseEncryption('one'));
    vi.stubEnv('PAYLENS_PASSPHRASE', 'two');
    const flags = {keyfile: [path], 'passphrase-file': secretFile('passphrase', 'one')};
    await expect(loadKeyfiles(flags)).resolves.toHaveLength(1);
    await expect(loadKeyfiles({keyfile: [path]})).rejects.toMatchObject({code: 9011});
  });

  it('PAYLENS_PASSPHRASE for a keyfile that the identity does not fit', async () => {
    const path = await made('a.age', passphraseEncryption('one'));
    vi.stubEnv('PAYLENS_PASSPHRASE', 'one');
    const flags = {keyfile: [path], identity: secretFile('identity', ALICE.identity)};
    await expect(loadKeyfiles(flags)).resolves.toHaveLength(1);
  });

  it('a passphrase with characters beyond ASCII, as UTF-8', async () => {
    const path = await made('a.age', passphraseEncryption('pässwörd ✓'));
    vi.stubEnv('PAYLENS_PASSPHRASE', 'pässwörd ✓');
    await expect(loadKeyfiles({keyfile: [path]})).resolves.toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')('a passphrase from a pipe', async () => {
    const path = await made('a.age', passphraseEncryption('one'));
    const node = `'${process.execPath}' '${BIN}'`;
    const script = `${node} key list --json --keyfile '${path}' --passphrase-file <(echo one)`;
    const {status, stdout} = spawnSync('bash', ['-c', script], {encoding: 'utf8'});
    expect([status, JSON.parse(stdout)]).toMatchObject([0, [{name: 'test'}]]);
  });

  it.each<[string, string, number]>([
    ['a missing identity file', 'missing', 9002],
    ['an identity file with something else in it', 'garbage', 9011],
    ['an identity file with a wrong checksum', 'checksum', 9011],
    ['an identity file without identities', 'empty', 9011],
  ])('is refused: %s', async (_, name, code) => {
    const path = await made('a.age', forAlice);
    secretFile('garbage', `${ALICE.recipient}\n`);
    secretFile('checksum', `${ALICE.identity.slice(0, -1)}Q`);
    secretFile('empty', '# nothing\n');
    const loading = loadKeyfiles({keyfile: [path], identity: join(folder, name)});
    await expect(loading).rejects.toMatchObject({code});
    await expect(loading).rejects.not.toThrow(ALICE.identity.slice(16, 30));
  });
});

describe('decrypt with a keyfile', () => {
  const sample = fileURLToPath(new URL('../../../samples/idtech-swipe.json', import.meta.url));
  const request = readFileSync(sample);

  it('gives the card that the test keys give', async () => {
    const path = join(folder, 'a.age');
    const keys = JSON.stringify([{kind: 'bdk', hex: TEST_BDK, ksnPrefix: '6299490119'}]);
    const env = {
      PAYLENS_KEYFILE: path,
      PAYLENS_IDENTITY_FILE: secretFile('identity', ALICE.identity),
    };
    await runBin(['keyfile', 'create', '--recipient', ALICE.recipient], {env});
    await runBin(['key', 'import', '-'], {input: keys, env});
    const {stdout, exitCode} = await runBin(['decrypt', '-', '--json'], {input: request, env});
    const {stdout: expected} = await runBin(['decrypt', sample, '--json', '--test-keys']);
    expect(exitCode).toBe(0);
    expect(withoutId(stdout)).toEqual(withoutId(expected));
  });

  it('prints the error object when the keyfile is missing', async () => {
    const argv = ['decrypt', '-', '--json', '--keyfile', join(folder, 'no.age')];
    const {stdout, exitCode} = await runBin(argv, {input: request});
    expect([exitCode, JSON.parse(stdout).errCode]).toEqual([3, 9010]);
  });
});

const forAlice = recipientEncryption(ALICE.recipient);

async function made(name: string, encryption: KeyfileEncryption): Promise<string> {
  const path = join(folder, name);
  await createKeyfile(path, sampleKeyfile(), encryption);
  return path;
}

function secretFile(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content, {mode: 0o600});
  return file;
}

function withoutId(json: string): unknown {
  return {...JSON.parse(json), messageId: undefined};
}
