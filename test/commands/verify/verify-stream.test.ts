import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {BIN} from '../../cli/run-bin.js';
import {readXml} from '../../cli/verify/strict-xml.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {hasTerminal, runOnTerminal} from '../on-terminal.js';

/** A server that answers the first three requests; the next waits, and `tired` is called. */
async function tiringServer(tired: () => void = () => {}): Promise<string> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (++count > 3) return tired();
    const messageId = `1${String(count).padStart(24, '0')}`;
    const body = {success: false, errCode: 1003, errMessage: 'Authentication required', messageId};
    response.writeHead(401, {'content-type': 'application/json'}).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs `verify` until no more is answered, and then stops it by SIGINT. */
async function stopped(...argv: readonly string[]) {
  const {promise: tired, resolve} = waiting();
  const url = await tiringServer(resolve);
  const config = ['--config', 'samples/verify-demo.json'];
  const child = spawn(process.execPath, [BIN, 'verify', url, ...config, ...argv]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const out = {stdout: '', stderr: ''};
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      out[name] += String(chunk);
    });
  const ended = once(child, 'close');
  await tired;
  const {stdout: early} = out;
  child.kill('SIGINT');
  const [exitCode] = await ended;
  return {exitCode, early, ...out};
}

function waiting() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return {promise, resolve};
}

test('each result is printed as it comes, and Ctrl-C leaves what is known', async () => {
  const {exitCode, early, stderr} = await stopped();
  expect(early).toMatch(/^fail\tpartner-valid\t.*\npass\tpartner-wrong-key\t.*\npass/);
  expect(stderr).toMatch(/^2 passed, 1 failed, \d+ not run\nError 9030/m);
  expect(exitCode).toBe(130);
});

test('Ctrl-C leaves one JSON document and one JUnit report', async () => {
  const file = path.join(tempFolder(), 'report.xml');
  const {exitCode, stdout, stderr} = await stopped('--json', '--junit', file);
  const {passed, failed, notRun, interrupted, scenarios} = JSON.parse(stdout);
  expect({exitCode, passed, failed, interrupted}).toEqual({
    exitCode: 130,
    passed: 2,
    failed: 1,
    interrupted: true,
  });
  expect(scenarios).toHaveLength(passed + failed + notRun);
  expect(stderr).not.toContain('9030');
  const {attributes} = readXml(readFileSync(file, 'utf8'));
  expect(attributes).toMatchObject({tests: String(scenarios.length), failures: `${1 + notRun}`});
});

test.skipIf(!hasTerminal)('a terminal shows which scenario is run', async () => {
  const url = await tiringServer();
  const argv = ['verify', url, '--only', 'partner', '--timeout', '1s'];
  const {seen, stdout, exitCode} = await runOnTerminal(argv, []);
  expect(exitCode).toBe(0);
  expect(seen).toContain('\r\x1b[K4/5 partner-id-missing');
  expect(stdout).toMatch(/^pass\tpartner-id-missing\t/);
});
