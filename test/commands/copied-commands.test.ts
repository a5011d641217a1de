import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {type AddressInfo, createServer, type Server} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {execa, execaSync} from 'execa';
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest';
import {COMMANDS} from '../../src/command-list.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {BIN} from '../cli/run-bin.js';
import {runCommand} from '../cli/run-command.js';
import {SENT_FRAMES} from '../engine/framing/wire-streams.js';
import {HAS_REDIS, startRedis} from '../service/redis-server.js';
import {hasTerminal, runOnTerminal} from './on-terminal.js';

/**
 * Whatever help and messages print for copying is run as a reader would who has the files that it
 * names; example hosts are servers of the test. It must do what it says, and end with 0.
 */
type Id = keyof typeof COMMANDS;

const IDS = Object.keys(COMMANDS) as Id[];
const KEY = '0123456789ABCDEFFEDCBA9876543210';
const SHARED = '5ha3ed5ha3ed5ha3ed5ha3ed5ha3ed00';
const PASSPHRASE = 'correct horse battery';
const KEYS = [{kind: 'bdk', hex: KEY, ksnPrefix: 'FFFF02'}];
const DEVICE = {partnerId: 'WATERFORD', serial: '80320050', clientId: 'C1', status: 'active'};
const FILES: Readonly<Record<string, string>> = {
  ...{'bdk.hex': KEY, 'key.hex': KEY, 'ik.hex': KEY, 'key.txt': SHARED, 'shared.txt': SHARED},
  'new.txt': '00112233445566778899AABBCCDDEEFF',
  'old.txt': PASSPHRASE,
  'passphrase.txt': PASSPHRASE,
  'body.json': '{"partnerId":"DEMO"}',
  'keys.json': JSON.stringify(KEYS),
  'devices.csv': 'serial,status\n1001,active\n',
  'devices.jsonl': JSON.stringify(DEVICE),
  'all.json': JSON.stringify({devices: [{...DEVICE, serial: '1002'}]}),
  'recipients.txt': 'age1cu3y68hsvqzdsna43ftf7mf539d99t2m9yhnync2up7g0ysw9fms4xwzyx\n',
  'mine.json': readFileSync('samples/verify-demo.json', 'utf8'),
  'demo-rsa-key.pem': readFileSync('samples/demo-rsa-key.pem', 'utf8'),
};
/** Programs that examples start: the page is opened by none, and one is of another system. */
const PROGRAMS = {
  paylens: `exec '${process.execPath}' '${BIN}' "$@"`,
  'xdg-open': 'exit 0',
  'Out-String': 'exec cat',
  'Invoke-Expression': 'exec grep -q paylens',
};
/** What is typed at prompts. */
const TYPED: readonly (readonly [RegExp, [RegExp, string][]])[] = [
  [/--components 3/, [1, 2, 3].map((n) => [RegExp(`Component ${n}`), `${n}${KEY.slice(1)}\r`])],
  [/--key-prompt|key add (?!.*--key-file)/, [[/in hex/, `${KEY}\r`]]],
  [/ remove (?!.*--yes)/, [[/Remove/, 'y\r']]],
  [
    /rekey$/,
    [
      [/New passphrase/, `${PASSPHRASE}\r`],
      [/Repeat/, `${PASSPHRASE}\r`],
    ],
  ],
];
/** What runs until it is stopped, and says when it is ready. */
const ENDLESS = /paylens (?:(?:serve|listen|explore)\b(?!.*--write)|simulate .*--serve)/;
/** What a hint leaves to its reader. */
const REST: Readonly<Record<string, string>> = {
  'decrypt --batch': 'reads.jsonl --test-keys',
  derive: 'FFFF9876543210E00001 --test-keys',
  'device add': '80320051 --partner WATERFORD',
  'device set': '80320050 --status active',
  diagnose: 'read.txt --test-keys',
  'key add': 'second --ksn-prefix FFFF01',
  'key add --key-file': 'bdk.hex --ksn-prefix FFFF01',
  'key add --kind kbpk': 'other',
  'key import': 'keys.json',
  'key remove': 'lab',
  'keyfile create': '--keyfile new.age',
  'partner add': 'ACME',
  'partner rotate': 'WATERFORD',
  serve: '--demo',
  'verify --config': 'mine.json http://127.0.0.1:8080',
};

const MEANT: Readonly<Record<string, string>> = {
  RECIPIENT: FILES['recipients.txt']?.trim() ?? '',
  NAME: 'test',
  URL: 'http://127.0.0.1:8080',
  '${baseUrl}': 'http://127.0.0.1:8080 --config mine.json',
  '${deviceType}': 'idtech',
  '${command}': 'key list',
};

