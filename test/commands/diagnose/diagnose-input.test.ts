import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {runBin} from '../../cli/run-bin.js';
import {runCommand} from '../../cli/run-command.js';
import {encrypt, workingKey} from '../../engine/terminal.js';
import {PASSPHRASE} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {hasTerminal, runOnTerminal} from '../on-terminal.js';

/** Where a case comes from, where its keys come from, and what is done with them afterwards. */
const KSN = 'FFFF0A0B0C0D0E000123';
const BDK = '8F3A90C47B1122D5E6F7081949A5B6C7';
const TRACK = ';4111111111111111=27122011234567890?';
const HEX = encrypt(TRACK, {ksn: KSN, bdk: BDK}).toString('hex');
const TEST_HEX = encrypt(TRACK, {ksn: KSN}).toString('hex');
const IK = workingKey({ksn: 'FFFF0A0B0C0D0E000000', bdk: BDK, variant: 'none'}).toString('hex');

let folder = '';
beforeEach(() => {
  folder = tempFolder();
  vi.stubEnv('PAYLENS_KEYFILE', join(folder, 'keyfile.age'));
  vi.stubEnv('PAYLENS_PASSPHRASE', PASSPHRASE);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, {mode: 0o600});
  return path;
}

describe('what diagnose reads', () => {
  it('is a payload on stdin for -', async () => {
    const argv = ['diagnose', '-', '--ksn', KSN, '--test-keys', '--json'];
    const {stdout, exitCode} = await runBin(argv, {input: `${TEST_HEX}\n`});
    expect([JSON.parse(stdout).solved, exitCode]).toEqual([true, 0]);
  });

  it('is a beginning of the plaintext with --expected, which proves what nothing else does', async () => {
    const text = 'SETTLEMENT 0042 OF TERMINAL 7, NO CARD';
    const data = fileOf('data.hex', encrypt(text, {ksn: KSN, bdk: BDK}).toString('hex'));
    const key = ['--ksn', KSN, '--key-file', fileOf('bdk.hex', BDK), '--json', '--reveal'];
    const solved = async (...more: string[]) =>
      JSON.parse((await runCommand('diagnose', [data, ...key, ...more])).stdout);
    const [found, hex, other] = [
      await solved('--expected', text.slice(0, 16)),
      await solved('--expected', Buffer.from(text).toString('hex')),
      await solved('--expected', 'ANOTHER BEGINNING'),
    ];
    expect([found, hex].map(({plaintexts: [one]}) => one.text.slice(0, 38))).toEqual([text, text]);
    expect(found.evidence.join()).toContain('expected');
    expect(other.verdicts.map(({label}: {label: string}) => label)).not.toEqual(
      found.verdicts.map(({label}: {label: string}) => label),
    );
  });

  it('is a case with keys on stdin', async () => {
    const ciphertexts = [{name: 'track 2', hex: HEX}];
    const input = JSON.stringify({ciphertexts, ksn: KSN, keys: [{kind: 'bdk', hex: BDK}]});
    const {stdout} = await runBin(['diagnose', '-', '--test-keys', '--json', '--reveal'], {input});
    expect(JSON.parse(stdout)).toEqual({
      solved: true,
      verdicts: expect.any(Array),
      solution: {
        form: 'bare ciphertext',
        key: {role: 'bdk', source: 'key 1'},
        ksn: KSN,
        variant: 'data',
        selfEncrypted: true,
        algorithm: 'tdes',
        mode: 'cbc',
        iv: '0000000000000000',
        packing: 'ascii',
      },
      evidence: expect.any(Array),
      plaintexts: [
        {name: 'track 2', hex: Buffer.from(TRACK.padEnd(40, '\0')).toString('hex'), text: TRACK},
      ],
      next: expect.stringContaining('paylens decrypt --device-type generic'),
      tried: expect.any(Number),
      elapsedMs: expect.any(Number),
    });
  });

  it('is a file that --file names', async () => {
    const argv = ['--file', fileOf('read.hex', TEST_HEX), '--ksn', KSN, '--test-keys', '--json'];
    const {stdout} = await runCommand('diagnose', argv);
    expect(JSON.parse(stdout).solved).toBe(true);
  });

  it('is an IV that --iv gives', async () => {
    const iv = '1122334455667788';
    const hex = encrypt(TRACK, {ksn: KSN, iv}).toString('hex');
    const argv = [hex, '--ksn', KSN, '--iv', iv, '--test-keys', '--json'];
    const {stdout} = await runCommand('diagnose', argv);
    expect(JSON.parse(stdout).solution.iv).toBe(iv);
  });

  it('is read as the terminal that --device-type names', async () => {
    const payload = JSON.stringify({ksn: KSN, track2: TEST_HEX});
    const argv = [payload, '--device-type', 'generic', '--test-keys', '--json'];
    const {stdout} = await runCommand('diagnose', argv);
    expect(JSON.parse(stdout).solution.deviceType).toBe('generic');
  });

  it('is not more than a file can hold: what is no case is a payload', async () => {
    const {stdout, exitCode} = await runCommand('diagnose', [
      fileOf('case.json', '{"keys": 7}'),
      '--test-keys',
      '--json',
    ]);
    expect([JSON.parse(stdout).solved, exitCode]).toEqual([false, 4]);
  });
});

describe('keys of the keyfile', () => {
  beforeEach(async () => {
    await runCommand('keyfile:create', ['--work-factor', '10']);
  });

  it('are tried, and named by their name', async () => {
    await runCommand('key:add', ['lab', '--key-file', fileOf('bdk', BDK)]);
    const {stdout} = await runCommand('diagnose', [HEX, '--ksn', KSN, '--json']);
    expect(JSON.parse(stdout).solution.key).toEqual({role: 'bdk', source: 'lab of the keyfile'});
  });

  it.each([
    ['bdk', BDK, '--key-prompt'],
    ['ik', IK, '--key-prompt --key-kind ik'],
  ] as const)('are not needed for a given %s: the command asks for it', async (kind, hex, asks) => {
    const ciphertexts = [{hex: HEX}];
    const given = fileOf('case.json', JSON.stringify({ciphertexts, ksn: KSN, keys: [{kind, hex}]}));
    const {stdout} = await runCommand('diagnose', [given]);
    const [decrypt = ''] = stdout
      .split('\n')
      .flatMap((line) => /^ {2}(paylens .*)/.exec(line)?.[1] ?? []);
    expect(decrypt.endsWith(` ${asks}`)).toBe(true);
    const argv = decrypt
      .split(' ')
      .slice(2)
      .map((word) => word.replaceAll("'", ''))
      .flatMap((word) => (word === '--key-prompt' ? ['--key-file', fileOf('key', hex)] : [word]));
    expect((await runCommand('decrypt', [...argv, '--reveal'])).stdout).toContain(TRACK);
  });
});

describe.skipIf(!hasTerminal)('the progress line', () => {
  it('shows a person what is tried, and stdout the answer alone', async () => {
    const keys = ['bdk', 'ik', 'working'].map((kind, i) => ({
      kind,
      hex: BDK.replace(/^8/, `${i}`),
    }));
    const given = fileOf(
      'case.json',
      JSON.stringify({ciphertexts: [{hex: HEX}, {hex: `${HEX}${HEX}`}], ksn: KSN, keys}),
    );
    const {seen, stdout, exitCode} = await runOnTerminal(
      ['diagnose', given, '--test-keys', '--json'],
      [],
    );
    expect(seen).toMatch(/[a-z ]+: [\d,]+ trials/);
    expect([JSON.parse(stdout).solved, exitCode]).toEqual([true, 0]);
  });
});
