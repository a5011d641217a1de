import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import {onTestFinished} from 'vitest';
import {BIN} from '../../cli/run-bin.js';

/** A `paylens serve` that runs in a separate process until the test ends. */
export interface Serving {
  readonly url: string;
  readonly pid: number;
  /** The one line on stdout, parsed. */
  readonly ready: Readonly<Record<string, unknown>>;
  readonly stderr: () => string;
  /** The lines of the log, each of which must be JSON. */
  readonly log: () => Readonly<Record<string, unknown>>[];
  /** Waits until `stderr` contains `text`. */
  readonly logged: (text: string) => Promise<void>;
  readonly kill: (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP') => void;
  /** The exit code, and the complete stdout. */
  readonly ended: () => Promise<{exitCode: number | undefined; stdout: string}>;
}

/**
 * Starts `paylens serve --port 0` of the last build with further arguments, under the command
 * `under` if given, and waits until it is ready.
 */
export async function serve(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  under: readonly string[] = [],
): Promise<Serving> {
  const [command = '', ...rest] = [
    ...under,
    process.execPath,
    BIN,
    'serve',
    '--port',
    '0',
    ...argv,
  ];
  const child = execa(command, rest, {
    env,
    reject: false,
    buffer: {stdout: true, stderr: false},
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const until = async (what: string, done: () => boolean) => {
    for (let tries = 0; !done(); tries++) {
      if (tries > 5000 || child.exitCode !== null) throw new Error(`no ${what}: ${stderr}`);
      await wait(10);
    }
  };
  await until('ready line', () => stdout.includes('\n'));
  const ready = JSON.parse(stdout);
  return {
    url: ready.url,
    pid: child.pid ?? 0,
    ready,
    stderr: () => stderr,
    log: () =>
      stderr
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    logged: (text) => until(`"${text}" in the log`, () => stderr.includes(text)),
    kill: (signal) => child.kill(signal),
    ended: async () => {
      const {exitCode} = await child;
      return {exitCode, stdout};
    },
  };
}
