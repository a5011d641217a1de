import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import path from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {BIN, runBin} from '../cli/run-bin.js';
import {SENT_FRAMES} from '../engine/framing/wire-streams.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {testCard} from '../payloads.js';

/** Reads of every form and card. */
const READS = SENT_FRAMES.filter((_, i) => i % 3 === 0);
const [FIRST, SECOND] = READS.filter(({type}) => type === 'idtech') as [
  (typeof READS)[number],
  (typeof READS)[number],
];
const CARDS = ['visa', 'mastercard', 'amex'].map((id) => testCard(id).pan);
const isMaskOf = (number: string, pan: string) =>
  number === `${pan.slice(0, 6)}${'*'.repeat(pan.length - 10)}${pan.slice(-4)}`;
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

let folder = '';
let server: TestServer;
const children: ReturnType<typeof spawn>[] = [];

beforeEach(() => {
  folder = tempFolder();
});
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts it, and waits for what it says on stderr. */
async function start(argv: readonly string[], says: RegExp) {
  const child = spawn(process.execPath, [BIN, 'listen', ...argv]);
  children.push(child);
  const said = {stdout: '', stderr: ''};
  const ended = once(child, 'exit').then(([code]) => code as number);
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      said[name] += chunk;
    });
  await expect.poll(() => said.stderr).toMatch(says);
  return {child, said, ended};
}

