import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {connect} from 'node:net';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterEach, describe, expect, it} from 'vitest';
import {BIN, runBin} from '../../cli/run-bin.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {testCard} from '../../payloads.js';
import {tell} from '../control/control-client.js';

const children: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts a terminal, and waits for its ready line. */
async function serve(...argv: string[]) {
  const child = spawn(process.execPath, [BIN, 'simulate', '--test-keys', ...argv]);
  children.push(child);
  const said = {stdout: '', stderr: ''};
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      said[name] += chunk;
    });
  const ended = once(child, 'exit').then(([code]) => code as number);
  await expect.poll(() => said.stdout, {timeout: 10_000}).toContain('\n');
  const {url, control} = JSON.parse(said.stdout) as {url: string; control: string};
  return {child, said, ended, control, port: Number(new URL(url).port), url};
}

/** A point of sale on Python's standard library: what it gets for some bytes, from a port or a device. */
const PROGRAM = `
import os, select, socket, sys, time
where, request = sys.argv[1], bytes.fromhex(sys.argv[2])
line = socket.create_connection(('127.0.0.1', int(where))) if where.isdigit() else None
fd = line.fileno() if line else os.open(where, os.O_RDWR | os.O_NOCTTY)
os.write(fd, request)
got, quiet = b'', 5
while select.select([fd], [], [], quiet)[0]:
    got += os.read(fd, 65536)
    quiet = 0.5
print(got.hex())
`;

async function answerTo(where: number | string, request: string): Promise<Buffer> {
  const argv = ['-c', PROGRAM, String(where), request];
  const {stdout} = await promisify(execFile)('python3', argv);
  return Buffer.from(stdout.trim(), 'hex');
}

const PING = '5669564F74656368320018010000B3CD';
const PONG = '5669564f74656368320018000000fa83';
/** NAD, PCB, LEN, DE D1 00 00, and the XOR of them. */
const START = `010004DED10000${(1 ^ 4 ^ 0xde ^ 0xd1).toString(16).padStart(2, '0')}`;

describe('simulate --serve', () => {
  it('answers on a port and through a pseudo-terminal, and ends with 0', async () => {
    const {child, said, port, ended} = await serve('--device-type', 'idtech', '--serve', 'tcp:0');
    expect((await answerTo(port, PING)).toString('hex')).toBe(PONG);
    const reader = path.join(tempFolder(), 'reader');
    children.push(spawn('socat', [`PTY,raw,echo=0,link=${reader}`, `TCP:127.0.0.1:${port}`]));
    await expect.poll(() => existsSync(reader)).toBe(true);
    expect((await answerTo(reader, PING)).toString('hex')).toBe(PONG);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(said.stderr.match(/"name":"ping"/g)).toHaveLength(2);
  });

  it('has the queue and the commands at its control port, and logs no card', async () => {
    const argv = ['--device-type', 'miura', '--serve', 'tcp:0', '--control-port', '0'];
    const {said, port, control} = await serve(...argv, '--mode', 'emv', '--card', 'amex');
    const sound = await answerTo(port, START);
    const order = {match: {command: 'DE D1'}, answer: {fault: 'half', damage: 'repeated-counter'}};
    const {status, body} = await tell(control, 'POST /_answers', order);
    expect([status, Object.keys(body)]).toEqual([201, ['id']]);
    expect((await tell(control, 'GET /_answers')).body).toMatchObject([{...order, times: 1}]);
    expect(await answerTo(port, START)).toHaveLength(sound.length >> 1);
    expect((await tell(control, 'GET /_requests?command=DE%20D1')).body).toMatchObject([
      {command: 'DE D1', name: 'start transaction', bytes: 8},
      {fault: 'half'},
    ]);
    expect((await tell(control, 'GET /_requests?command=D0')).body).toEqual([]);
    expect((await tell(control, 'GET /_requests?since=1')).status).toBe(400);
    const wrong = await tell(control, 'POST /_answers', {answer: {card: testCard('visa').pan}});
    expect([wrong.status, wrong.body.errCode]).toEqual([400, 2005]);
    expect((await tell(control, 'POST /_reset')).status).toBe(204);
    expect((await tell(control, 'GET /_requests')).body).toEqual([]);
    expect(await answerTo(port, START)).toEqual(sound);
    const typed = Buffer.from(testCard('visa').pan).toString('hex');
    connect(port, '127.0.0.1').end(Buffer.from(`01001000D0D20100${typed}00`, 'hex'));
    await expect.poll(() => said.stderr).toContain('damaged command');
    for (const card of ['visa', 'amex'])
      expect(said.stdout + said.stderr).not.toContain(testCard(card).pan);
  });

  it('refuses other hosts and pages at its control port', async () => {
    const {control} = await serve('--device-type', 'miura', '--serve', 'tcp:0');
    const {port} = new URL(control);
    const raw = (head: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1');
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.on('close', () => resolve(text));
        socket.write(`GET /_requests HTTP/1.1\r\n${head}connection: close\r\n\r\n`);
      });
    expect(await raw('host: evil.example\r\n')).toContain(' 421 ');
    expect(await raw(`host: 127.0.0.1:${port}\r\norigin: http://evil.example\r\n`)).toContain(
      ' 403 ',
    );
    expect(await raw(`host: 127.0.0.1:${port}\r\n`)).toContain(' 200 ');
  });

  it.each([
    [['--device-type', 'verifone', '--serve', 'tcp:0'], 9001],
    [['--device-type', 'idtech', '--serve', '12000'], 9001],
    [['--device-type', 'idtech', '--serve', 'tcp:70000'], 9001],
    [['--device-type', 'idtech', '--serve', 'tcp:192.0.2.1:0'], 9020],
    [['--device-type', 'idtech', '--serve', 'tcp:0', '--option', 'form=keyboard'], 9001],
    [['--device-type', 'idtech', '--serve', 'tcp:0', '--count', '2'], 9001],
    [['--device-type', 'idtech', '--control-port', '0'], 9001],
  ])('refuses %j', async (argv, code) => {
    const {stdout} = await runBin(['simulate', '--test-keys', '--json', ...argv]);
    expect(JSON.parse(stdout).errCode).toBe(code);
  });

  it('warns when others can connect', async () => {
    const {said, url} = await serve('--device-type', 'miura', '--serve', 'tcp:0.0.0.0:0');
    expect(url).toMatch(/^tcp:\/\/0\.0\.0\.0:\d+$/);
    await expect.poll(() => said.stderr).toContain('Others on the network');
  });
});
