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
