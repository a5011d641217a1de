import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, writeFileSync} from 'node:fs';
import {type AddressInfo, createServer as createTcpServer} from 'node:net';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createKeyfile} from '../../src/keyfile/save-keyfile.js';
import {BIN} from '../cli/run-bin.js';
import {PASSPHRASE, passphraseEncryption, sampleKeyfile} from '../keyfile/sample-keyfile.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {hasTerminal, runOnTerminal} from './on-terminal.js';

/** Until a command is at its work; one that is slower is stopped while it starts. */
const BUSY_MS = 600;
/** More than a busy machine needs, and less than what is interrupted would take. */
const AT_ONCE_MS = 4_000;
const CONFIG = fileURLToPath(new URL('../../samples/verify-demo.json', import.meta.url));

interface Interrupted {
  /** `blocked`: the reader of stdout stands still. */
  readonly stdout?: 'blocked';
  readonly env?: Readonly<Record<string, string>>;
}

/** How a command ends that gets SIGINT at its work; undefined when it does not end at once. */
async function interrupted(argv: readonly string[], {stdout, env}: Interrupted = {}) {
  const child = spawn(process.execPath, [BIN, ...argv], {
    env: {...process.env, PAYLENS_SHARED_KEY: 's', PAYLENS_PARTNER_KEY: 'k', ...env},
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (stdout !== 'blocked') child.stdout.resume();
  child.stdin.on('error', () => {});
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const ended = once(child, 'exit');
  await Promise.race([wait(BUSY_MS), ended]);
  const wasBusy = child.exitCode === null;
  child.kill('SIGINT');
  const end = await Promise.race([ended, wait(AT_ONCE_MS)]);
  const [code, signal] = end ?? ['still running'];
  // What a shell says of either.
  return {wasBusy, status: signal === 'SIGINT' ? 130 : code, stderr};
}

async function silentServer(): Promise<string> {
  const server = createTcpServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function file(name: string, text: string): string {
  const written = path.join(tempFolder(), name);
  writeFileSync(written, text);
  return written;
}

function pipe(): string {
  const name = path.join(tempFolder(), 'pipe');
  spawnSync('mkfifo', [name]);
  return name;
}

const ENDED = {wasBusy: true, status: 130};
/** Opens under nothing: the search goes on until its budget is used up. */
const HOPELESS = JSON.stringify({
  payload: Array.from({length: 640}, (_, i) =>
    ((i * 7919 + 13) % 251).toString(16).padStart(2, '0'),
  ).join(''),
  ksn: 'FFFF9876543210E00008',
  keys: [{kind: 'bdk', hex: '00112233445566778899AABBCCDDEEFF'}],
});

describe.skipIf(process.platform === 'win32')('Ctrl-C ends at once', () => {
  it.each<[string, () => string[] | Promise<string[]>, Interrupted]>([
    ['decrypt that waits for stdin', () => ['decrypt', '-', '--test-keys'], {}],
    ['inspect that waits for stdin', () => ['inspect', '-'], {}],
    ['diagnose that waits for stdin', () => ['diagnose', '-'], {}],
    ['sign that waits for stdin', () => ['sign', '-', '--partner', 'A', '--target', '/x'], {}],
    ['a batch that waits for stdin', () => ['decrypt', '--batch', '-', '--test-keys'], {}],
    ['device import that waits for stdin', () => ['device', 'import', '-'], {}],
    ['a search', () => ['diagnose', file('case.json', HOPELESS), '--time-limit', '10m'], {}],
    [
      'a search in several threads',
      () => ['diagnose', file('case.json', HOPELESS), '--time-limit', '10m', '--threads', '2'],
      {},
    ],
    [
      'simulate of many',
      () => ['simulate', '--device-type', 'idtech', '--test-keys', '--count', '99999999'],
      {},
    ],
    [
      'simulate whose reader stands still',
      () => ['simulate', '--device-type', 'idtech', '--test-keys', '--count', '99999999'],
      {stdout: 'blocked'},
    ],
    [
      'a batch whose reader stands still',
      () => ['decrypt', '--batch', file('many.jsonl', '{}\n'.repeat(200_000)), '--test-keys'],
      {stdout: 'blocked'},
    ],
    ['a payload from a pipe without a writer', () => ['decrypt', pipe(), '--test-keys'], {}],
    [
      'a batch from a pipe without a writer',
      () => ['decrypt', '--batch', pipe(), '--test-keys'],
      {},
    ],
    ['devices from a pipe without a writer', () => ['device', 'import', pipe()], {}],
    ['keys from a pipe without a writer', () => ['key', 'import', pipe()], {}],
    [
      'send',
      async () => ['send', 'partner', '--base-url', await silentServer(), '--partner', 'A'],
      {},
    ],
    [
      'send of many',
      async () => [
        'send',
        'partner',
        '--base-url',
        await silentServer(),
        '--partner',
        'A',
        '--count',
        '99',
      ],
      {},
    ],
    [
      'send that tries again',
      () => [
        'send',
        'partner',
        '--base-url',
        'http://127.0.0.1:1',
        '--partner',
        'A',
        '--retries',
        '10',
      ],
      {},
    ],
    ['verify', async () => ['verify', await silentServer(), '--config', CONFIG], {}],
  ])('%s', async (_, argv, options) => {
    const {wasBusy, status, stderr} = await interrupted(await argv(), options);
    expect({wasBusy, status}).toEqual(ENDED);
    if (stderr !== '') expect(stderr).toContain('Error 9030');
  });

  it('the derivation of a key out of a passphrase', async () => {
    const passphrase = file('passphrase.txt', 'of no use');
    const keyfile = path.join(tempFolder(), 'new.age');
    const argv = ['keyfile', 'create', '--keyfile', keyfile, '--passphrase-file', passphrase];
    // Seconds of work, which nothing but the end of the process ends.
    const {status} = await interrupted([...argv, '--work-factor', '20']);
    expect(status).toBe(130);
  });

  it('a change of a keyfile, and leaves nothing beside it', async () => {
    const folder = tempFolder();
    const keyfile = path.join(folder, 'keys.age');
    const passphrase = file('passphrase.txt', PASSPHRASE);
    await createKeyfile(keyfile, sampleKeyfile(), passphraseEncryption(PASSPHRASE, 18));
    const argv = ['key', 'remove', 'test', '--yes', '--keyfile', keyfile];
    const child = spawn(process.execPath, [BIN, ...argv, '--passphrase-file', passphrase]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    while (readdirSync(folder).length < 2 && child.exitCode === null) await wait(1);
    expect(readdirSync(folder)).toHaveLength(2);
    child.kill('SIGINT');
    await ended;
    expect(readdirSync(folder)).toEqual(['keys.age']);
  });

  it.skipIf(!hasTerminal)('a prompt, typed at it', async () => {
    const keyfile = path.join(tempFolder(), 'new.age');
    const {seen, exitCode} = await runOnTerminal(
      ['keyfile', 'create', '--keyfile', keyfile],
      [['New passphrase:', '\u0003']],
    );
    expect([exitCode, seen]).toEqual([130, expect.stringContaining('Error 9030')]);
  });
});

/** Sends SIGINT between the moment when a service listens and the one when it says so. */
const HOOK = `
  import {Server} from 'node:net';
  const {listen} = Server.prototype;
  Server.prototype.listen = function (...where) {
    this.prependOnceListener('listening', () => process.kill(process.pid, 'SIGINT'));
    return listen.apply(this, where);
  };`;

it('a service loses no signal that comes just before it serves', async () => {
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(HOOK)}`;
  const child = spawn(process.execPath, [BIN, 'serve', '--demo', '--port', '0'], {
    env: {...process.env, NODE_OPTIONS},
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const end = await Promise.race([once(child, 'exit'), wait(AT_ONCE_MS)]);
  expect(end?.[0] ?? 'still running').toBe(0);
});
