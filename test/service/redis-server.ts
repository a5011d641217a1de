import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import {onTestFinished} from 'vitest';

/** Whether redis-server and redis-cli are installed. */
export const HAS_REDIS = ['redis-server', 'redis-cli'].every(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** A redis-server on a Unix socket, for one test. */
export interface RedisServer {
  readonly url: string;
  readonly path: string;
  /** Runs a command with redis-cli; returns what it prints. */
  readonly cli: (...words: readonly string[]) => Promise<string>;
  readonly signal: (signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => Promise<void>;
  readonly start: () => Promise<void>;
}

const QUIET = {reject: false} as const;

/** Starts a redis-server that stores nothing on disk, and stops it after the test. */
export async function startRedis(...options: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'paylens-redis-'));
  const path = join(folder, 'redis.sock');
  const memoryOnly = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no'];
  let child: ChildProcess | undefined;
  const start = async () => {
    rmSync(path, {force: true});
    const argv = [...memoryOnly, '--dir', folder, ...options];
    const started = spawn('redis-server', argv, {stdio: 'ignore'});
    child = started;
    // The socket exists before the server listens on it.
    while (!existsSync(path) || (await execa('redis-cli', ['-s', path, 'PING'], QUIET)).failed) {
      if (started.exitCode !== null) throw new Error('redis-server ended');
      await wait(10);
    }
  };
  const kill = async () => {
    if (child?.kill('SIGKILL')) await once(child, 'exit');
  };
  onTestFinished(async () => {
    await kill();
    rmSync(folder, {recursive: true, force: true});
  });
  await start();
  return {
    url: `unix://${path}`,
    path,
    start,
    cli: async (...words) => (await execa('redis-cli', ['-s', path, ...words])).stdout,
    signal: async (signal) => {
      if (signal === 'SIGKILL') await kill();
      else child?.kill(signal);
    },
  };
}
