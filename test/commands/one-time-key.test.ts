import {createCipheriv} from 'node:crypto';
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {COMMANDS} from '../../src/command-list.js';
import {runCommand} from '../cli/run-command.js';
import {hasTerminal, runOnTerminal} from './on-terminal.js';

const SWIPE = fileURLToPath(new URL('../../samples/idtech-swipe.json', import.meta.url));
/** Published in ANSI X9.24-1 and X9.24-3: a BDK, a KSN of a device, and its initial key. */
const TDES = {
  bdk: '0123456789ABCDEFFEDCBA9876543210',
  ksn: 'FFFF9876543210E00001',
  ik: '6AC292FAA1315B4D858AB3A3D7D5933A',
};
const AES = {
  bdk: 'FEDCBA9876543210F1F1F1F1F1F1F1F1',
  ksn: '123456789012345600000001',
  ik: '1273671EA26AC29AFA4D1084127652A1',
};

let folder = '';
// A random name may look like a card number, which no message shows.
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-once-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function fileOf(content: string, mode = 0o600): string {
  const name = path.join(folder, `${++files}`);
  writeFileSync(name, content);
  chmodSync(name, mode);
  return name;
}

type Uses = readonly [keyof typeof COMMANDS, readonly string[]];

/** Every command that takes --test-keys. */
const USES: readonly Uses[] = [
  ['decrypt', [SWIPE, '--json']],
  ['decrypt', [SWIPE, '--batch', '--threads', '1']],
  ['diagnose', [SWIPE, '--json']],
  ['derive', [TDES.ksn, '--reveal', '--json']],
  ['simulate', ['--device-type', 'idtech', '--json']],
  ['listen', [SWIPE.replace('.json', '.txt'), '--json']],
];

const manifest: {commands: Record<string, {flags: Record<string, unknown>}>} = JSON.parse(
  readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'),
);

