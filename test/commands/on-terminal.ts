import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {BIN} from '../cli/run-bin.js';

/** Whether `script` (util-linux) is installed to provide a terminal. */
export const hasTerminal =
  process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** The output seen at the terminal, the output on stdout (a file), and the exit code. */
export interface TerminalRun {
  readonly seen: string;
  readonly stdout: string;
  readonly exitCode: number;
}

/**
 * Runs `paylens` of the last build on a terminal. Each answer is typed when its prompt appears, in
 * the order given.
 */
export async function runOnTerminal(
  argv: readonly string[],
  answers: readonly (readonly [prompt: string | RegExp, answer: string])[],
  env: Readonly<Record<string, string>> = {},
): Promise<TerminalRun> {
  const folder = mkdtempSync(join(tmpdir(), 'terminal-'));
  const out = join(folder, 'stdout');
  const words = [process.execPath, BIN, ...argv].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `${words} > '${out}'`, '/dev/null'], {
    env: {...process.env, ...env, TERM: 'xterm', COLUMNS: '200'},
  });
  const exit = once(child, 'exit');
  const seen = await converse(child.stdin, child.stdout, answers);
  const [exitCode] = await exit;
  const stdout = readFileSync(out, 'utf8');
  rmSync(folder, {recursive: true});
  return {seen, stdout, exitCode};
}

async function converse(
  keyboard: NodeJS.WritableStream,
  screen: NodeJS.ReadableStream,
  answers: readonly (readonly [string | RegExp, string])[],
): Promise<string> {
  const left = [...answers];
  let seen = '';
  let since = 0;
  for await (const chunk of screen) {
    seen += String(chunk);
    const [next] = left;
    if (!next || seen.slice(since).search(patternOf(next[0])) === -1) continue;
    since = seen.length;
    keyboard.write(next[1]);
    left.shift();
  }
  return seen;
}

function patternOf(prompt: string | RegExp): RegExp {
  return typeof prompt === 'string'
    ? new RegExp(prompt.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    : prompt;
}
