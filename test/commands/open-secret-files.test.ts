import {execFileSync} from 'node:child_process';
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
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
  '--component-file': {
    content: OWN_KEY,
    run: (file) => ['derive', KSN, '--component-file', file, '--component-file', sealed('other')],
  },
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
    run: (file) => ['verify', 'http://127.0.0.1:1', '--config', file, '--only', 'auth-hmac'],
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

const DEMO = {
  partnerKey: 'd3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0',
  sharedKey: '5ha3ed5ha3ed5ha3ed5ha3ed5ha3ed00',
};
const AES_BDK = 'fedcba98 76543210 f1f1f1f1 f1f1f1f1';
const pem = readFileSync('samples/demo-rsa-key.pem', 'utf8');
const demoConfig = readFileSync('samples/verify-demo.json', 'utf8');

describe.skipIf(process.platform === 'win32')('what others can read, wherever it lies', () => {
  const warns = async (content: string) => {
    const [command, ...argv] = reader(content, written('open', content, 0o644));
    const {stderr} = await runCommand(command, argv).catch(() => ({stderr: '(threw)'}));
    expect(stderr).not.toMatch(/threw|Error 9001/);
    return stderr.includes('chmod 600');
  };

  it.each([
    ['the published TDES key', `${TEST_BDK}\n`],
    ['the published AES key', AES_BDK],
    ['the private key of the demo partner', pem.replaceAll('\n', '\r\n')],
    ['the configuration for the demo', demoConfig],
    ['a request of the demo partner', JSON.stringify(DEMO)],
    ['a case with published keys', JSON.stringify({payload: '00', keys: [{hex: TEST_BDK}]})],
  ])('does not warn: %s', async (_, content) => {
    expect(await warns(content)).toBe(false);
  });

  it.each([
    ['a key that is none of them', OWN_KEY],
    ['a published key and another one', `${TEST_BDK}\n${OWN_KEY}`],
    ['a private key with one character changed', pem.replace('MII', 'MIJ')],
    ['the configuration with one key changed', demoConfig.replace(DEMO.sharedKey, 'mine')],
    ['a request with one key of the demo', JSON.stringify({...DEMO, sharedKey: 'mine'})],
    [
      'a case with one more key',
      JSON.stringify({payload: '00', keys: [{hex: TEST_BDK}, {hex: OWN_KEY}]}),
    ],
    ['a case with a key in another form', JSON.stringify({payload: '00', keys: [OWN_KEY]})],
    ['a case without keys', JSON.stringify({payload: '00', keys: []})],
  ])('warns: %s', async (_, content) => {
    expect(await warns(content)).toBe(true);
  });
});

/** A command that reads such a content. */
function reader(content: string, file: string): readonly [Command, ...string[]] {
  if (content.startsWith('-----')) {
    return ['sign', '{}', ...TARGET, '--method', 'rsa', '--rsa-private-key', file];
  }
  if (!content.startsWith('{')) return ['derive', KSN, '--key-file', file];
  if (content.includes('payload"')) return ['diagnose', file, '--time-limit', '1s'];
  if (content.includes('payloads')) return ['verify', 'http://127.0.0.1:1', '--config', file];
  return ['sign', file, ...TARGET, '--shared-key-file', sealed('other')];
}

function written(name: string, content: string, mode = 0o600): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}
