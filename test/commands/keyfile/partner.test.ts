import {execFileSync} from 'node:child_process';
import {createHash, generateKeyPairSync} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {COMMANDS} from '../../../src/command-list.js';
import type {Secret} from '../../../src/contract/secret.js';
import {openKeyfile} from '../../../src/keyfile/open-keyfile.js';
import type {PartnerEntry} from '../../../src/keyfile/partner-entry.js';
import {partnerDirectory} from '../../../src/service/registry/registry.js';
import {runCommand} from '../../cli/run-command.js';
import {ALICE, byIdentity} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

/** Of the vendor's guides: public. */
const PARTNER_KEY = 'ef1ad938150fb15a1384b883a104ce70';
const SHARED_HEX = '5d1f0c2b7a9e4f6388c1d2e3f4a5b6c7';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = tempFolder();
  path = join(folder, 'keyfile.age');
  vi.stubEnv('PAYLENS_KEYFILE', path);
  vi.stubEnv('PAYLENS_IDENTITY_FILE', file('identity', ALICE.identity));
  await runCommand('keyfile:create', ['--recipient', ALICE.recipient]);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('partner add', () => {
  it('generates the keys that the usual methods need and shows them on stdout', async () => {
    const {stdout, exitCode} = await run('partner:add', 'WATERFORD', '--json');
    const shown = JSON.parse(stdout);
    expect(exitCode).toBe(0);
    expect(shown.methods).toEqual(['transparent', 'basic', 'digest', 'hmac']);
    expect(shown.partnerKey).toMatch(/^[0-9a-f]{32}$/);
    expect(shown.sharedKey).toMatch(/^[0-9a-f]{64}$/);
    expect(await secrets('WATERFORD')).toEqual([shown.partnerKey, shown.sharedKey]);
  });

  it('shows the generated keys to people, too, and says that it is the only time', async () => {
    const {stdout, stderr} = await run('partner:add', 'WATERFORD');
    const [partnerKey, sharedKey] = await secrets('WATERFORD');
    expect(stdout.split('\n').slice(-3)).toEqual([
      `partnerKey: ${partnerKey}`,
      `shared key: ${sharedKey}`,
      '',
    ]);
    expect(stderr).toContain('Save these keys now');
  });

  it('never generates the same key twice', async () => {
    await run('partner:add', 'A');
    await run('partner:add', 'B');
    const all = [...(await secrets('A')), ...(await secrets('B'))];
    expect(new Set(all).size).toBe(4);
  });

  it('warns of a shared key that another partner has, without showing it', async () => {
    const shared = ['--shared-key-file', file('shared.txt', SHARED_HEX)];
    expect((await run('partner:add', 'A', ...shared)).stderr).not.toContain('same shared key');
    const {stderr} = await run('partner:add', 'B', ...shared);
    expect(stderr).toContain('partners A, B have the same shared key');
    expect(stderr).not.toContain(SHARED_HEX);
    expect((await run('partner:add', 'C')).stderr).not.toContain('partners');
  });

  it('takes keys from files, less one line end, and does not show them', async () => {
    const {stdout, stderr} = await run(
      'partner:add',
      'WATERFORD',
      '--partner-key-file',
      file('p', `${PARTNER_KEY}\r\n`),
      '--shared-key-file',
      file('s', SHARED_HEX),
      '--key-encoding',
      'hex',
    );
    expect(stdout + stderr).not.toMatch(new RegExp(`${PARTNER_KEY}|${SHARED_HEX}`));
    expect(await secrets('WATERFORD')).toEqual([PARTNER_KEY, SHARED_HEX]);
    expect(await partner('WATERFORD')).toMatchObject({encoding: 'hex'});
  });

  it('generates 32 bytes in the encoding of the shared key', async () => {
    const {stdout} = await run('partner:add', 'A', '--key-encoding', 'base64', '--json');
    expect(Buffer.from(JSON.parse(stdout).sharedKey, 'base64')).toHaveLength(32);
  });

  it('makes no key that the methods do not need', async () => {
    await run('partner:add', 'A', '--method', 'hmac');
    await run('partner:add', 'B', '--method', 'basic', '--method', 'digest');
    expect(await secrets('A')).toEqual([undefined, expect.any(String)]);
    expect(await secrets('B')).toEqual([expect.any(String), undefined]);
  });

  it('enables rsa when it gets an RSA key, and shows its SHA-256 as openssl has it', async () => {
    const pem = rsaKey();
    const {stdout} = await run(
      'partner:add',
      'A',
      '--rsa-public-key',
      file('a.pem', pem),
      '--json',
    );
    const der = execFileSync('openssl', ['pkey', '-pubin', '-outform', 'DER'], {input: pem});
    expect(JSON.parse(stdout)).toMatchObject({
      methods: ['transparent', 'basic', 'digest', 'hmac', 'rsa'],
      rsaPublicKey: {bits: 2048, sha256: createHash('sha256').update(der).digest('hex')},
    });
  });

  it('leaves digest-preemptive off unless it is named', async () => {
    await run('partner:add', 'A', '--method', 'digest-preemptive');
    expect(await partner('A')).toMatchObject({methods: ['digest-preemptive']});
  });

  it.each<[string, string[]]>([
    ['an id with a colon, which Basic cannot carry', ['A:B']],
    ['an id beyond ASCII', ['Café']],
    ['an id of 129 characters', ['A'.repeat(129)]],
    ['rsa without an RSA key', ['A', '--method', 'rsa']],
  ])('refuses %s as wrong usage and saves nothing', async (_, argv) => {
    const before = readFileSync(path);
    const {stderr, exitCode} = await run('partner:add', ...argv);
    expect(stderr).toContain('Error 9001');
    expect([exitCode, readFileSync(path)]).toEqual([2, before]);
  });

  it('names the flag that rsa needs', async () => {
    const {stderr} = await run('partner:add', 'A', '--method', 'rsa');
    expect(stderr).toContain('--method rsa requires --rsa-public-key');
  });

  it.each<[string, string, () => readonly string[]]>([
    ['a shared key that is no hex', 'A', () => shared('xyz', 'hex')],
    ['a shared key that is no base64', 'A', () => shared('ab=c', 'base64')],
    ['an empty shared key', 'A', () => shared('', 'utf8')],
    ['a key of two lines', 'A', () => shared('a\nb', 'utf8')],
    ['a key that is not UTF-8', 'A', () => shared(Buffer.of(0xff), 'utf8')],
    ['a private key', 'A', () => ['--rsa-public-key', 'samples/demo-rsa-key.pem']],
    ['an RSA key of 1024 bits', 'A', () => ['--rsa-public-key', file('k', rsaKey(1024))]],
  ])('refuses %s with 9015 and saves nothing', async (_, id, flags) => {
    const before = readFileSync(path);
    const {stderr, exitCode} = await run('partner:add', id, ...flags());
    expect(stderr).toContain('Error 9015');
    expect([exitCode, readFileSync(path)]).toEqual([3, before]);
  });

  it('refuses an id that is taken, and keeps the old keys', async () => {
    await run('partner:add', 'A');
    const before = await secrets('A');
    const {stderr, exitCode} = await run('partner:add', 'A');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('partner A is already in the keyfile');
    expect(await secrets('A')).toEqual(before);
  });

  it.each(['--partner-key', '--shared-key'])('takes no key from the argument %s', async (flag) => {
    const {stdout, stderr, exitCode} = await run('partner:add', 'A', flag, PARTNER_KEY);
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toContain(PARTNER_KEY);
  });
});

