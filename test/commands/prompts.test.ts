import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {type AddressInfo, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished} from 'vitest';
import {BIN, runBin, runBins} from '../cli/run-bin.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {hasTerminal, runOnTerminal} from './on-terminal.js';

/** The published test BDK of X9.24-1. */
const BDK = '0123456789ABCDEFFEDCBA9876543210';
const EVEN_PARITY = '0000000000000000FFFFFFFFFFFFFFFF';
const KSN = 'FFFF9876543210E00001';

let folder: string;
let path: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = tempFolder();
  path = join(folder, 'k.age');
  env = {PAYLENS_KEYFILE: path, PAYLENS_PASSPHRASE: 'pass'};
});

const bin = (...argv: string[]) => runBin(argv, {env});
const create = (factor = '10') => bin('keyfile', 'create', '--work-factor', factor);
const typed = (...answers: string[]) => answers.map((answer) => `${answer}\r`);
/** Answers to a prompt, each but the first after the error of the one before. */
const at = (prompt: string, ...answers: string[]) =>
  typed(...answers).map(
    (answer, i) =>
      [i === 0 ? prompt : new RegExp(`Try again\\.[\\s\\S]*${prompt}`), answer] as const,
  );

describe.skipIf(!hasTerminal)('a prompt asks again', () => {
  const DERIVE = ['derive', KSN, '--key-prompt', '--json'];
  const DECRYPT = ['decrypt', 'samples/idtech-swipe.json', '--key-prompt', '--json'];
  it.each([
    ['not hex', 'xyz', 'found a non-hex character at digit 1', DERIVE],
    ['an odd number of digits', `${BDK}0`, 'found 33 digits', DECRYPT],
    ['a wrong length', BDK.slice(2), 'found 15', DERIVE],
    ['nothing', '', 'found none: it is empty', DECRYPT],
  ])('for a key that is %s', async (_, mistyped, fault, argv) => {
    const {seen, stdout, exitCode} = await runOnTerminal(argv, at('Key in hex', mistyped, BDK));
    expect([exitCode, seen.includes(`${fault}. Try again.`)]).toEqual([0, true]);
    expect(JSON.parse(stdout)).toBeDefined();
  });

  it('in key add too, before anything is saved, with --quiet too', async () => {
    await create();
    const argv = ['key', 'add', 'lab', '--json', '--quiet'];
    const {seen, stdout, exitCode} = await runOnTerminal(argv, at('Key in hex', '00', BDK), env);
    expect([exitCode, seen.includes(BDK)]).toEqual([0, false]);
    expect(JSON.parse(stdout)).toMatchObject({name: 'lab', bytes: 16});
  });

  it('never for parity', async () => {
    const {seen, exitCode} = await runOnTerminal(DERIVE, at('Key in hex', EVEN_PARITY));
    expect([exitCode, seen.includes('Try again')]).toEqual([0, false]);
  });

  it('for the component that was mistyped only', async () => {
    await create();
    const other = `11${BDK.slice(2)}`;
    const argv = ['key', 'add', 'xor', '--components', '2', '--json'];
    const answers = [
      ...at('Component 1 of 2', BDK),
      ...at('Component 2 of 2', `${other}00`, other),
    ];
    const {stdout, exitCode} = await runOnTerminal(argv, answers, env);
    expect([exitCode, JSON.parse(stdout).components.length]).toEqual([0, 2]);
  });

  it('for passphrases that are empty or differ', async () => {
    const answers = [
      ...at('New passphrase', '', 'good'),
      ['Repeat passphrase', 'bad\r'],
      ['New passphrase', 'good\r'],
      ['Repeat passphrase', 'good\r'],
    ] as const;
    const argv = ['keyfile', 'create', '--work-factor', '10'];
    const {seen, exitCode} = await runOnTerminal(argv, answers, {...env, PAYLENS_PASSPHRASE: ''});
    expect([exitCode, seen.includes('the passphrase is empty. Try again.')]).toEqual([0, true]);
    env.PAYLENS_PASSPHRASE = 'good';
    expect((await bin('keyfile', 'show')).exitCode).toBe(0);
  });
});