describe('a key for once', () => {
  it('is taken wherever the test keys are', () => {
    const taking = (flag: string) =>
      Object.entries(manifest.commands).flatMap(([id, {flags}]) => (flag in flags ? [id] : []));
    const commands = [...new Set(USES.map(([id]) => id))];
    for (const flag of ['test-keys', 'key-prompt', 'key-kind']) {
      expect(taking(flag).sort()).toEqual([...commands].sort());
    }
    // There the file holds the key that is added.
    expect(taking('key-file').sort()).toEqual([...commands, 'key:add'].sort());
  });

  it('of the other algorithm is named, and the next command is another one', async () => {
    const right = [SWIPE, '--key-file', fileOf(TDES.bdk)];
    const run = () => runCommand('decrypt', [...right, '--key-algorithm', 'aes']);
    const why = /^(?!.*paylens key add).*for a KSN of 10 bytes, found an AES key of 16 bytes/s;
    expect((await run()).stderr).toMatch(why);
    // The time of an explanation may be over while the code is still being compiled.
    await expect.poll(async () => (await run()).stderr).toContain(`decrypt ${right.join(' ')}\n`);
    expect((await runCommand('decrypt', right)).exitCode).toBe(0);
  });

  it('is what diagnose tries first', async () => {
    const flags = ['--json', '--key-file', fileOf(TDES.bdk)];
    const {stdout} = await runCommand('diagnose', [SWIPE, ...flags]);
    expect(JSON.parse(stdout).solution.key).toEqual({role: 'bdk', source: 'BDK of --key-file'});
  });

  it.each(USES.filter(([id]) => id !== 'diagnose'))(
    'does in %s %j what the test key does',
    async (id, argv) => {
      const flags = ['--key-file', fileOf(` ${TDES.bdk.toLowerCase()}\r\n`)];
      const [own, published] = [
        await runCommand(id, [...argv, ...flags]),
        await runCommand(id, [...argv, '--test-keys']),
      ];
      expect(own.exitCode).toBe(published.exitCode);
      expect(contentOf(own.stdout)).toEqual(contentOf(published.stdout));
      expect(own.stderr).not.toContain('Warning');
    },
  );

  it.each([
    ['TDES', TDES],
    ['AES', AES],
  ])('may be the initial key of a device: %s', async (_, {bdk, ksn, ik}) => {
    const made = await runCommand('simulate', [
      ...['--device-type', 'idtech', '--ksn', ksn, '--json'],
      ...['--key-file', fileOf(bdk)],
    ]);
    const kind = ['--key-file', fileOf(ik), '--key-kind', 'ik'];
    const read = await runCommand('decrypt', [fileOf(made.stdout), '--json', ...kind]);
    expect(JSON.parse(read.stdout).extracted.PAN).toBe('4111111111111111');
    const wrong = await runCommand('decrypt', [fileOf(made.stdout), '--json', ...kind.slice(0, 2)]);
    expect(JSON.parse(wrong.stdout).errCode).toBe(2601);
  });

  // Encrypted by OpenSSL: TDES ECB of ;4111111111111111=30122010000000000001?> and zeros.
  it('may be the working key itself, for data without a KSN', async () => {
    const key = Buffer.from('EA528A43B02652FDEB538B42B12753FCEA528A43B02652FD', 'hex');
    const cipher = createCipheriv('des-ede3', key, null).setAutoPadding(false);
    const plain = ';4111111111111111=30122010000000000001?>'.padEnd(40, '\0');
    const track2 = cipher.update(plain, 'latin1', 'hex');
    const input = fileOf(JSON.stringify({track2}));
    const argv = [input, '--device-type', 'generic', '--explain', '--json'];
    const file = fileOf(key.subarray(0, 16).toString('hex'));
    const {stdout} = await runCommand('decrypt', [
      ...[...argv, '--key-file', file, '--key-kind', 'working'],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      extracted: {PAN: '4111111111111111'},
      explanation: {
        fields: [{key: {name: 'working key of --key-file'}, scheme: 'working', mode: 'ecb'}],
      },
    });
    const {exitCode} = await runCommand('derive', [
      ...[TDES.ksn, '--key-file', file, '--key-kind', 'working'],
    ]);
    expect(exitCode).toBe(2);
  });

  // Encrypted by OpenSSL: AES-128 ECB; a key of 16 bytes could also be of TDES, as the format says.
  it('may be a working key of AES, which its length does not tell', async () => {
    const key = Buffer.from(AES.ik, 'hex');
    const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    const plain = ';4111111111111111=30122010000000000001?>'.padEnd(48, '\0');
    const track2 = cipher.update(plain, 'latin1', 'hex');
    const once = ['--key-file', fileOf(AES.ik), '--key-kind', 'working'];
    const argv = [fileOf(JSON.stringify({track2})), '--device-type', 'generic', '--json', ...once];
    const silent = await runCommand('decrypt', argv);
    expect(JSON.parse(silent.stdout).errCode).toBe(2601);
    const told = await runCommand('decrypt', [...argv, '--key-algorithm', 'aes']);
    expect(JSON.parse(told.stdout).extracted.PAN).toBe('4111111111111111');
    const alone = await runCommand('decrypt', [SWIPE, '--key-algorithm', 'aes']);
    expect(alone).toMatchObject({exitCode: 2});
    expect(alone.stderr).toContain('--key-algorithm requires --key-file or --key-prompt');
  });

  it('may be of any AES length', async () => {
    for (const bdk of [AES.bdk.repeat(2).slice(0, 48), AES.bdk.repeat(2)]) {
      const once = ['--key-file', fileOf(bdk)];
      const made = await runCommand('simulate', [
        ...['--device-type', 'generic', '--ksn', AES.ksn, '--json', ...once],
      ]);
      const read = await runCommand('decrypt', [fileOf(made.stdout), '--json', ...once]);
      expect(JSON.parse(read.stdout).extracted.PAN).toBe('4111111111111111');
    }
  });

  it.skipIf(process.platform === 'win32')('warns when others can read its file', async () => {
    for (const [id, argv] of USES) {
      const {stderr} = await runCommand(id, [
        ...argv,
        '--key-file',
        fileOf('5A17C9E3408B6D2FF1A4087C3E95B260', 0o644),
      ]);
      expect(stderr).toMatch(/Warning:.* is accessible to other users \(mode 644\)/);
    }
  });

  it.each([
    ['of 8 bytes', TDES.bdk.slice(16), 9015, 'found 8'],
    ['of 15 bytes', TDES.bdk.slice(2), 9015, 'found 15'],
    ['with half a byte', TDES.bdk.slice(1), 9015, 'found 31 digits'],
    ['with another character', `${TDES.bdk.slice(1)}X`, 9015, 'a non-hex character at digit 32'],
    ['that is empty', '', 9015, 'found none: it is empty'],
  ])('is refused %s, and not repeated', async (_, content, code, why) => {
    for (const [id, argv] of USES) {
      const file = fileOf(content);
      for (const kind of ['bdk', 'ik']) {
        const {stdout, stderr} = await runCommand(id, [
          ...argv.filter((flag) => flag !== '--json'),
          ...['--key-file', file, '--key-kind', kind],
        ]);
        expect(stderr).toContain(`Error ${code}: `);
        expect(stderr).toContain(why);
        if (content !== '') expect(stdout + stderr).not.toContain(content.slice(0, 15));
      }
    }
  });

  it.each([
    [['--key-file', TDES.bdk], '--key-file: no such file'],
    [['--key', TDES.bdk], '--key is not accepted: other users can see arguments'],
    [[`--key=${TDES.bdk}`], '--key is not accepted: other users can see arguments'],
    [['--bdk', TDES.bdk], '--bdk is not accepted: other users can see arguments'],
    [['--key-kind', 'ik'], '--key-kind requires --key-file or --key-prompt'],
    [['--key-file', 'x', '--key-prompt'], 'cannot be used together'],
    [['--key-file', 'x', '--test-keys'], 'cannot be used together'],
    [['--key-file', 'x', '--keyfile', 'y'], 'cannot be used together'],
    [['--key-prompt', '--keyfile', 'y'], 'cannot be used together'],
    [['--key-kind', 'ik', '--test-keys'], 'cannot be used together'],
    [['--key-prompt'], 'there is no terminal to prompt on'],
  ])(
    'refuses %j in every command',
    async (flags, why) => {
      for (const [id, argv] of USES) {
        const base = argv.filter((flag) => flag !== '--json');
        for (const json of [[], ['--json']]) {
          const {stdout, stderr, exitCode} = await runCommand(id, [...base, ...flags, ...json]);
          expect({all: stdout + stderr, exitCode}).toEqual({
            all: expect.stringContaining(why),
            exitCode: why.endsWith('no such file') ? 4 : 2,
          });
          expect(stdout + stderr).not.toContain(TDES.bdk);
          if (flags[0] === '--key' && json.length === 0) {
            expect(stderr).toContain('pass it with --key-file, or type it with --key-prompt');
          }
        }
      }
    },
    120_000,
  );

  it.each([
    ['key:add', '--key'],
    ['key:import', '--hex'],
    ['partner:add', '--partner-key'],
    ['sign', '--shared-key'],
    ['keyfile:create', '--passphrase'],
  ] as const)('says in %s why %s is no flag', async (id, flag) => {
    const {stderr} = await runCommand(id, [flag, TDES.bdk]);
    expect(stderr).toContain(`${flag} is not accepted: other users can see arguments`);
    expect(stderr).toContain('Put the secret in a file.');
    expect(stderr).not.toContain(TDES.bdk);
  });

  it.skipIf(!hasTerminal)('is asked for, hidden, beside a payload that is pasted', async () => {
    const pasted = `${JSON.stringify(JSON.parse(readFileSync(SWIPE, 'utf8')))}\n\u0004`;
    const {seen, stdout, exitCode} = await runOnTerminal(
      ['decrypt', '--json', '--key-prompt'],
      [
        ['Reading from the terminal', pasted],
        ['Key in hex:', `${TDES.bdk}\r`],
      ],
    );
    expect({seen, exitCode}).toMatchObject({exitCode: 0});
    expect(JSON.parse(stdout).extracted.PAN).toBe('4266841088889999');
    expect(seen).not.toContain(TDES.bdk);
  });
});

/** Without what is of one run. */
function contentOf(stdout: string): unknown {
  return stdout.replace(/"(?:messageId|time)": ?"[^"]*",?/g, '');
}
