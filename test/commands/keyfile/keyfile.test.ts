import {chmodSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {runCommand} from '../../cli/run-command.js';
import {ALICE, BOB, PASSPHRASE, TEST_BDK} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {hasTerminal, runOnTerminal} from '../on-terminal.js';

let folder = '';
let path = '';
beforeEach(() => {
  folder = tempFolder();
  path = join(folder, 'keyfile.age');
  vi.stubEnv('PAYLENS_KEYFILE', path);
  vi.stubEnv('PAYLENS_PASSPHRASE', PASSPHRASE);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Three answers to a prompt, the last two after an error. */
function threeTimes(prompt: string, answer: string): [string | RegExp, string][] {
  const again = new RegExp(`Try again\\.[\\s\\S]*${prompt}`);
  return [prompt, again, again].map((each) => [each, answer]);
}

/** Passphrases that differ; what is behind an answer is a prompt anew. */
const DIFFERENT = [
  ['New passphrase', 'a\r'],
  ['Repeat passphrase', 'b\r'],
] as const;

describe('keyfile create', () => {
  it('makes a keyfile under PAYLENS_PASSPHRASE, with nothing on stdout', async () => {
    const {stdout, stderr, exitCode} = await runCommand('keyfile:create', ['--work-factor', '10']);
    expect([stdout, exitCode]).toEqual(['', 0]);
    expect(stderr).toContain(
      `Created ${path}, encrypted with a passphrase (scrypt work factor 10).`,
    );
    expect(readFileSync(path, 'latin1')).toMatch(/^age-encryption.org\/v1\n-> scrypt \S+ 10\n/);
  });

  it('drops one final line end of a passphrase file, and only one', async () => {
    const file = secretFile('passphrase', `${PASSPHRASE}\n\n`);
    await runCommand('keyfile:create', ['--work-factor', '10', '--passphrase-file', file]);
    expect((await runCommand('keyfile:show', [])).exitCode).toBe(3);
    vi.stubEnv('PAYLENS_PASSPHRASE', `${PASSPHRASE}\n`);
    expect((await runCommand('keyfile:show', [])).exitCode).toBe(0);
  });

  it('says as JSON who opens a keyfile for recipients', async () => {
    const argv = ['--json', '--recipient', ALICE.recipient, '--recipient', BOB.recipient];
    const {stdout} = await runCommand('keyfile:create', argv);
    const recipients = [ALICE.recipient, BOB.recipient];
    expect(JSON.parse(stdout)).toEqual({path, passphrase: false, recipients});
  });

  it('says of a link to nowhere what it is, as key list does', async () => {
    symlinkSync('nowhere', path);
    const recipient = ['--recipient', ALICE.recipient];
    for (const run of [
      await runCommand('keyfile:create', recipient),
      await runCommand('key:list', []),
    ])
      expect(run.stderr).toContain(
        `9010: Keyfile missing: ${path} is a symbolic link to a missing`,
      );
  });

  it('refuses to overwrite a file', async () => {
    writeFileSync(path, 'old');
    const {stderr, exitCode} = await runCommand('keyfile:create', ['--work-factor', '10']);
    expect(stderr).toContain(`Error 9001: Invalid usage: ${path} already exists`);
    expect([exitCode, readFileSync(path, 'utf8')]).toEqual([2, 'old']);
  });

  it.each([
    ['a malformed recipient', ['--recipient', 'age1xyz']],
    ['a recipient with a wrong checksum', ['--recipient', `${ALICE.recipient.slice(0, -1)}q`]],
    ['an identity as recipient', ['--recipient', ALICE.identity]],
    ['a work factor of 9', ['--work-factor', '9']],
    ['a work factor of 23', ['--work-factor', '23']],
    ['two keyfiles', ['--keyfile', 'a.age', '--keyfile', 'b.age']],
  ])('refuses %s with 9001', async (_, argv) => {
    const {stdout, stderr, exitCode} = await runCommand('keyfile:create', argv);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain('Error 9001');
    expect(stderr).not.toContain(ALICE.identity);
  });

  it.skipIf(!hasTerminal)('asks twice for a passphrase, hidden, on stderr', async () => {
    const {seen, stdout, exitCode} = await runOnTerminal(
      ['keyfile', 'create', '--work-factor', '10'],
      [
        ['New passphrase', 'typed 1\r'],
        ['Repeat passphrase', 'typed 1\r'],
      ],
      {PAYLENS_PASSPHRASE: ''},
    );
    expect([stdout, exitCode]).toEqual(['', 0]);
    expect(seen).not.toContain('typed');
    vi.stubEnv('PAYLENS_PASSPHRASE', 'typed 1');
    expect((await runCommand('keyfile:show', [])).exitCode).toBe(0);
  });

  it.skipIf(!hasTerminal).each([
    ['two passphrases that differ, three times', [...DIFFERENT, ...DIFFERENT, ...DIFFERENT], 2],
    ['an empty passphrase, three times', threeTimes('New passphrase', '\r'), 2],
    ['ctrl+c', [['New passphrase', 'a\u0003']], 130],
  ] as const)('makes nothing after %s', async (_, answers, expected) => {
    const env = {PAYLENS_PASSPHRASE: ''};
    const argv = ['keyfile', 'create', '--work-factor', '10'];
    const {exitCode} = await runOnTerminal(argv, answers, env);
    expect(exitCode).toBe(expected);
    expect(() => statSync(path)).toThrow();
  });
});

describe.skipIf(!hasTerminal)('a prompt for a passphrase', () => {
  it('does not reveal what is typed on ctrl+t', async () => {
    const {seen, exitCode} = await runOnTerminal(
      ['keyfile', 'create'],
      [['New passphrase', 'hidden\u0014\u0003']],
      {PAYLENS_PASSPHRASE: ''},
    );
    expect(seen).not.toContain('hidden');
    expect(exitCode).toBe(130);
  });
});

describe('keyfile show', () => {
  it('shows kinds, prefixes and KCVs, never a key', async () => {
    await withOneKey();
    const {stdout} = await runCommand('keyfile:show', []);
    expect(stdout).toContain(path);
    expect(stdout).toContain('encrypted with a passphrase (scrypt work factor 10)');
    // The TDES KCV of the published test BDK (ANSI X9.24-1 test key).
    expect(stdout).toMatch(/lab\tbdk\t.*\tFFFF987654\t08D7B4 \(TDES\)/);
    expect(stdout.toUpperCase()).not.toContain(TEST_BDK.slice(0, 8));
  });

  it('gives the same as JSON', async () => {
    await withOneKey();
    const [file] = JSON.parse((await runCommand('keyfile:show', ['--json'])).stdout);
    expect(file).toMatchObject({path, passphrase: true, workFactor: 10, partners: []});
    expect(file.keys).toMatchObject([
      {name: 'lab', kind: 'bdk', bytes: 16, ksnPrefix: 'FFFF987654', kcv: {tdes: '08D7B4'}},
    ]);
    expect(JSON.stringify(file).toUpperCase()).not.toContain(TEST_BDK.slice(0, 8));
  });

  it('warns on stderr when others may read the keyfile', async () => {
    await withOneKey();
    chmodSync(path, 0o644);
    const {stderr, exitCode} = await runCommand('keyfile:show', []);
    expect(stderr).toContain(`Warning: ${path} is accessible to other users (mode 644)`);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['a missing keyfile', 9010, () => undefined],
    ['an empty keyfile', 9012, () => writeFileSync(path, '', {mode: 0o600})],
    ['a truncated keyfile', 9012, () => writeFileSync(path, readFileSync(path).subarray(0, 150))],
    ['a wrong passphrase', 9011, () => vi.stubEnv('PAYLENS_PASSPHRASE', 'wrong')],
    ['no passphrase and no terminal', 9011, () => vi.stubEnv('PAYLENS_PASSPHRASE', '')],
  ])('says of %s which file and what to do: %i', async (name, code, prepare) => {
    if (name !== 'a missing keyfile') await withOneKey();
    prepare();
    const {stdout, stderr, exitCode} = await runCommand('keyfile:show', []);
    expect([stdout, exitCode]).toEqual(['', 3]);
    expect(stderr).toMatch(new RegExp(`^Error ${code}: .*${path}.*\n.+`));
  });

  it('prints the error object with --json', async () => {
    const {stdout, stderr} = await runCommand('keyfile:show', ['--json']);
    expect(JSON.parse(stdout)).toMatchObject({success: false, errCode: 9010});
    expect(stderr).toBe('');
  });
});

describe('keyfile rekey', () => {
  it('puts the keyfile under the passphrase of a file', async () => {
    await withOneKey();
    await runCommand('keyfile:rekey', ['--new-passphrase-file', secretFile('new', 'new one\r\n')]);
    expect((await runCommand('keyfile:show', [])).exitCode).toBe(3);
    vi.stubEnv('PAYLENS_PASSPHRASE', 'new one');
    expect((await runCommand('keyfile:show', [])).stdout).toContain('08D7B4');
  });

  it('keeps the passphrase when only the work factor changes', async () => {
    await withOneKey();
    const {stdout} = await runCommand('keyfile:rekey', ['--work-factor', '11', '--json']);
    expect(JSON.parse(stdout)).toEqual({path, passphrase: true, workFactor: 11, recipients: []});
    expect((await runCommand('keyfile:show', [])).stdout).toContain('08D7B4');
  });

  it('writes the keyfile to recipients, and back under a passphrase', async () => {
    await withOneKey();
    await runCommand('keyfile:rekey', ['--recipient', ALICE.recipient]);
    expect((await runCommand('keyfile:show', [])).stderr).toContain('Error 9011');
    const identity = ['--identity', secretFile('identity', `# a comment\n${ALICE.identity}\n`)];
    expect((await runCommand('keyfile:show', identity)).stdout).toContain(ALICE.recipient);
    const back = ['--new-passphrase-file', secretFile('back', PASSPHRASE), '--work-factor', '10'];
    await runCommand('keyfile:rekey', [...identity, ...back]);
    expect((await runCommand('keyfile:show', [])).stdout).toContain('08D7B4');
  });

  it('does not touch the file after a wrong passphrase', async () => {
    await withOneKey();
    const before = stateOf();
    vi.stubEnv('PAYLENS_PASSPHRASE', 'wrong');
    const {exitCode} = await runCommand('keyfile:rekey', ['--recipient', ALICE.recipient]);
    expect([exitCode, stateOf()]).toEqual([3, before]);
  });

  it('does not touch the file for a malformed recipient', async () => {
    await withOneKey();
    const before = stateOf();
    const {exitCode} = await runCommand('keyfile:rekey', ['--recipient', 'age1xyz']);
    expect([exitCode, stateOf()]).toEqual([2, before]);
  });

  it.skipIf(!hasTerminal)('asks for the old passphrase, then twice for the new one', async () => {
    await withOneKey();
    const {seen, exitCode} = await runOnTerminal(
      ['keyfile', 'rekey'],
      [
        [`Passphrase of ${path}`, `${PASSPHRASE}\r`],
        ['New passphrase', 'typed 2\r'],
        ['Repeat passphrase', 'typed 2\r'],
      ],
      {PAYLENS_PASSPHRASE: ''},
    );
    expect(exitCode).toBe(0);
    expect(seen).not.toMatch(/typed|correct horse/);
    vi.stubEnv('PAYLENS_PASSPHRASE', 'typed 2');
    expect((await runCommand('keyfile:show', [])).exitCode).toBe(0);
  });
});

async function withOneKey(): Promise<void> {
  await runCommand('keyfile:create', ['--work-factor', '10']);
  const file = secretFile('key', TEST_BDK);
  const argv = ['lab', '--ksn-prefix', 'ffff987654', '--key-file', file];
  await runCommand('key:add', argv);
}

function secretFile(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content, {mode: 0o600});
  return file;
}

function stateOf(): unknown {
  const {mtimeMs, ino} = statSync(path);
  return {content: readFileSync(path, 'latin1'), mtimeMs, ino};
}
