import {type ChildProcess, execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, openSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startServer} from '../../src/service/start-server.js';
import {BIN} from '../cli/run-bin.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {tenthOf} from '../long.js';

const LINE = `${readFileSync('samples/idtech-swipe.json', 'utf8').replace(/\s+/g, ' ')}\n`;
const BLOCK = Buffer.from(LINE.repeat(200));
/** What the system and the streams between may hold, and far less than a command could read. */
const MAX_TAKEN_BYTES = 64 * 2 ** 20;
/** Two threads, and what is ahead of them. */
const MAX_MEGABYTES = 250;
/** A reader of stdout gets 300 ms; the rest is for a busy machine. */
const MAX_END_MS = 5_000;

/** Fills a pipe, then runs a command with it as stdout. */
const SCRIPT = 'dd if=/dev/zero bs=512 oflag=nonblock status=none 2> /dev/null; exec "$0" "$@"';

/** A command whose stdout is a full pipe that nobody reads. */
function unread(argv: readonly string[]): ChildProcess {
  const pipe = join(tempFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const stdout = openSync(pipe, 'r+');
  const child = spawn('bash', ['-c', SCRIPT, process.execPath, BIN, ...argv], {
    stdio: ['pipe', stdout, 'ignore'],
  });
  child.stdin?.on('error', () => {});
  onTestFinished(() => {
    child.kill('SIGKILL');
    closeSync(stdout);
  });
  return child;
}

/** Feeds stdin until the command has taken nothing for two seconds; returns the bytes it took. */
async function fed({stdin}: ChildProcess): Promise<number> {
  let taken = 0;
  for (let idle = 0; stdin && idle < 20; ) {
    if (stdin.writableLength > BLOCK.length) {
      await wait(100);
      idle++;
    } else {
      stdin.write(BLOCK);
      taken += BLOCK.length;
      idle = 0;
    }
    if (taken > MAX_TAKEN_BYTES) break;
    if (idle === 0) await wait(0);
  }
  return taken;
}

function residentMegabytes({pid}: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals) {
  const begun = performance.now();
  child.kill(signal);
  const [code] = await once(child, 'exit');
  return {code, isInTime: performance.now() - begun < MAX_END_MS};
}

/** Of each command one, by the seed; in a long run both. */
const signalsOf = (command: string) =>
  tenthOf(['SIGTERM', 'SIGINT'] as const, (signal) => `${command} ${signal}`);

describe.runIf(process.platform === 'linux')('with a reader that stops reading', () => {
  test.each(signalsOf('decrypt'))(
    'decrypt --batch stops reading, grows no more, and ends at %s',
    {timeout: 120_000},
    async (signal) => {
      const child = unread(['decrypt', '--batch', '--test-keys', '--threads', '2']);
      expect(await fed(child)).toBeLessThan(MAX_TAKEN_BYTES);
      await wait(3_000);
      expect(residentMegabytes(child)).toBeLessThan(MAX_MEGABYTES);
      expect(await ended(child, signal)).toEqual({code: 130, isInTime: true});
    },
  );

  test.each(signalsOf('verify'))('verify ends at %s', {timeout: 120_000}, async (signal) => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const child = unread([
      'verify',
      server.url,
      '--config',
      'samples/verify-demo.json',
      '--level',
      'paylens',
      '--json',
    ]);
    // After its last request it only prints.
    let seen = -1;
    while (seen < 1 || seen < server.requests().length) {
      seen = server.requests().length;
      await wait(3_000);
    }
    expect(child.exitCode).toBe(null);
    expect(await ended(child, signal)).toMatchObject({isInTime: true});
  });
});
