import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest';
import {withoutSecrets} from '../../src/cli/typed-secrets.js';
import {COMMANDS} from '../../src/command-list.js';
import {runCommand} from './run-command.js';

type Id = keyof typeof COMMANDS;

const folder = mkdtempSync(path.join(tmpdir(), 'paylens-named-'));
// No keyfile and no profiles of whoever runs the tests.
beforeAll(() => vi.stubEnv('XDG_CONFIG_HOME', folder));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, {recursive: true, force: true});
});

/** What the first line of the error has to name. */
const NAMED: readonly (readonly [Id, string[], string])[] = [
  ['decrypt', ['nofile'], 'nofile: no such file'],
  ['decrypt', ['no/file'], 'no/file: no such file'],
  ['decrypt', ['C:\\reads\\swipe'], 'C:\\reads\\swipe: no such file'],
  ['decrypt', ['my read.final-2.json5'], 'my read.final-2.json5: no such file'],
  ['decrypt', ['--file', 'nofile'], 'nofile: no such file'],
  ['decrypt', ['--file', tmpdir()], `${tmpdir()}: is a directory`],
  ['decrypt', ['--batch', '--test-keys', 'nofile'], 'nofile: no such file'],
  ['decrypt', ['0102', '--test-keys', '--terminal', 'no.mjs'], 'no.mjs: no such file'],
  ['inspect', ['nofile'], 'nofile: no such file'],
  ['diagnose', ['nofile', '--test-keys'], 'nofile: no such file'],
  ['sign', ['nofile', '--partner', 'x', '--url', 'http://x'], 'nofile: no such file'],
  ['key:import', ['nofile'], 'the file of keys: no such file'],
  ['key:list', ['--keyfile', 'nofile.age'], 'nofile.age'],
  ['device:import', ['nofile.csv', '--devices', path.join(folder, 'devices')], 'nofile.csv: no'],
  ['device:list', ['--devices', 'nofile'], 'nofile: no such file'],
  ['verify', ['http://127.0.0.1:1', '--config', 'nofile'], 'configuration nofile: no such file'],
  ['profile:use', ['nowhere'], 'there is no profile nowhere'],
  ['profile:remove', ['nowhere'], 'there is no profile nowhere'],
  ['sample', ['nothing'], 'there is no sample nothing'],
  ['errors', ['99'], 'there is no error code 99'],
  ['errors', ['2101', 'more'], 'unexpected argument: more'],
  ['simulate', ['-d', 'idtech', '-t', '--option', 'form=disk'], 'option form=disk ('],
  ['partner:add', ['x', '--rsa-public-key', 'no.pem'], '--rsa-public-key: no such file'],
  ['simulate', ['--device-type', 'foo'], '--device-type foo: expected one of generic, '],
  ['serve', ['--port', '99999'], '--port 99999: expected an integer less than'],
  ['serve', ['--demo', '--fail-rate', 'often'], '--fail-rate often: expected a percentage'],
  ['diagnose', ['x', '--time-limit', '5'], '--time-limit 5: expected a duration'],
  ['decrypt', ['0102', '-d', 'miura', '--key-file', 'bdk'], '--key-file: no such file'],
  ['decrypt', ['0102', '-d', 'miura', '-k', 'a', '--passphrase-file', 'b'], 'Keyfile missing: a'],
  ['key:add', ['-k', 'a', '--identity=old'], '--identity: no such file'],
];

describe('an error names', () => {
  it.each(NAMED)('%s %j', async (id, argv, named) => {
    const {stderr, exitCode} = await runCommand(id, argv);
    expect(stderr.split('\n')[0]).toContain(named);
    expect(exitCode).not.toBe(0);
  });

  it('no type where none was given', async () => {
    const payload = 'neither hex nor a notation of any terminal';
    const bare = await runCommand('inspect', ['--payload', payload]);
    expect(bare.stderr).toMatch(/^Error 2100: Payload not recognised: /);
    const typed = await runCommand('inspect', ['--payload', payload, '--device-type', 'miura']);
    expect(typed.stderr).toMatch(/^Error 2100: Payload not recognised as this deviceType: /);
  });
});