const HOME = mkdtempSync(path.join(tmpdir(), 'paylens-copied-'));
const cwd = process.cwd();
let server: TestServer;
let terminal: Server;

async function must(id: Id, ...argv: string[]): Promise<string> {
  const {stdout, stderr, exitCode} = await runCommand(id, argv);
  expect([id, argv, stderr, exitCode]).toEqual([id, argv, stderr, 0]);
  return stdout;
}

/** Everything that the examples name, in `full`; in `bare` without what they add. */
beforeAll(async () => {
  server = await startServer();
  const [frame] = SENT_FRAMES.filter(({type}) => type === 'idtech');
  terminal = createServer((socket) => socket.write(frame?.wire ?? '')).listen(0, '127.0.0.1');
  for (const folder of ['bare/.zfunc', 'bare/.config/fish/completions', 'path'])
    mkdirSync(path.join(HOME, folder), {recursive: true});
  for (const [name, text] of Object.entries(PROGRAMS))
    writeFileSync(path.join(HOME, 'path', name), `#!/bin/sh\n${text}\n`, {mode: 0o755});
  cpSync('samples', path.join(HOME, 'bare/samples'), {recursive: true});
  vi.stubEnv('PATH', `${path.join(HOME, 'path')}:${process.env.PATH}`);
  vi.stubEnv('PAYLENS_PASSPHRASE', PASSPHRASE);
  vi.stubEnv('PAYLENS_PARTNER_KEY', server.partner.partnerKey);
  vi.stubEnv('PAYLENS_SHARED_KEY', server.partner.sharedKey);
  enter('bare');
  for (const [name, text] of Object.entries(FILES)) writeFileSync(name, text, {mode: 0o600});
  writeFileSync('captured.bin', frame?.wire ?? '');
  const ofPem = 'openssl pkey -in demo-rsa-key.pem -pubout -out acme.pem'.split(' ');
  execaSync('openssl', ofPem.slice(1));
  const request = JSON.parse(await must('simulate', '-d', 'idtech', '-t', '--json'));
  const {devicePayload: read} = request;
  writeFileSync('read.txt', read);
  writeFileSync('reads.jsonl', JSON.stringify(request));
  writeFileSync('case.json', JSON.stringify({payload: read, keys: KEYS}));
  const target = ['--target', '/api/v1/decrypt/parser', '--partner', 'DEMO'];
  const header = (
    await must('sign', 'body.json', ...target, '--shared-key-file', 'key.txt')
  ).trim();
  const url = `${server.url}/api/v1/decrypt/parser`;
  writeFileSync('header.txt', header);
  writeFileSync(
    'request.sh',
    `curl ${url} -H 'Authorization: ${header}' -d '${FILES['body.json']}'`,
  );
  await must('keyfile:create', '--work-factor', '10');
  await must(
    'key:add',
    'transport',
    '--kind',
    'kbpk',
    '--algorithm',
    'tdes',
    '--key-file',
    'key.hex',
  );
  cpSync(path.join(HOME, 'bare'), path.join(HOME, 'full'), {recursive: true});
  enter('full');
  await must('key:add', 'lab', '--ksn-prefix', 'FFFF987654', '--key-file', 'bdk.hex');
  for (const name of ['WATERFORD', 'OTHER']) await must('partner:add', name);
  await must('device:add', DEVICE.serial, '--partner', 'WATERFORD', '--client', 'C1');
  await must('profile:add', 'test', '--base-url', server.url, '--partner', 'DEMO');
  const blocks = await must('key:export', 'lab', '--key-block', '--kbpk', 'transport');
  writeFileSync(path.join(HOME, 'bare/blocks.txt'), blocks);
  for (const name of ['keys.age', 'test.age', 'partners.age'])
    cpSync('.config/paylens/keyfile.age', name);
});
afterAll(async () => {
  process.chdir(cwd);
  vi.unstubAllEnvs();
  rmSync(HOME, {recursive: true});
  terminal.close();
  await server.close();
});

function enter(folder: string): void {
  process.chdir(path.join(HOME, folder));
  vi.stubEnv('HOME', process.cwd());
  vi.stubEnv('XDG_CONFIG_HOME', path.join(process.cwd(), '.config'));
}

/** With the servers of the test, and ports that are free. */
async function ofTest(line: string): Promise<string> {
  const {port} = terminal.address() as AddressInfo;
  const header = readFileSync('header.txt', 'utf8');
  const redis = line.includes('redis://') ? (await startRedis()).url : '';
  return line
    .replace(/https?:\/\/(?:127\.0\.0\.1:8080|parser\.example\.com)/, server.url)
    .replace(/redis:\S+/, redis)
    .replace('192.0.2.10:12000', `127.0.0.1:${port}`)
    .replace('tcp-listen:9100', 'tcp-listen:0')
    .replace('tcp:12000', 'tcp:0')
    .replace('/dev/ttyACM0', 'captured.bin')
    .replace(/--check '.*'/, `--check '${header}'`)
    .replace('--port 8090', '--port 0')
    .replace('--work-factor 20', '--work-factor 11')
    .replace(/(paylens serve (?!.*--port).*)/, '$1 --port 0');
}

