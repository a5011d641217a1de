import {fileURLToPath} from 'node:url';
import {execa} from 'execa';

/** The script that users start. */
export const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

interface BinOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs `paylens` of the last build in a separate process, without a terminal. */
export async function runBin(argv: readonly string[], options: BinOptions = {}) {
  const {stdout, stderr, exitCode, signal} = await execa(process.execPath, [BIN, ...argv], {
    input: '',
    ...options,
    reject: false,
    stripFinalNewline: false,
  });
  return {stdout, stderr, exitCode, signal};
}

/** What a command of `runBins` wrote. */
export interface BinRun {
  readonly argv: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * Runs commands of the last build one after the other in one separate process, without a terminal and
 * without stdin: each takes a tenth of the time of a process of its own.
 */
export async function runBins(
  argvs: readonly (readonly string[])[],
  env: Readonly<Record<string, string>> = {},
): Promise<BinRun[]> {
  const child = fileURLToPath(new URL('./run-bins-child.mjs', import.meta.url));
  const {stdout} = await execa(process.execPath, [child], {input: JSON.stringify(argvs), env});
  return JSON.parse(stdout);
}
