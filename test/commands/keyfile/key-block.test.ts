import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {runBin} from '../../cli/run-bin.js';
import {runCommand} from '../../cli/run-command.js';
import {openIndependently} from '../../keyfile/independent-key-block.js';
import {ALICE, TEST_BDK} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

/** TR-31:2018 A.7.3.2: a BDK of KCV 9A4212. */
const KBPK = '1D22BF32387C600AD97F9B97A51311AC';
const BLOCK =
  'B0104B0TX12S0100KS1800604B120F9292800000BB68BE8680A400D9191AD4ECE45B6E6C0D21C4738A52190E248719E24B433627';
/** Thales payShield 10k: a BDK of KCV FF5087. */
const AES_KBPK = '41'.repeat(32);
const AES_BLOCK =
  'D0112B0TN00N000037DB9B046B7B0048785690759580ABC3B9842AB4BB7717B49E92528E575785D8123559376A2553B27BE94F054F4E971C';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = tempFolder();
  path = join(folder, 'keyfile.age');
  vi.stubEnv('PAYLENS_KEYFILE', path);
  vi.stubEnv('PAYLENS_IDENTITY_FILE', fileOf('identity', ALICE.identity));
  await runCommand('keyfile:create', ['--recipient', ALICE.recipient]);
  await addClear({kind: 'kbpk', name: 'transport', algorithm: 'tdes', hex: KBPK});
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('key import of key blocks', () => {
  it('opens the blocks of a file under the only kbpk and shows their KCVs', async () => {
    const {stdout, exitCode} = await importFile(`${BLOCK}\r\n\r\n`);
    expect(stdout).toMatch(/bdk\tTDES, 16 bytes\t00604B120F\t9A4212 \(TDES\)/);
    expect(exitCode).toBe(0);
  });

  it('opens blocks from stdin', async () => {
    const {stdout} = await runBin(['key', 'import', '-', '--json'], {input: BLOCK});
    expect(JSON.parse(stdout).keys).toMatchObject([{kind: 'bdk', kcv: {tdes: '9A4212'}}]);
  });

  it('opens each block of an array under the kbpk that it names', async () => {
    await addClear({kind: 'kbpk', name: 'hsm', algorithm: 'aes', hex: AES_KBPK});
    const forms = [
      {keyBlock: BLOCK, name: 'one', kbpk: 'transport', ksnPrefix: '00604B'},
      {keyBlock: AES_BLOCK, name: 'two', kbpk: 'hsm', ksnPrefix: 'AA'},
      {kind: 'bdk', name: 'three', hex: TEST_BDK, ksnPrefix: 'BB'},
    ];
    const {stdout, stderr} = await importFile(JSON.stringify(forms), '--json');
    expect(JSON.parse(stdout).keys).toMatchObject([
      {name: 'one', ksnPrefix: '00604B', kcv: {tdes: '9A4212'}},
      {name: 'two', ksnPrefix: 'AA', kcv: {tdes: 'FF5087'}},
      {name: 'three', kcv: {tdes: '08D7B4'}},
    ]);
    expect(stderr).toContain('key 2: the block marks its key as non-exportable');
  });

  it('takes --kbpk where there are several', async () => {
    await addClear({kind: 'kbpk', name: 'other', algorithm: 'tdes', hex: TEST_BDK});
    const without = await importFile(BLOCK);
    expect([without.exitCode, without.stderr]).toEqual([2, expect.stringContaining('found 2')]);
    const other = await importFile(BLOCK, '--kbpk', 'other');
    expect([other.exitCode, other.stderr]).toEqual([3, expect.stringContaining('Error 9015')]);
    expect((await importFile(BLOCK, '--kbpk', 'transport')).exitCode).toBe(0);
  });

  it('adds none when one is at fault, and names each that is', async () => {
    const before = readFileSync(path);
    const damaged = `${BLOCK.slice(0, -1)}8`;
    const {stdout, stderr, exitCode} = await importFile(`${BLOCK}\n${damaged}\n${AES_BLOCK}\n`);
    expect([stdout, exitCode]).toEqual(['', 3]);
    expect(stderr).toMatch(/Error 9015: .*line 2: .*MAC does not match.*; line 3: .*KBPK of AES/);
    expect(readFileSync(path)).toEqual(before);
  });

  it('names the line of a key that stands in the keyfile already', async () => {
    await importFile(BLOCK);
    expect((await importFile(`\n${BLOCK}`)).stderr).toContain(
      'line 2: bdk for KSN 00604B120F.. is already taken by a key of the keyfile',
    );
  });

  it('does not quote a clear key that stands where a block belongs', async () => {
    const {stderr} = await importFile(TEST_BDK);
    expect(stderr).toContain('line 1: expected a key block');
    expect(stderr).not.toContain(TEST_BDK.slice(1, 5));
  });
});

describe('key export --key-block', () => {
  beforeEach(async () => {
    await addClear({kind: 'bdk', name: 'lab', algorithm: 'tdes', hex: TEST_BDK, ksnPrefix: 'FF'});
  });

  it('prints blocks, one a line, that another implementation opens', async () => {
    const {stdout, exitCode} = await runCommand('key:export', ['--key-block']);
    expect(exitCode).toBe(0);
    expect(openIndependently(stdout.trim(), KBPK)).toMatchObject({key: TEST_BDK, macHolds: true});
  });

  it('prints with --json what key import takes, names and all', async () => {
    const {stdout} = await runCommand('key:export', ['--key-block', '--json']);
    await runCommand('key:remove', ['lab', '--yes']);
    await importFile(stdout);
    const clear = await runCommand('key:export', ['--reveal', 'lab']);
    expect(JSON.parse(clear.stdout)).toEqual([
      {kind: 'bdk', name: 'lab', algorithm: 'tdes', hex: TEST_BDK, ksnPrefix: 'FF'},
    ]);
  });

  it('writes them to a new file', async () => {
    const output = join(folder, 'blocks.txt');
    const {stdout, stderr} = await runCommand('key:export', ['--key-block', '--output', output]);
    expect([stdout, stderr]).toEqual(['', `Wrote 1 key blocks to ${output}.\n`]);
    expect(readFileSync(output, 'utf8')).toMatch(/^B\d{4}B0TX00E\d{4}KS06FF.*\n$/);
  });

  it('warns of --version A', async () => {
    const {stdout, stderr} = await runCommand('key:export', ['--key-block', '--version', 'A']);
    expect(stdout).toMatch(/^A/);
    expect(stderr).toContain('Warning: version A of key blocks is deprecated');
  });

  it('refuses a key stronger than its kbpk, and writes none', async () => {
    await addClear({kind: 'bdk', name: 'aes', algorithm: 'aes', hex: TEST_BDK});
    const {stdout, stderr, exitCode} = await runCommand('key:export', ['--key-block']);
    expect([stdout, exitCode]).toEqual(['', 3]);
    expect(stderr).toContain('Error 9015: Invalid key: bdk "aes": expected a KBPK as strong');
    const lab = await runCommand('key:export', ['--key-block', 'lab']);
    expect(lab.exitCode).toBe(0);
  });

  it.each([
    ['--kbpk', 'transport'],
    ['--version', 'B'],
  ])('takes %s only with --key-block', async (...argv) => {
    expect((await runCommand('key:export', ['--reveal', ...argv])).exitCode).toBe(2);
  });
});

function addClear(form: object) {
  return importFile(JSON.stringify([form]));
}

function importFile(content: string, ...argv: string[]) {
  return runCommand('key:import', [fileOf('keys', content), ...argv]);
}

function fileOf(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content, {mode: 0o600});
  return file;
}
