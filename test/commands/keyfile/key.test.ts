import {createCipheriv, randomBytes} from 'node:crypto';
import {chmodSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {runBin} from '../../cli/run-bin.js';
import {runCommand} from '../../cli/run-command.js';
import {ALICE, TEST_BDK, TEST_IK} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {hasTerminal, runOnTerminal} from '../on-terminal.js';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = tempFolder();
  path = join(folder, 'keyfile.age');
  vi.stubEnv('PAYLENS_KEYFILE', path);
  vi.stubEnv('PAYLENS_IDENTITY_FILE', secretFile('identity', ALICE.identity));
  await runCommand('keyfile:create', ['--recipient', ALICE.recipient]);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('key add', () => {
  it('adds a key from a file and shows both KCVs of one that follows the KSN', async () => {
    const hex = randomBytes(16).toString('hex');
    const {stdout, exitCode} = await add(hex, 'lab', '--ksn-prefix', 'FFFF987654');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${tdesKcv(hex)} (TDES)`);
    expect(stdout).toMatch(/lab\tbdk\t.*\tFFFF987654\t.* \(TDES\), [0-9A-F]{10} \(AES\)/);
    expect(await keys()).toEqual([
      {name: 'lab', kind: 'bdk', hex: hex.toUpperCase(), ksnPrefix: 'FFFF987654'},
    ]);
  });

  it('shows the AES KCV alone with --algorithm aes', async () => {
    const hex = randomBytes(32).toString('hex');
    const {stdout} = await add(hex, '--algorithm', 'aes', '--json');
    expect(JSON.parse(stdout).kcv).toEqual({aes: aesKcv(hex)});
  });

  it('takes hex with blanks and line ends', async () => {
    await add('0123 4567 89ab cdef\nFEDC BA98 7654 3210\n');
    expect(await keys()).toMatchObject([{hex: TEST_BDK}]);
  });

  it('stores the initial KSN of an ik with its counter bits cleared', async () => {
    await add(TEST_IK, '--kind', 'ik', '--ksn-prefix', 'ffff9876543210e0000a');
    expect(await keys()).toMatchObject([{kind: 'ik', ksnPrefix: 'FFFF9876543210E00000'}]);
  });

  it('adds a working key, of single DES too', async () => {
    const hex = randomBytes(8).toString('hex');
    const flags = ['--kind', 'working', '--ksn-prefix', 'FFFF9876543210E00001'];
    const {stdout} = await add(hex, 'session', ...flags);
    expect(stdout).toMatch(/session\tworking\tDES, 8 bytes\tFFFF9876543210E00001\t/);
    expect(stdout).toContain(`${tdesKcv(hex + hex)} (TDES)`);
    const again = await add(hex, ...flags);
    expect(again.stderr).toContain('working key for KSN --ksn-prefix.. is already taken');
  });

  it('XORs the components of files and shows the KCV of each', async () => {
    const parts = [randomBytes(16), randomBytes(16), randomBytes(16)];
    const files = parts.flatMap((part, i) => ['--component-file', hexFile(`c${i}`, part)]);
    const {stdout, stderr} = await runCommand('key:add', ['--algorithm', 'tdes', ...files]);
    const key = parts.reduce<Uint8Array>(
      (left, right) => left.map((byte, i) => byte ^ (right[i] ?? 0)),
      Buffer.alloc(16),
    );
    expect(await keys()).toMatchObject([{hex: hexOf(key)}]);
    expect(stdout).toContain(`${tdesKcv(hexOf(key))} (TDES)`);
    parts.forEach((part, i) => {
      expect(stderr).toContain(`Component ${i + 1}: KCV ${tdesKcv(hexOf(part))} (TDES)`);
      expect((stdout + stderr).toUpperCase()).not.toContain(hexOf(part).slice(0, 12));
    });
  });

  it.each<[string, string, readonly string[]]>([
    ['15 bytes', TEST_BDK.slice(2), []],
    ['an odd number of digits', TEST_BDK.slice(1), []],
    ['other characters', `${TEST_BDK.slice(2)}xy`, []],
    ['an empty file', '', []],
    ['24 bytes for a TDES bdk', `${TEST_BDK}0011223344556677`, ['--algorithm', 'tdes']],
    ['an ik without a KSN prefix', TEST_IK, ['--kind', 'ik']],
    ['a kbpk with a KSN prefix', TEST_BDK, ['--kind', 'kbpk', '--ksn-prefix', 'FFFF']],
    ['a prefix of 17 digits', TEST_BDK, ['--ksn-prefix', '0123456789ABCDEF0']],
    ['a name with a control character', TEST_BDK, ['a\u001b[2J']],
    ['one component', TEST_BDK, ['one component']],
  ])('refuses %s with 9015 and does not touch the file', async (_, hex, argv) => {
    const before = stateOf();
    const run =
      argv[0] === 'one component'
        ? await runCommand('key:add', ['--component-file', secretFile('c', hex)])
        : await add(hex, ...argv);
    expect(run.stderr).toContain('Error 9015: Invalid key:');
    expect([run.stdout, run.exitCode]).toEqual(['', 3]);
    expect(run.stderr).not.toContain(TEST_BDK.slice(4, 12));
    expect(stateOf()).toEqual(before);
  });

  it.each([
    ['name', ['lab', '--ksn-prefix', 'AA']],
    ['kind and prefix', ['other', '--ksn-prefix', 'ffff']],
    ['kind and prefix, for one algorithm', ['--ksn-prefix', 'FFFF', '--algorithm', 'aes']],
  ])('refuses a second key of the same %s', async (_, argv) => {
    await add(TEST_BDK, 'lab', '--ksn-prefix', 'FFFF');
    const before = stateOf();
    const {stderr, exitCode} = await add(TEST_IK, ...argv);
    expect(stderr).toMatch(/Error 9015: .*the key: .* already taken by a key of the keyfile/);
    expect([exitCode, stateOf()]).toEqual([3, before]);
  });

  it('takes no key as an argument, and does not repeat it', async () => {
    const {stdout, stderr, exitCode} = await runCommand('key:add', [TEST_BDK]);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).not.toContain(TEST_BDK.slice(0, 8));
  });

  it.each([TEST_BDK, TEST_BDK.toLowerCase(), TEST_BDK.replace(/..../g, '$& '), `bdk-${TEST_BDK}`])(
    'refuses a name that may be a key, and does not repeat it: %s',
    async (name) => {
      const before = stateOf();
      const file = secretFile('keys.json', JSON.stringify([{kind: 'bdk', hex: TEST_IK, name}]));
      for (const run of [await add(TEST_IK, name), await runCommand('key:import', [file])]) {
        expect([run.stdout, run.exitCode, stateOf()]).toEqual(['', 3, before]);
        expect(run.stderr).toMatch(/key(?: 1)?: its name may be a key[\s\S]*--key-file/);
        expect(run.stderr.toUpperCase()).not.toContain(TEST_BDK.slice(0, 4));
      }
    },
  );

  it.each(['FFFF9876543210E00000', 'FFFF98765432', 'a'.repeat(31), 'bdk of 2026-11'])(
    'takes the name %s',
    async (name) => expect((await add(TEST_BDK, name)).exitCode).toBe(0),
  );

  it('says how to give the key when there is no terminal', async () => {
    const {stderr, exitCode} = await runBin(['key', 'add']);
    expect(stderr).toContain('--key-file');
    expect(exitCode).toBe(2);
  });

  it.skipIf(!hasTerminal)('asks for the key, hidden, on stderr', async () => {
    const {seen, stdout} = await runOnTerminal(['key', 'add'], [['Key in hex', `${TEST_BDK}\r`]]);
    expect(stdout).toContain('08D7B4 (TDES)');
    expect(seen).not.toContain(TEST_BDK.slice(0, 6));
    expect(await keys()).toMatchObject([{hex: TEST_BDK}]);
  });

  it.skipIf(!hasTerminal)(
    'asks for components one after the other and shows each KCV',
    async () => {
      const parts = [randomBytes(16), randomBytes(16)].map(hexOf);
      const [first = '', second = ''] = parts;
      const {seen, stdout} = await runOnTerminal(
        ['key', 'add', '--algorithm', 'tdes', '--components', '2', '--json'],
        [
          ['Component 1 of 2', `${first}\r`],
          ['Component 2 of 2', `${second}\r`],
        ],
      );
      const key = BigInt(`0x${first}`) ^ BigInt(`0x${second}`);
      const hex = key.toString(16).toUpperCase().padStart(32, '0');
      expect(JSON.parse(stdout)).toMatchObject({
        kcv: {tdes: tdesKcv(hex)},
        components: parts.map((part) => ({tdes: tdesKcv(part)})),
      });
      expect(seen).toContain(`Component 1: KCV ${tdesKcv(first)} (TDES)`);
      expect(await keys()).toMatchObject([{hex}]);
    },
  );
});

describe('key import', () => {
  // The form of `keys` in the samples of this project.
  const forms = [
    {kind: 'bdk', hex: TEST_BDK, ksnPrefix: 'FFFF987654'},
    {kind: 'ik', hex: TEST_IK, ksnPrefix: 'FFFF9876543210'},
  ];

  it('adds an array of keys from a file', async () => {
    const file = secretFile('keys.json', JSON.stringify(forms));
    const {stdout, exitCode} = await runCommand('key:import', [file]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('08D7B4');
    expect(await keys()).toEqual(forms);
  });

  it('adds an array of keys from stdin, also after a byte order mark', async () => {
    const input = `\uFEFF${JSON.stringify(forms)}`;
    const {stdout, exitCode} = await runBin(['key', 'import', '-', '--json'], {input});
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({path, keys: [{kind: 'bdk'}, {kind: 'ik'}]});
    expect(await keys()).toEqual(forms);
  });

  it('takes what key export writes', async () => {
    await runCommand('key:import', [secretFile('keys.json', JSON.stringify(forms))]);
    const exported = join(folder, 'exported.json');
    await runCommand('key:export', ['--output', exported]);
    const other = join(folder, 'other.age');
    await runCommand('keyfile:create', ['--keyfile', other, '--recipient', ALICE.recipient]);
    await runCommand('key:import', [exported, '--keyfile', other]);
    expect(await keys('--keyfile', other)).toEqual(forms);
  });

  it('adds none when one is at fault, and names each that is', async () => {
    const before = stateOf();
    const bad = [...forms, {kind: 'bdk', hex: '00'}, {kind: 'bdk', hex: TEST_BDK, prefix: 'AA'}];
    const file = secretFile('keys.json', JSON.stringify(bad));
    const {stdout, stderr, exitCode} = await runCommand('key:import', [file]);
    expect([stdout, exitCode]).toEqual(['', 3]);
    expect(stderr).toMatch(/key 3: hex: expected .* found 1; key 4: .*prefix/);
    expect(stateOf()).toEqual(before);
  });

  it('adds none when two of them, or one of the keyfile, serve the same KSNs', async () => {
    const twice = secretFile('keys.json', JSON.stringify([...forms, forms[0]]));
    const {stderr} = await runCommand('key:import', [twice]);
    expect(stderr).toContain('key 3: bdk for KSN FFFF987654.. is already taken by key 1');
    const once = secretFile('once.json', JSON.stringify(forms));
    await runCommand('key:import', [once]);
    expect((await runCommand('key:import', [once])).exitCode).toBe(3);
    expect(await keys()).toEqual(forms);
  });

  it.each([
    ['no JSON', `[{"hex": "${TEST_BDK}"`, 9002, 4],
    ['an empty file', '', 9002, 4],
    ['an object', `{"kind":"bdk","hex":"${TEST_BDK}"}`, 9015, 3],
  ])('refuses %s without quoting it', async (_, text, code, expected) => {
    const {stderr, exitCode} = await runCommand('key:import', [secretFile('keys.json', text)]);
    expect(stderr).toContain(`Error ${code}`);
    expect(stderr).not.toContain(TEST_BDK.slice(0, 6));
    expect(exitCode).toBe(expected);
  });

  it('says 9002 when the file is missing, without its name: it may be the key', async () => {
    const {stderr} = await runCommand('key:import', [join(folder, 'no.json')]);
    expect(stderr).toContain('Error 9002: Cannot read input: the file of keys: no such file');
    expect(stderr).not.toContain('no.json');
  });
});

describe('key export', () => {
  it('prints clear keys only with --reveal', async () => {
    await add(TEST_BDK);
    const {stdout, stderr, exitCode} = await runCommand('key:export', []);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain('--output');
    expect(JSON.parse((await runCommand('key:export', ['--reveal'])).stdout)).toEqual([
      {kind: 'bdk', hex: TEST_BDK},
    ]);
  });

  it('makes a new file of mode 0600, and overwrites none', async () => {
    await add(TEST_BDK);
    const output = join(folder, 'keys.json');
    const {stdout, stderr} = await runCommand('key:export', ['--output', output]);
    expect(stdout + stderr).not.toContain(TEST_BDK.slice(0, 6));
    expect(statSync(output).mode & 0o777).toBe(0o600);
    const again = await runCommand('key:export', ['--output', output]);
    expect(again.exitCode).toBe(2);
  });
});

describe('several commands at once', () => {
  it('lose no key', async () => {
    const prefixes = ['A1', 'A2', 'A3', 'A4'];
    const imports = prefixes.map((ksnPrefix) => {
      const input = JSON.stringify([{kind: 'bdk', hex: TEST_BDK, ksnPrefix}]);
      return runBin(['key', 'import', '-'], {input});
    });
    expect((await Promise.all(imports)).map(({exitCode}) => exitCode)).toEqual([0, 0, 0, 0]);
    const listed = (await keys()) as {ksnPrefix: string}[];
    expect(listed.map(({ksnPrefix}) => ksnPrefix).sort()).toEqual(prefixes);
  });
});

describe('key list', () => {
  it('lists the keys of several keyfiles by their KCVs', async () => {
    await add(TEST_BDK, 'lab');
    const other = join(folder, 'other.age');
    await runCommand('keyfile:create', ['--keyfile', other, '--recipient', ALICE.recipient]);
    await add(TEST_IK, '--keyfile', other, '--kind', 'ik', '--ksn-prefix', 'FFFF9876543210');
    const {stdout} = await runCommand('key:list', [
      '--keyfile',
      path,
      '--keyfile',
      other,
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject([
      {name: 'lab', kcv: {tdes: tdesKcv(TEST_BDK)}},
      {kind: 'ik', kcv: {tdes: tdesKcv(TEST_IK)}},
    ]);
    expect(stdout.toUpperCase()).not.toContain(TEST_IK.slice(0, 8));
  });

  it('prints nothing on stdout when there is no key', async () => {
    const {stdout, stderr} = await runCommand('key:list', []);
    expect(stdout).toBe('');
    expect(stderr).toContain('has no keys');
  });

  it('warns about an identity file that others may read', async () => {
    chmodSync(join(folder, 'identity'), 0o644);
    expect((await runCommand('key:list', [])).stderr).toContain(
      'identity is accessible to other users',
    );
  });
});

describe('key remove', () => {
  beforeEach(async () => {
    await add(TEST_BDK, 'lab', '--ksn-prefix', 'FFFF');
    await add(TEST_IK, 'other');
  });

  it('removes a key by its name', async () => {
    const {stdout} = await runCommand('key:remove', ['lab', '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({path, name: 'lab', kcv: {tdes: '08D7B4'}});
    expect(await keys()).toMatchObject([{name: 'other'}]);
  });

  it('removes a key by its kind and prefix', async () => {
    await runCommand('key:remove', ['--kind', 'bdk', '--ksn-prefix', 'ffff', '--yes']);
    expect(await keys()).toMatchObject([{name: 'other'}]);
  });

  it('takes a kind without a prefix for the key that serves every KSN', async () => {
    await runCommand('key:remove', ['--kind', 'bdk', '--yes']);
    expect(await keys()).toMatchObject([{name: 'lab'}]);
  });

  it.each([
    ['a name that no key has', ['nobody', '--yes']],
    ['a prefix that no key has', ['--kind', 'bdk', '--ksn-prefix', 'AA', '--yes']],
    ['neither name nor kind', ['--yes']],
    ['both name and kind', ['lab', '--kind', 'bdk', '--yes']],
    ['no terminal to confirm on', ['lab']],
  ])('does not touch the file for %s', async (_, argv) => {
    const before = stateOf();
    const {exitCode} = await runCommand('key:remove', argv);
    expect([exitCode, stateOf()]).toEqual([2, before]);
  });

  it.skipIf(!hasTerminal).each([
    ['y\r', 0, 1],
    ['n\r', 0, 2],
    ['\r', 0, 2],
    ['\u0003', 130, 2],
  ])('answered %j it exits with %i and leaves %i', async (answer, expected, left) => {
    const run = await runOnTerminal(['key', 'remove', 'lab'], [['Remove bdk "lab"', answer]]);
    expect(run.exitCode).toBe(expected);
    expect(await keys()).toHaveLength(left);
  });
});

function add(hex: string, ...argv: string[]) {
  return runCommand('key:add', [...argv, '--key-file', secretFile('key.hex', hex)]);
}

async function keys(...argv: string[]): Promise<unknown[]> {
  return JSON.parse((await runCommand('key:export', ['--reveal', ...argv])).stdout);
}

/** The KCV by node:crypto: the first three bytes of the encryption of zeros (ANSI X9.24-1). */
function tdesKcv(hex: string): string {
  const cipher = createCipheriv('des-ede-ecb', Buffer.from(hex, 'hex'), null).setAutoPadding(false);
  return hexOf(cipher.update(Buffer.alloc(8)).subarray(0, 3));
}

/** The KCV by node:crypto: the first five bytes of the CMAC of zeros (NIST SP 800-38B). */
function aesKcv(hex: string): string {
  const encrypt = (block: Uint8Array) => {
    const key = Buffer.from(hex, 'hex');
    const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
    return cipher.update(block);
  };
  const l = BigInt(`0x${hexOf(encrypt(Buffer.alloc(16)))}`);
  const doubled = ((l << 1n) ^ (l >> 127n === 1n ? 0x87n : 0n)) & ((1n << 128n) - 1n);
  const subkey = Buffer.from(doubled.toString(16).padStart(32, '0'), 'hex');
  return hexOf(encrypt(subkey).subarray(0, 5));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

function hexFile(name: string, bytes: Uint8Array): string {
  return secretFile(name, hexOf(bytes));
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
