import {execFileSync} from 'node:child_process';
import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {COMMANDS} from '../../src/command-list.js';
import {emptyKeyfile} from '../../src/keyfile/keyfile.js';
import {createKeyfile} from '../../src/keyfile/save-keyfile.js';
import {VECTORS} from '../auth/auth-fixture.js';
import {runCommand} from '../cli/run-command.js';
import {
  ALICE,
  PASSPHRASE,
  passphraseEncryption,
  recipientEncryption,
  TEST_BDK,
} from '../keyfile/sample-keyfile.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {serve} from './serve/serving.js';

const KSN = 'FFFF9876543210E00001';
const OWN_KEY = '5A17C9E3408B6D2FF1A4087C3E95B260';
const TARGET = ['--target', '/api/v1/partner/validate', '--partner', 'A'];
const PRIVATE_KEY = VECTORS.rsaKeys['test-rsa-2048']?.privateKey ?? '';

type Command = keyof typeof COMMANDS;

/** A file with a secret in it, and a command that reads it. */
interface SecretFile {
  readonly content: string;
  readonly run: (file: string) => readonly [Command, ...string[]];
}

let folder = '';
const sealed = (name: string) => join(folder, name);

const FILES: Readonly<Record<string, SecretFile>> = {
  '--rsa-private-key': {
    content: PRIVATE_KEY,
    run: (file) => ['sign', '{}', ...TARGET, '--method', 'rsa', '--rsa-private-key', file],
  },
  '--shared-key-file': {
    content: 'a shared key',
    run: (file) => ['sign', '{}', ...TARGET, '--shared-key-file', file],
  },
  '--partner-key-file': {
    content: 'a partner key',
    run: (file) => ['sign', '{}', ...TARGET, '--method', 'basic', '--partner-key-file', file],
  },
  '--passphrase-file': {
    content: PASSPHRASE,
    run: (file) => ['key:list', '--keyfile', sealed('passphrase.age'), '--passphrase-file', file],
  },
  '--identity': {
    content: ALICE.identity,
    run: (file) => ['key:list', '--keyfile', sealed('recipient.age'), '--identity', file],
  },
  '--key-file': {content: OWN_KEY, run: (file) => ['derive', KSN, '--key-file', file]},
  'a body with a partnerKey': {
    content: '{"partnerId":"A","partnerKey":"k"}',
    run: (file) => ['sign', file, ...TARGET, '--shared-key-file', sealed('other')],
  },
  'a request to decrypt with a partnerKey': {
    content: '{"deviceType":"idtech","devicePayload":"00","partnerKey" : "k"}',
    run: (file) => ['inspect', file],
  },
  'a case to diagnose with keys': {
    content: JSON.stringify({payload: '00', keys: [{kind: 'bdk', hex: OWN_KEY}]}),
    run: (file) => ['diagnose', file, '--time-limit', '1s'],
  },
  'a configuration with a shared key': {
    content: '{"partner":{"partnerId":"A","sharedKey":"k"}}',
    run: (file) => ['verify', 'http://127.0.0.1:1', '--config', file, '--only', 'hmac-valid'],
  },
};

beforeEach(async () => {
  folder = tempFolder();
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  const keyfile = emptyKeyfile('2026-01-02T03:04:05Z');
  await createKeyfile(sealed('passphrase.age'), keyfile, passphraseEncryption());
  await createKeyfile(sealed('recipient.age'), keyfile, recipientEncryption(ALICE.recipient));
  written('other', TEST_BDK);
});
afterEach(() => vi.unstubAllEnvs());

describe.skipIf(process.platform === 'win32')('a secret file', () => {
  const warned = async ({content, run}: SecretFile, mode: number) => {
    const file = written('secret', content, mode);
    const [command, ...argv] = run(file);
    const {stderr} = await runCommand(command, argv).catch(() => ({stderr: '(threw)'}));
    return stderr.includes(
      `${file} is accessible to other users (mode ${mode.toString(8)}): run chmod 600 on it`,
    );
  };

  it.each(Object.entries(FILES))('%s warns when others can read it', async (_, file) => {
    expect([await warned(file, 0o644), await warned(file, 0o640)]).toEqual([true, true]);
  });

  it.each(Object.entries(FILES))('%s does not when they cannot', async (_, file) => {
    expect(await warned(file, 0o600)).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('a file without a secret warns of nothing', () => {
  it.each(['{"reference":"a key"}', '{"devicePayload":"00","keySerialNumber":"x"}'])(
    'the body %s',
    async (content) => {
      const file = written('body.json', content, 0o644);
      const argv = [file, ...TARGET, '--shared-key-file', sealed('other')];
      expect((await runCommand('sign', argv)).stderr).toBe('');
    },
  );
});

describe.skipIf(process.platform === 'win32')('a TLS key', () => {
  it('warns in the log, at the start and after SIGHUP, when others can read it', async () => {
    const [cert, key] = [sealed('cert.pem'), sealed('key.pem')];
    const files = ['-keyout', key, '-out', cert, '-subj', '/CN=localhost'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files], {
      stdio: 'ignore',
    });
    const start = (...argv: string[]) => serve(['--demo', ...argv]);
    const tls = ['--tls-cert-file', cert, '--tls-key-file', key];
    chmodSync(key, 0o600);
    const service = await start(...tls);
    expect(service.stderr()).not.toContain('chmod');
    chmodSync(key, 0o644);
    service.kill('SIGHUP');
    await service.logged('"reloaded"');
    const warning = `${key} is accessible to other users (mode 644): run chmod 600 on it`;
    expect(service.log()).toContainEqual(expect.objectContaining({msg: warning}));
    const second = await start(...tls);
    expect(second.log().filter(({msg}) => msg === warning)).toHaveLength(1);
  });
});

it.skipIf(process.platform === 'win32')('a sample warns of nothing', async () => {
  const key = ['--method', 'rsa', '--rsa-private-key', 'samples/demo-rsa-key.pem'];
  const config = ['--config', 'samples/verify-demo.json', '--only', 'hmac-valid'];
  chmodSync('samples/demo-rsa-key.pem', 0o644);
  expect((await runCommand('sign', ['{}', ...TARGET, ...key])).stderr).toBe('');
  const {stderr} = await runCommand('verify', ['http://127.0.0.1:1', ...config]);
  expect(stderr).not.toContain('chmod');
});

function written(name: string, content: string, mode = 0o600): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}