describe('what partner add saves', () => {
  it.each([
    [[]],
    [['--key-encoding', 'hex']],
    [['--key-encoding', 'base64']],
    [['--method', 'transparent', '--method', 'digest-preemptive']],
  ])('authentication takes with %j', async (flags) => {
    await run('partner:add', 'A', ...flags);
    const saved = await partner('A');
    expect([...(partnerDirectory([saved]).get('A')?.methods ?? [])]).toEqual(saved.methods);
  });
});

describe('partner list', () => {
  beforeEach(async () => {
    await run('partner:add', 'A', '--rsa-public-key', file('a.pem', rsaKey()));
    await run('partner:add', 'B', '--method', 'basic');
  });

  it('list says which keys there are', async () => {
    const {stdout} = await run('partner:list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      {partnerId: 'A', hasPartnerKey: true, hasSharedKey: true, encoding: 'utf8'},
      {partnerId: 'B', hasPartnerKey: true, hasSharedKey: false, methods: ['basic']},
    ]);
  });

  it.each([
    ['partner:list', []],
    ['partner:list', ['--json']],
  ] as const)('%s %j shows no key', async (id, argv) => {
    const {stdout, stderr} = await run(id, ...argv);
    const keys = [...(await secrets('A')), ...(await secrets('B'))].filter((key) => key);
    expect(keys.filter((key = '') => (stdout + stderr).includes(key))).toEqual([]);
  });

  it('list prints nothing on stdout when there is no partner', async () => {
    const other = join(folder, 'other.age');
    await runCommand('keyfile:create', ['--keyfile', other, '--recipient', ALICE.recipient]);
    const {stdout, stderr} = await run('partner:list', '--keyfile', other);
    expect(stdout).toBe('');
    expect(stderr).toContain('paylens partner add');
  });
});

