import {type RingKey, testKeys} from '../../engine/dukpt/key-ring.js';
import {type PayloadFlags, requestFlags} from '../input/request-input.js';
import type {KeyfileFlags} from '../keyfile/open-keyfile.js';
import {runBatch} from './run-batch.js';

/** The flags of decrypt that a batch uses. */
export interface BatchFlags extends KeyfileFlags, PayloadFlags {
  readonly file?: string | undefined;
  readonly payload?: string | undefined;
  readonly workers?: number | undefined;
  readonly 'test-keys': boolean;
}

/** The exit code when lines failed. */
const SOME_FAILED = 7;

/** Decrypts every line of the file or stdin that `argument` or the flags name. */
export async function decryptBatch(argument: string | undefined, flags: BatchFlags): Promise<void> {
  const {file, payload, workers} = flags;
  const failed = await runBatch({
    source: {argument, file, payload},
    keys: flags['test-keys'] ? testKeys() : await keysOfKeyfiles(flags),
    flags: requestFlags(flags),
    workers,
  });
  if (failed > 0) process.exitCode = SOME_FAILED;
}

async function keysOfKeyfiles(flags: KeyfileFlags): Promise<readonly RingKey[]> {
  const {loadRingKeys} = await import('../keyfile/open-keyfile.js');
  return loadRingKeys(flags);
}