it.each(['wrong', ''])('a passphrase %j without a terminal is an error', async (passphrase) => {
  await create();
  env.PAYLENS_PASSPHRASE = passphrase;
  const {stderr, exitCode} = await bin('key', 'list');
  expect([exitCode, stderr.includes('Error 9011')]).toEqual([3, true]);
});

describe.skipIf(!hasTerminal)('"no" to a question', () => {
  const things = [
    ['a key', ['key', 'remove', 'lab']],
    ['a partner', ['partner', 'remove', 'ACME']],
    ['a device', ['device', 'remove', '80320050']],
  ] as const;

  const home = mkdtempSync(join(tmpdir(), 'prompts-'));
  const own = {PAYLENS_KEYFILE: join(home, 'k.age'), PAYLENS_PASSPHRASE: 'pass'};
  const runs = (...argvs: string[][]) => runBins(argvs, own);

  // Nothing is changed: one keyfile serves all.
  beforeAll(async () => {
    writeFileSync(join(home, 'key.hex'), BDK, {mode: 0o600});
    await runs(
      ['keyfile', 'create', '--work-factor', '10'],
      ['key', 'add', 'lab', '--key-file', join(home, 'key.hex')],
      ['partner', 'add', 'ACME'],
      ['device', 'add', '80320050', '--partner', 'ACME'],
    );
  });

  afterAll(() => rmSync(home, {recursive: true}));

  it.each(things)('leaves %s as it was: no failure, in JSON too', async (_, argv) => {
    const {seen, exitCode} = await runOnTerminal(argv, at('Remove', 'n'), own);
    expect([exitCode, seen.includes('Nothing was changed.')]).toEqual([0, true]);
    expect(seen).not.toContain('Error');
    const {stdout} = await runOnTerminal([...argv, '--json'], at('Remove', ''), own);
    expect(JSON.parse(stdout)).toEqual({changed: false});
    const [list] = await runs([argv[0], 'list']);
    expect(list?.stdout).toContain(argv[2]);
  });
});

const WIPED = '\r\u001b[K';

/** Runs a command on a terminal, and sends SIGINT to it as soon as `text` is seen. */
async function interruptedAt(text: string, argv: readonly string[]) {
  const line = [process.execPath, BIN, ...argv].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: {...process.env, ...env, TERM: 'xterm', COLUMNS: '80'},
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let seen = '';
  let isSent = false;
  child.stdout.on('data', (chunk) => {
    seen += String(chunk);
    if (isSent || !seen.includes(text)) return;
    isSent = true;
    child.stdin.write('\u0003');
  });
  const [code] = await once(child, 'exit');
  return {seen, code};
}

describe.skipIf(!hasTerminal)('Ctrl-C', () => {
  it('wipes the progress bar and shows the cursor', async () => {
    const server = createServer((socket) => {
      let isFirst = true;
      socket.on('error', () => {});
      socket.on('data', () => {
        if (isFirst)
          socket.write(
            'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n{"success":true}',
          );
        isFirst = false;
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    env.PAYLENS_SHARED_KEY = 's';
    const argv = ['send', 'partner', '--base-url', url, '--partner', 'A', '--count', '9'];
    const {seen, code} = await interruptedAt('1/9', argv);
    expect(code).toBe(130);
    const after = seen.slice(seen.lastIndexOf('1/9'));
    expect(after).toContain(WIPED);
    expect(after.indexOf(WIPED)).toBeLessThan(after.indexOf('Error 9030'));
    expect(cursorOf(seen)).toBe('shown');
  });

  it('leaves the cursor visible at a prompt', async () => {
    env.PAYLENS_PASSPHRASE = '';
    const {seen, code} = await interruptedAt('New passphrase', ['keyfile', 'create']);
    expect([code, cursorOf(seen)]).toEqual([130, 'shown']);
  });
});

/** How the cursor was left. */
function cursorOf(seen: string): 'shown' | 'hidden' {
  return seen.lastIndexOf('\u001b[?25l') > seen.lastIndexOf('\u001b[?25h') ? 'hidden' : 'shown';
}