describe('listen', () => {
  it('shows each read of a stream of every form, once and in order', async () => {
    const noise = Buffer.of(0x00, 0x06, 0x15, 0x0d, 0x0a, 0xff, 0xfe);
    const input = Buffer.concat(READS.flatMap(({wire}) => [noise, wire]));
    const {stdout, exitCode} = await runBin(['listen', '-', '--test-keys', '--json'], {input});
    const reads = linesOf(stdout);
    expect(reads.map(({deviceType, form}) => [deviceType, form])).toEqual(
      READS.map(({type, form}) => [type, form]),
    );
    expect(exitCode).toBe(0);
    for (const {number} of reads)
      expect(CARDS.filter((pan) => isMaskOf(number, pan))).toHaveLength(1);
    for (const pan of CARDS) expect(stdout).not.toContain(pan);
  });

  it('reports a damaged frame with its place, and loses neither neighbour', async () => {
    const damaged = Buffer.from(FIRST.wire);
    damaged[20] = damaged[20]! ^ 1;
    const input = Buffer.concat([FIRST.wire, damaged, SECOND.wire]);
    const run = await runBin(['listen', '-', '--test-keys', '--json'], {input});
    const reads = linesOf(run.stdout);
    expect(reads.map(({errCode, at}) => [errCode, at])).toEqual([
      [undefined, 0],
      [2101, FIRST.wire.length],
      [undefined, FIRST.wire.length + damaged.length],
    ]);
    expect(run.exitCode).toBe(7);
    const people = await runBin(['listen', '-', '--test-keys'], {input});
    expect(people.stdout).toMatch(
      /^[\d:.]{12} {2}idtech .*\n[\d:.]{12} {2}\S+ +Error 2101: .*\n.*\n[\d:.]{12} {2}idtech /,
    );
  });

  it('shows what it can without a key, and nothing of messages that are no reads', async () => {
    const input = Buffer.concat([Buffer.from('a line of a log\n'), FIRST.wire]);
    const home = {XDG_CONFIG_HOME: folder};
    const {stdout, stderr} = await runBin(['listen', '-'], {input, env: home});
    expect(stdout).toMatch(/^[\d:.]{12} {2}idtech +FFFF98\w{14}\s*$/);
    expect(stderr).toMatch(/No key was given.*\n.*1 message without a read/);
  });

  it('decrypts with the wrong key to no card, and says why', async () => {
    const key = path.join(folder, 'bdk.hex');
    writeFileSync(key, 'FEDCBA9876543210F1F1F1F1F1F1F1F1', {mode: 0o600});
    const argv = ['listen', '-', '--json', '--key-file', key];
    const {stdout, exitCode} = await runBin(argv, {input: FIRST.wire});
    const [read] = linesOf(stdout);
    expect(read).toMatchObject({deviceType: 'idtech', errCode: 2601, cause: expect.any(String)});
    expect([read.number, exitCode]).toEqual([undefined, 7]);
  });

  it('masks clear card data in its output and its file, unless told to keep it', async () => {
    const input = `%B${CARDS[0]}^TEST/VISA^28121010000000000?;${CARDS[0]}=28121010000000000?\r`;
    const file = path.join(folder, 'masked.jsonl');
    const argv = ['listen', '-', '--json', '--test-keys', '--device-type', 'magtek'];
    const masked = await runBin([...argv, '--save', file], {input});
    const saved = readFileSync(file, 'utf8');
    expect(linesOf(saved)).toEqual([expect.objectContaining({errCode: 2110, masked: true})]);
    for (const text of [masked.stdout, masked.stderr, saved]) expect(text).not.toContain(CARDS[0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = await runBin([...argv, '--keep-cards'], {input});
    expect(linesOf(kept.stdout)[0].devicePayload).toContain(CARDS[0]);
    const refused = await runBin(['listen', '-', '--keep-cards'], {input});
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
  });

  it('acknowledges messages on a TCP connection, several at once, and stops after a count', async () => {
    const argv = ['tcp-listen:0', '--test-keys', '--json', '--ack', '--count', '3'];
    const {said, ended} = await start(argv, /Listening on 127\.0\.0\.1:\d+/);
    const port = Number(/:(\d+)\s/.exec(said.stderr)?.[1]);
    const open = async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    };
    const reply = async (socket: Socket) => (await once(socket, 'data'))[0].toString('hex');
    const text = READS.find(({form}) => form === 'text')!.wire;
    const wrong = Buffer.from(text);
    wrong[wrong.length - 1] = wrong.at(-1)! ^ 1;
    const [one, two] = [await open(), await open()];
    for (let i = 0; i < text.length; i += 50) {
      one.write(text.subarray(i, i + 50));
      two.write(wrong.subarray(i, i + 50));
    }
    expect(await Promise.all([reply(one), reply(two)])).toEqual(['06', '15']);
    one.write(FIRST.wire);
    expect(await ended).toBe(7);
    expect(linesOf(said.stdout).map(({errCode = 0}) => errCode)).toHaveLength(3);
  });

  it('waits with --retry for a terminal that is not there, and ends at a signal with its file whole', async () => {
    const server = createServer((socket) => socket.end(FIRST.wire)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const {port} = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const missing = await runBin(['listen', `tcp:127.0.0.1:${port}`, '--test-keys']);
    expect([missing.exitCode, missing.stderr]).toEqual([6, expect.stringContaining(`:${port}`)]);
    const file = path.join(folder, 'retry.jsonl');
    const argv = [`tcp:127.0.0.1:${port}`, '--test-keys', '--retry', '--save', file];
    const {child, said, ended} = await start(argv, /waiting for it/);
    server.listen(port, '127.0.0.1');
    await expect.poll(() => said.stdout).toMatch(/idtech.*\n.*idtech/s);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(linesOf(readFileSync(file, 'utf8')).length).toBeGreaterThanOrEqual(2);
    server.close();
  });

  it('reads a serial device at its speed', async () => {
    const [near, far] = [path.join(folder, 'near'), path.join(folder, 'far')];
    const pty = (name: string) => `pty,raw,echo=0,link=${name}`;
    children.push(spawn('socat', [pty(near), pty(far)]));
    await expect.poll(() => existsSync(near) && existsSync(far)).toBe(true);
    const argv = [`${near}:115200`, '--test-keys', '--json', '--count', '2'];
    const {said, ended} = await start([...argv, '--retry'], /^/);
    const socket = spawn('sh', ['-c', `sleep 2; cat > ${far}`]);
    socket.stdin.end(Buffer.concat([FIRST.wire, SECOND.wire]));
    expect(await ended).toBe(0);
    expect(linesOf(said.stdout).map(({deviceType}) => deviceType)).toEqual(['idtech', 'idtech']);
  });

  it.each([
    ['tcp:', 2],
    ['tcp-listen:x', 2],
    ['tcp-listen:99999', 2],
    ['tcp:127.0.0.1:65536', 2],
    ['/dev/no-such-reader', 4],
  ])('refuses %s', async (source, code) => {
    const {exitCode, stdout} = await runBin(['listen', source, '--test-keys']);
    expect([exitCode, stdout]).toEqual([code, '']);
  });
});

describe('send payload --batch', () => {
  const to = () => ['--batch', '--base-url', server.url, '--partner', 'DEMO'];
  const env = () => ({PAYLENS_SHARED_KEY: server.partner.sharedKey});

  it('sends each read that listen printed, and answers each on a line, in order', async () => {
    const stream = Buffer.concat(READS.map(({wire}) => wire));
    const listened = await runBin(['listen', '-', '--json', '--test-keys'], {input: stream});
    const argv = ['send', 'payload', '-', ...to(), '--concurrency', '8'];
    const {stdout, exitCode} = await runBin(argv, {input: listened.stdout, env: env()});
    const reads = linesOf(listened.stdout);
    const answers = linesOf(stdout);
    expect(answers).toHaveLength(reads.length);
    answers.forEach(({errCode, extracted}, i) => {
      // The endpoint knows the ten types of the interface.
      if (reads[i].deviceType === 'magtek') expect(errCode).toBe(2001);
      else expect(isMaskOf(reads[i].number, extracted.PAN)).toBe(true);
    });
    expect(exitCode).toBe(7);
  });

  it('answers what it cannot send, and what the endpoint refuses, on its line', async () => {
    const wrong = JSON.stringify({deviceType: 'idtech', devicePayload: '02'});
    const masked = JSON.stringify({...JSON.parse(wrong), masked: true});
    const input = `${wrong}\n\n${masked}\n{"deviceType":"no-such"}\n`;
    const argv = ['send', 'payload', '-', ...to()];
    const {stdout, stderr, exitCode} = await runBin(argv, {input, env: env()});
    expect(linesOf(stdout).map(({errCode}) => errCode)).toEqual([2102, 2004, 9002, 2001]);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('4 lines, 4 failed');
  });
});
