import {spawn} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {stripVTControlCharacters} from 'node:util';
import {describe, expect, onTestFinished, test} from 'vitest';
import {readyLines} from '../../../src/cli/serve/ready-lines.js';
import {BIN} from '../../cli/run-bin.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {hasTerminal} from '../on-terminal.js';
import {isRunning} from './processes.js';
import {servedOnTerminal} from './terminal-service.js';

test('a ready service says what to open, then partner and pages, each value whole', () => {
  const partner = {partnerId: 'DEMO', partnerKey: 'k'.repeat(32)};
  const ready = {url: 'http://127.0.0.1:8080', partner};
  expect(readyLines(ready)(80)).toBe(
    [
      'open        http://127.0.0.1:8080',
      'partnerId   DEMO',
      `partnerKey  ${'k'.repeat(32)}`,
      'inspector   http://127.0.0.1:8080/',
      'docs        http://127.0.0.1:8080/docs',
    ].join('\n'),
  );
  expect(readyLines(ready)(40)).toContain(`\npartnerKey\n${'k'.repeat(32)}\n`);
  expect(readyLines({url: 'https://a:1', inspector: 'https://a:1/#token=x'})(80)).toBe(
    'open       https://a:1/#token=x\ninspector  https://a:1/#token=x\ndocs       https://a:1/docs',
  );
});

/** A service on a terminal that is open until `close` is called. */
async function onTerminal(command: (serve: string) => string) {
  const folder = tempFolder();
  const [pidFile, log] = [path.join(folder, 'pid'), path.join(folder, 'log')];
  const serve = `'${process.execPath}' '${BIN}' serve --demo --port 0 --pid-file '${pidFile}'`;
  const child = spawn('script', ['-qec', command(serve).replace('LOG', log), '/dev/null']);
  onTestFinished(() => void child.kill('SIGKILL'));
  let seen = '';
  child.stdout.on('data', (chunk) => {
    seen += String(chunk);
  });
  const text = () => seen + (existsSync(log) ? readFileSync(log, 'utf8') : '');
  await until(() => text().includes('listening'));
  const pid = Number(readFileSync(pidFile, 'utf8'));
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  return {pid, pidFile, text, close: () => child.kill('SIGKILL')};
}

async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; !done(); tries++) {
    if (tries > 2000) throw new Error('it did not come');
    await wait(10);
  }
}

describe.runIf(hasTerminal)('a service on a terminal', {timeout: 40_000}, () => {
  test('opens with lines to read, and with the JSON line by --json', async () => {
    const lines = stripVTControlCharacters(await servedOnTerminal(['--demo'], async () => {}, 80));
    expect(lines).toMatch(/^open +http:\/\/127\.0\.0\.1:\d+\r\npartnerId +DEMO\r\n/);
    const json = await servedOnTerminal(['--demo', '--json'], async () => {}, 80);
    expect(json).toMatch(/^\{"url":"http:\/\/127\.0\.0\.1:\d+","partner":/);
  });

  test('stops when the terminal is closed, and removes its files', async () => {
    const {pid, pidFile, close} = await onTerminal((serve) => `exec ${serve}`);
    close();
    await until(() => !isRunning(pid));
    expect(existsSync(pidFile)).toBe(false);
  });

  test('reloads by SIGHUP while the terminal is open', async () => {
    const {pid, text} = await onTerminal((serve) => `exec ${serve}`);
    process.kill(pid, 'SIGHUP');
    await until(() => text().includes('reloaded'));
    expect(isRunning(pid)).toBe(true);
  });

  test('reloads under nohup when the terminal is closed', async () => {
    const {pid, text, close} = await onTerminal((serve) => `nohup ${serve} > LOG 2>&1 & wait`);
    close();
    await wait(300);
    process.kill(pid, 'SIGHUP');
    await until(() => text().includes('reloaded'));
    process.kill(pid, 'SIGTERM');
    await until(() => text().includes('"stopped"'));
  });
});
