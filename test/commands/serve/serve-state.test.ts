import {spawn} from 'node:child_process';
import {execa} from 'execa';
import {describe, expect, test} from 'vitest';
import {BIN} from '../../cli/run-bin.js';
import {isRunning} from './processes.js';
import {serve} from './serving.js';

const SERVE = [BIN, 'serve', '--port', '0'];

describe('serve --stop-with-stdin', {timeout: 30_000}, () => {
  test('ends when its stdin ends', async () => {
    const argv = [...SERVE, '--mock', '--stop-with-stdin', '--quiet'];
    const child = execa(process.execPath, argv, {stdin: 'pipe'});
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.end();
    expect(await child).toMatchObject({exitCode: 0, stderr: ''});
  });

  test('ends when the process that started it is killed', async () => {
    const script = `
      const {spawn} = require('node:child_process');
      const child = spawn(process.execPath, ${JSON.stringify([...SERVE, '--mock', '--stop-with-stdin', '--quiet'])});
      child.stdout.once('data', () => console.log(child.pid));
    `;
    const parent = spawn(process.execPath, ['-e', script], {stdio: ['ignore', 'pipe', 'inherit']});
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (line) => resolve(Number(line))),
    );
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid), {timeout: 15_000}).toBe(false);
  });

  test('ends at once when there is no stdin', async () => {
    const argv = [...SERVE, '--mock', '--stop-with-stdin'];
    const {exitCode, stderr} = await execa(process.execPath, argv, {stdin: 'ignore'});
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('end of stdin')]);
  });

  test('is stopped by a signal as ever', async () => {
    const child = execa(process.execPath, [...SERVE, '--mock', '--stop-with-stdin'], {
      stdin: 'pipe',
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect((await child).exitCode).toBe(0);
  });

  test('is needed for that: without it the end of stdin changes nothing', async () => {
    const serving = await serve(['--mock']);
    expect((await fetch(`${serving.url}/healthz`)).status).toBe(200);
  });
});
