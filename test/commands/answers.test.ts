import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';
import {runBin} from '../cli/run-bin.js';
import {runCommand} from '../cli/run-command.js';
import {readSamples} from '../engine/samples.js';

/** A payload that fails is reported with one cause, its evidence, and one command that comes next. */

const folder = mkdtempSync(join(tmpdir(), 'paylens-answers-'));
afterAll(() => rmSync(folder, {recursive: true}));
const [{request} = {request: {devicePayload: ''}}] = readSamples('idtech').filter(
  ({id}) => id === 'securemag-enh-3trk-hex',
);
const PAYLOAD = request.devicePayload;
const KEY = '0123456789ABCDEFFEDCBA9876543210';

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, {mode: 0o600});
  return path;
}

async function answerTo(...argv: string[]) {
  const {stdout} = await runCommand('decrypt', [...argv, '--json']);
  return JSON.parse(stdout).answer;
}

describe('decrypt', () => {
  const read = fileOf('read.txt', PAYLOAD);
  const bdk = fileOf('bdk.hex', KEY);

  it('names the type of the payload, with the file and the key option as they were given', async () => {
    const {stderr, exitCode} = await runCommand('decrypt', [
      ...[read, '--device-type', 'miura', '--key-file', bdk],
    ]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('It is of idtech, not miura.');
    expect(stderr).toContain('✓ track 1: LRC of track 1');
    const next = `Next: paylens decrypt --device-type idtech ${read} --key-file ${bdk}`;
    expect(stderr.replace('Next:\n', 'Next: ')).toContain(next);
    const argv = next.split(' ').slice(3);
    expect((await runCommand('decrypt', argv)).exitCode).toBe(0);
  });

  it('names the place of a letter for a digit', async () => {
    const at = PAYLOAD.indexOf('0', 300);
    const text = `${PAYLOAD.slice(0, at)}O${PAYLOAD.slice(at + 1)}`;
    const answer = await answerTo(fileOf('look-alike.txt', text), '--test-keys');
    expect(answer).toMatchObject({
      label: 'look-alikes',
      cause: expect.stringContaining(`at ${at}.`),
    });
  });

  it('repeats an initial key that was given as a BDK, as what it is', async () => {
    const ik = fileOf('ik.hex', '6AC292FAA1315B4D858AB3A3D7D5933A');
    const {stderr} = await runCommand('decrypt', ['samples/newland-track.json', '--key-file', ik]);
    expect(stderr).toContain('The key is the initial key');
    const [, next = ''] = /paylens decrypt (.*)/.exec(stderr) ?? [];
    expect(next).toBe(`samples/newland-track.json --key-file ${ik} --key-kind ik`);
    expect((await runCommand('decrypt', next.split(' '))).exitCode).toBe(0);
  });

  it('shows the mask of a variant whole', async () => {
    const bare =
      'C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12';
    const {stderr} = await runBin(['decrypt', bare, '--ksn', 'FFFF9876543210E00008', '-t'], {});
    expect(stderr).toContain('XOR both halves with 00000000000000FF');
  });

  it.each([
    ['keyed.json', '--serial', '999', 'Send the serial number contained in the payload'],
    [
      'swipe.txt',
      '--ksn',
      '62:99:49:01:19:00:00:00:00:01',
      'Pass its digits alone: 62994901190000000001',
    ],
  ])('says of %s with a wrong %s no setting of the payload', async (file, flag, value, cause) => {
    const argv = [`samples/idtech-${file}`, flag, value, '--test-keys'];
    const answer = async () => (await runCommand('decrypt', argv)).stderr;
    await expect.poll(answer).toContain(cause);
    expect(await answer()).not.toMatch(/published test key|variant/);
  });

  it('says that a KSN is none, though the payload has its own', async () => {
    // The time of an explanation may be over while the code is still being compiled.
    const answer = () => answerTo(read, '--ksn', '12345', '--test-keys');
    await expect.poll(answer).toMatchObject({
      label: 'ksn-malformed',
      cause: expect.stringContaining('It has 5 digits'),
      next: `paylens decrypt --device-type idtech ${read} --test-keys`,
    });
  });

  it('names the place of two swapped digits, or in less time the check that they fail', async () => {
    const [, begin = '', a = '', b = '', end = ''] = /^(.{400})(.)(.)(.*)$/s.exec(PAYLOAD) ?? [];
    const text = `${begin}${b}${a}${end}`;
    const answer = await answerTo(fileOf('swapped.txt', text), '--test-keys');
    expect(answer.cause).toMatch(
      /Characters 400 and 401 are transposed|LRC at byte \d+: expected|bytes \d+ to \d+/,
    );
  });

  it('says that a published key opens what the given key does not', async () => {
    const other = fileOf('other.hex', '00112233445566778899AABBCCDDEEFF');
    expect(await answerTo(read, '--key-file', other)).toMatchObject({
      label: 'key-wrong',
      next: `paylens decrypt --device-type idtech ${read} --test-keys`,
    });
  });

  it('names the missing key where the given one serves other KSNs, and a command that works', async () => {
    const keyfile = join(folder, 'other.age');
    const words = [
      '--keyfile',
      keyfile,
      '--passphrase-file',
      fileOf('words', 'one two three four'),
    ];
    await runCommand('keyfile:create', [...words, '--work-factor', '10']);
    await runCommand('key:add', ['lab', '--ksn-prefix', '0123456789', '--key-file', bdk, ...words]);
    const {stderr} = await runCommand('decrypt', [read, ...words]);
    expect(stderr).toMatch(/^Error 2600: .*\nAdd the BDK or initial key of this key set/);
    expect(stderr).toMatch(/Next:\s+paylens decrypt .*--key-prompt$/m);
    const [, prompted = ''] = /(paylens decrypt .*) --key-prompt$/m.exec(stderr) ?? [];
    const argv = [...prompted.split(' ').slice(2), '--key-file', bdk];
    expect((await runCommand('decrypt', argv)).exitCode).toBe(0);
  });

  it('repeats files whose names look like keys, and no KSN that looks like a track', async () => {
    const key = fileOf('0123456789abcdef.hex', KEY);
    const argv = [read, '--ksn', '4266841088889999=080910110000046'];
    const {stderr} = await runCommand('decrypt', [...argv, '--key-file', key]);
    expect(stderr).toMatch(/^Next:\s+paylens /m);
    expect(stderr).toContain(key);
    expect(stderr).not.toContain('88889999');
  });

  it('keeps its own error for what a diagnosis cannot read either', async () => {
    const text = JSON.stringify({payload: 5, ciphertexts: 3});
    const {stderr} = await runCommand('decrypt', ['--payload', text, '--test-keys']);
    expect(stderr).toMatch(/^Error 2000: /);
  });

  it('keeps a request like the answer of the service with --json', async () => {
    const body = JSON.stringify({deviceType: 'miura', devicePayload: PAYLOAD});
    expect(await answerTo('--payload', body, '--test-keys')).toBeUndefined();
  });
});

describe('decrypt --batch', () => {
  const PARTNER_KEY = '00112233445566778899AABBCCDDEEFF';
  const wrongType = JSON.stringify({
    ...{deviceType: 'miura', devicePayload: PAYLOAD, partnerKey: PARTNER_KEY},
  });
  const cut = JSON.stringify({deviceType: 'idtech', devicePayload: PAYLOAD.slice(0, 300)});
  const lines = [PAYLOAD, wrongType, cut, wrongType, ''];
  const path = fileOf('reads.jsonl', lines.join('\n'));

  it('answers the first line of each kind of failure, and counts the others', async () => {
    const {stderr, stdout, exitCode} = await runCommand('decrypt', [
      '--batch',
      path,
      '--test-keys',
    ]);
    expect([exitCode, stdout.trim().split('\n').length]).toEqual([7, 4]);
    expect(stderr).toMatch(
      /^Error 2100 in 2 lines, first in line 2: .* It is of idtech, not miura\.$/m,
    );
    expect(stderr).toMatch(/^Error 2102 in 1 line, first in line 3: The frame is truncated/m);
    expect(stderr).toContain(`sed -n 3p ${path} | paylens diagnose --test-keys -`);
    expect(stderr).not.toContain(PARTNER_KEY);
  });

  it('diagnoses what is corrected, holds clear card data, and so can be in no command', async () => {
    const swipe = readFileSync('samples/idtech-swipe.txt', 'utf8').trim();
    const typed = `${swipe.slice(0, 484)}${swipe.slice(484).replace('0', 'O')}`;
    const requests = [
      {deviceType: 'miura', devicePayload: swipe},
      {deviceType: 'idtech', devicePayload: typed},
    ];
    const file = fileOf('clear.jsonl', requests.map((one) => JSON.stringify(one)).join('\n'));
    const {stderr} = await runCommand('decrypt', [file, '--batch', '--test-keys']);
    expect(stderr).toContain('Letters were typed in place of similar digits');
    const commands = [...stderr.matchAll(/sed -n (\d)p \S+ \| paylens (\w+) (.*)$/gm)];
    expect(commands).toHaveLength(2);
    for (const [, line, command = '', words = ''] of commands) {
      const input = JSON.stringify(requests[Number(line) - 1]);
      const {exitCode} = await runBin([command, ...words.split(' ')], {input});
      expect([command, words, exitCode]).toEqual(['diagnose', '--test-keys -', 0]);
    }
  });

  it('says nothing more with --quiet, or where every line opens', async () => {
    const read = fileOf('good.txt', PAYLOAD);
    const good = await runCommand('decrypt', ['--batch', read, '--test-keys']);
    expect(good.stderr).toMatch(/^1 line, none failed[^\n]*\n$/);
    const quiet = await runCommand('decrypt', ['--batch', path, '--test-keys', '--quiet']);
    expect(quiet.stderr).toBe('');
  });
});

it('inspect answers with the command that labels the bytes', async () => {
  const read = fileOf('inspected.txt', PAYLOAD);
  const {stderr} = await runCommand('inspect', [read, '--device-type', 'miura']);
  expect(stderr.replace('Next:\n', 'Next: ')).toContain(
    `Next: paylens inspect --device-type idtech ${read}\n`,
  );
  const argv = [read, '--device-type', 'idtech'];
  expect((await runCommand('inspect', argv)).exitCode).toBe(0);
});

it('send answers what it cannot read, before it sends anything', async () => {
  const argv = ['--payload', PAYLOAD.slice(0, 301), '--base-url', 'http://127.0.0.1:9'];
  const {stderr} = await runCommand('send:payload', [...argv, '--partner', 'DEMO']);
  expect(stderr).toMatch(/^Error 2(?:000|10[02]): /);
  expect(stderr).toMatch(/Next:\s+paylens diagnose/);
});
describe('the next command of diagnose', () => {
  const files = readdirSync('samples').filter((name) => /^(?!verify|.*private).*json$/.test(name));

  it.each(files)('decrypts %s, given as a file or literally', async (name) => {
    const file = join('samples', name);
    const {devicePayload, ...members} = JSON.parse(readFileSync(file, 'utf8'));
    const ksn = members.ksn === undefined ? [] : ['--ksn', members.ksn];
    for (const given of [[file], ['--payload', devicePayload, ...ksn]]) {
      const {stdout} = await runCommand('diagnose', [...given, '--test-keys', '--json']);
      const {next} = JSON.parse(stdout);
      const words = [...(next as string).matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, bare = '']) => quoted ?? bare,
      );
      const [, , ...argv] = words;
      const found = argv.includes('-')
        ? await runBin(['decrypt', ...argv], {input: devicePayload})
        : await runCommand('decrypt', argv);
      expect([next, found.exitCode]).toEqual([next, 0]);
    }
  });
});
