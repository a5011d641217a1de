import {fileURLToPath} from 'node:url';
import {Config} from '@oclif/core/config';
import {vi} from 'vitest';
import {COMMANDS} from '../../src/command-list.js';

/** The output of a command: both streams and the exit code. */
export interface CommandRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A test says what is found, not how soon: a machine under load must not end a search. */
const inTime = (id: string, argv: string[]) =>
  id === 'diagnose' && !argv.includes('--time-limit') ? [...argv, '--time-limit', '10m'] : argv;

/**
 * Runs a command of src in this process, so that coverage counts it, and captures its output. `id`
 * is a key of the command list; stdin is not available.
 */
export async function runCommand(id: keyof typeof COMMANDS, argv: string[]): Promise<CommandRun> {
  const config = await Config.load({root});
  const streams = {stdout: '', stderr: ''};
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      streams[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    }),
  );
  const exitCodeBefore = process.exitCode;
  process.exitCode = undefined;
  try {
    const Command = COMMANDS[id];
    Command.id = id;
    await Command.run(inTime(id, argv), config);
    return {...streams, exitCode: Number(process.exitCode ?? 0)};
  } finally {
    process.exitCode = exitCodeBefore;
    for (const spy of spies) spy.mockRestore();
  }
}