/** What it prints, and its exit code. */
async function run(line: string): Promise<{exitCode: number | undefined; said: string}> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  );
  const [, ...argv] = words;
  if (ENDLESS.test(line)) return runUntilReady(line);
  const [, answers] = TYPED.find(([form]) => form.test(line)) ?? [];
  if (answers) {
    const {seen, exitCode} = await runOnTerminal(argv, answers);
    return {exitCode, said: seen};
  }
  const id = [argv.slice(0, 2).join(':'), argv[0]].find((one) => IDS.includes(one as Id)) as Id;
  const rest = argv.slice(id?.includes(':') ? 2 : 1);
  if (id && !/[|<>()]/.test(line)) {
    const {stdout, stderr, exitCode} = await runCommand(id, rest);
    return {exitCode, said: stdout + stderr};
  }
  const {exitCode, all} = await execa('bash', ['-o', 'pipefail', '-c', line], {
    ...{reject: false, all: true, input: ''},
  });
  return {exitCode, said: all};
}

/** Interrupts it, as its user would, once it shows an address, or that it is listening, or a card. */
async function runUntilReady(line: string): Promise<{exitCode: number; said: string}> {
  const child = spawn('bash', ['-o', 'pipefail', '-c', line], {detached: true});
  let said = '';
  const isReady = /http:\/\/|Listening|\*{4,}/;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      if (!isReady.test(said) && isReady.test(`${said}${chunk}`))
        process.kill(-(child.pid ?? 0), 'SIGINT');
      said += chunk;
    });
  const [exitCode, signal] = await once(child, 'exit');
  // What reads a file may be at its end when the interrupt comes: for a shell that is 130, too.
  return {exitCode: signal === 'SIGINT' ? 130 : exitCode, said};
}

/** 0; 130 for a pipe that is interrupted; 4 for the sample whose key is private, as it says. */
function endOf(line: string, exitCode: number | undefined): number {
  if (line.includes('idtech-private-key')) return 4;
  return ENDLESS.test(line) && exitCode === 130 ? 130 : 0;
}

/** Runs a line in a copy of the folder that has what it needs, and not yet what it makes. */
async function succeeds(line: string): Promise<void> {
  const isMaking = /paylens (?:keyfile create|(?:key|partner|device|profile) (?:add|import))\b/;
  cpSync(path.join(HOME, isMaking.test(line) ? 'bare' : 'full'), path.join(HOME, 'copy'), {
    recursive: true,
  });
  enter('copy');
  try {
    if (/keyfile create/.test(line)) rmSync('.config/paylens', {recursive: true});
    if (line.includes('--output')) rmSync('keys.json');
    const {exitCode, said} = await run(await ofTest(line));
    expect({line, exitCode, said}).toEqual({line, exitCode: endOf(line, exitCode), said});
  } finally {
    process.chdir(HOME);
    rmSync(path.join(HOME, 'copy'), {recursive: true});
  }
}

describe.skipIf(!hasTerminal || !HAS_REDIS)('what is printed for copying', () => {
  const examples = IDS.flatMap((id) =>
    [COMMANDS[id].examples ?? []]
      .flat()
      .map((text) =>
        String(text)
          .replaceAll('<%= config.bin %>', 'paylens')
          .replaceAll('<%= command.id %>', id.replace(':', ' ')),
      ),
  );
  it.each([...new Set(examples)])('%s', succeeds);

  const sources = readdirSync('src', {recursive: true, encoding: 'utf8'})
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(`src/${file}`, 'utf8').replaceAll('\\`', '`'));
  const hints = sources.flatMap((text) => [
    ...text.matchAll(/`paylens ([a-z][^`]*)`/g),
    ...text.matchAll(/noteCommand\(\s*'paylens ([^']*)/g),
  ]);
  const named = new Set(hints.map(([, words = '']) => words));
  it('is found', () => expect([examples.length > 80, named.size > 30]).toEqual([true, true]));
  const lines = [...named].map((words) =>
    `paylens ${words} ${REST[words] ?? ''}`
      .replace(/\b(?:RECIPIENT|NAME|URL)\b|\$\{\w+\}/g, (word) => MEANT[word] ?? word)
      .trim(),
  );
  it.each(lines.filter((line) => !examples.includes(line)))('%s, in a message', succeeds);
});