describe('partner rotate', () => {
  let before: readonly (string | undefined)[] = [];
  beforeEach(async () => {
    await run('partner:add', 'A', '--key-encoding', 'hex');
    before = await secrets('A');
  });

  it('replaces both keys and shows the new ones', async () => {
    const {stdout} = await run('partner:rotate', 'A', '--json');
    const after = await secrets('A');
    const {partnerKey, sharedKey} = JSON.parse(stdout);
    expect([partnerKey, sharedKey]).toEqual(after);
    expect(after.filter((key) => before.includes(key))).toEqual([]);
  });

  it('replaces only the key that a file gives, in a new encoding', async () => {
    await run('partner:rotate', 'A', ...shared('a shared text', 'utf8'));
    expect(await secrets('A')).toEqual([before[0], 'a shared text']);
    expect(await partner('A')).toMatchObject({encoding: 'utf8'});
  });

  it('keeps the encoding unless another is given', async () => {
    await run('partner:rotate', 'A');
    expect(await partner('A')).toMatchObject({encoding: 'hex'});
  });

  it('replaces the RSA key alone', async () => {
    await run('partner:rotate', 'A', '--rsa-public-key', file('n.pem', rsaKey()));
    expect(await secrets('A')).toEqual(before);
    expect((await partner('A')).rsaPublicKey).toContain('BEGIN PUBLIC KEY');
  });

  it.each<[string, () => readonly string[]]>([
    ['an id that no partner has', () => ['B']],
    ['a key not in its encoding', () => ['A', ...shared('xyz', 'hex')]],
    [
      'an encoding without a new shared key',
      () => ['A', '--partner-key-file', file('p', PARTNER_KEY), '--key-encoding', 'hex'],
    ],
  ])('saves nothing for %s', async (_, argv) => {
    const bytes = readFileSync(path);
    const {exitCode} = await run('partner:rotate', ...argv());
    expect([exitCode === 0, readFileSync(path)]).toEqual([false, bytes]);
  });
});

describe('partner remove', () => {
  beforeEach(() => run('partner:add', 'A'));

  it('removes the partner', async () => {
    const {stdout} = await run('partner:remove', 'A', '--yes', '--json');
    expect(JSON.parse(stdout)).toEqual({path, partnerId: 'A'});
    expect(await partners()).toEqual([]);
  });

  it.each([
    ['an id that no partner has', ['B', '--yes']],
    ['no terminal to confirm on', ['A']],
  ])('removes nothing for %s', async (_, argv) => {
    expect((await run('partner:remove', ...argv)).exitCode).toBe(2);
    expect(await partners()).toHaveLength(1);
  });
});

function run(id: keyof typeof COMMANDS, ...argv: string[]) {
  return runCommand(id, argv);
}

function file(name: string, content: string | Uint8Array): string {
  const written = join(folder, name);
  writeFileSync(written, content, {mode: 0o600});
  return written;
}

function shared(content: string | Uint8Array, encoding: string): string[] {
  return ['--shared-key-file', file('shared', content), '--key-encoding', encoding];
}

function rsaKey(modulusLength = 2048): string {
  const {publicKey} = generateKeyPairSync('rsa', {modulusLength});
  return publicKey.export({type: 'spki', format: 'pem'}).toString();
}

async function partners(): Promise<readonly PartnerEntry[]> {
  return (await openKeyfile(readFileSync(path), byIdentity(ALICE.identity))).keyfile.partners;
}

async function partner(partnerId: string): Promise<PartnerEntry> {
  const found = (await partners()).find((each) => each.partnerId === partnerId);
  if (found) return found;
  throw new Error(`no partner ${partnerId}`);
}

/** The texts of partnerKey and shared key in the keyfile. */
async function secrets(partnerId: string): Promise<(string | undefined)[]> {
  const {partnerKey, sharedKey} = await partner(partnerId);
  return [partnerKey, sharedKey].map(textOf);
}

function textOf(secret: Secret | undefined): string | undefined {
  return secret && Buffer.from(secret.reveal()).toString();
}