/** Texts that some notation reads: never the name of a file. */
const PAYLOADS = {
  'hex of bytes': '02 41 5F',
  'hex with 0x': '0x02, 0x41',
  base64: 'AkFfAwQFBgcI',
  'long base64 with a slash': `${'AkFf/wMEBQYH'.repeat(8)}`,
  XML: '<a>b/c</a>',
  JSON: '{"payload": "x/y.z"}',
  'keyboard text': '%B4/X^A?',
  escapes: '\\x02\\x41/',
  'members with a KSN': 'ksn=FFFF9876543210E00008',
};

it.each(Object.entries(PAYLOADS))('%s is a payload, not the name of a file', async (_, payload) => {
  const {stdout, stderr} = await runCommand('inspect', [payload]);
  expect(stdout + stderr).not.toContain('no such file');
});

const SECRETS = [
  '0123456789ABCDEFFEDCBA9876543210',
  '01:23:45:67:89:ab:cd:ef',
  '4111 1111 1111 1111',
  'key-411111111111.txt',
  '０１２３４５６７８９１２',
];

describe('what may be a secret', () => {
  const commands = (Object.keys(COMMANDS) as Id[]).filter((id) => id !== 'explore');
  const options = commands.flatMap((id) =>
    Object.entries(COMMANDS[id].flags ?? {})
      .filter(([, flag]) => (flag as {type: string}).type === 'option')
      .map(([name]) => [id, name] as const),
  );

  it('is in no error, whatever option or argument it was typed for', async () => {
    const shown: string[] = [];
    for (const [i, [id, option]] of options.entries()) {
      const secret = SECRETS[i % SECRETS.length] ?? '';
      const argv = [`--${option}=${secret}`, ...(COMMANDS[id].args ? ['no.file'] : [])];
      const {stdout, stderr, exitCode} = await runCommand(id, argv);
      if (exitCode !== 0 && `${stdout}${stderr}`.includes(secret)) shown.push(`${id} --${option}`);
      // `listen --save` makes it, and a file that is there may be named.
      rmSync(secret, {force: true});
    }
    expect(options.length).toBeGreaterThan(200);
    expect(shown).toEqual([]);
  }, 60_000);

  it.each(commands.filter((id) => COMMANDS[id].args))('%s as its argument', async (id) => {
    for (const secret of SECRETS) {
      const {stdout, stderr} = await runCommand(id, [secret, '--json']);
      const {stderr: text} = await runCommand(id, [secret]);
      if (id === 'derive' || id === 'diagnose') continue;
      expect(`${stdout}${stderr}${text}`).not.toContain(secret);
    }
  });

  it('is named by its option, as it was written', () => {
    const takesValue = (word: string) => word === '-k' || word === '--key-file';
    const shown = (text: string, ...argv: string[]) => withoutSecrets(text, argv, takesValue);
    expect(shown('key: no key in key', '--key-file', 'key')).toBe(
      '--key-file: no --key-file in --key-file',
    );
    expect(shown('hunter2: no', '--passphrase-file=hunter2')).toBe('--passphrase-file: no');
    expect(shown('/a/411111111111.txt: no', '-k', '/a/411111111111.txt')).toBe('-k: no');
    expect(shown('411111111111: no', '--json', '411111111111')).toBe('(not shown): no');
    expect(shown('2026-11-27T10.json: no', '2026-11-27T10.json')).toBe('2026-11-27T10.json: no');
  });
});

it.each([
  ['', 'found none: it is empty'],
  ['\ufeff\r\n', 'found none: it is empty'],
  ['[{"kind":"bdk"}]', 'found JSON'],
  ['{"hex":"00"}', 'found JSON'],
])('a key file with %j is said to hold no key', async (content, found) => {
  const file = path.join(folder, 'none.hex');
  writeFileSync(file, content, {mode: 0o600});
  const {stderr} = await runCommand('decrypt', ['0102', '--key-file', file, '-d', 'miura']);
  expect(stderr).toContain(`--key-file: expected an even number of hex digits, ${found}`);
});

it('a key with a secret name in its file is named by its option', async () => {
  const file = path.join(folder, 'bdk.hex');
  writeFileSync(file, 'not a key\n', {mode: 0o600});
  const {stderr} = await runCommand('decrypt', ['0102', '--key-file', file, '-d', 'miura']);
  expect(stderr).toMatch(/^Error 9015: Invalid key: --key-file: expected an even number/);
});
