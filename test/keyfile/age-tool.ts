import {spawnSync} from 'node:child_process';

/** Whether the `age` command (Debian package `age`) is installed for comparison. */
export const hasAge = spawnSync('age', ['--version']).status === 0;

/**
 * Whether `age` can be given a passphrase: it reads one only from a terminal, provided by `script`.
 */
export const hasAgeTerminal = hasAge && process.platform === 'linux';

/** Runs `age` and returns its exit code. */
export function age(...args: string[]): number | null {
  return spawnSync('age', args, {timeout: 20_000}).status;
}

/** Runs `age` on a terminal and types the passphrase at every prompt. Returns its exit code. */
export function ageOnTerminal(passphrase: string, ...args: string[]): number | null {
  const command = ['age', ...args].map((word) => `'${word}'`).join(' ');
  const input = `${passphrase}\n`.repeat(2);
  return spawnSync('script', ['-qec', command, '/dev/null'], {input, timeout: 20_000}).status;
}
