import type {TerminalSet} from '../../engine/devices/terminal-set.js';
import {type PayloadFlags, requestFlags} from '../../engine/paste/request-input.js';
import {chooseKeys, type KeyFlags} from '../keyfile/choose-keys.js';
import {runBatch} from './run-batch.js';

/** The flags of decrypt that a batch uses. */
export interface BatchFlags extends KeyFlags, PayloadFlags {
  readonly file?: string | undefined;
  readonly payload?: string | undefined;
  readonly threads?: number | undefined;
  readonly terminal?: readonly string[] | undefined;
  readonly terminals: TerminalSet;
}

/** The exit code when lines failed. */
const SOME_FAILED = 7;

/** Decrypts every line of the file or stdin that `argument` or the flags name. */
export async function decryptBatch(argument: string | undefined, flags: BatchFlags): Promise<void> {
  const {file, payload, threads, terminal: modules = [], terminals} = flags;
  const failed = await runBatch({
    source: {argument, file, payload},
    keys: await chooseKeys(flags),
    flags: requestFlags(flags),
    terminals,
    modules,
    workers: threads,
  });
  if (failed > 0) process.exitCode = SOME_FAILED;
}
