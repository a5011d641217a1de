import {availableParallelism} from 'node:os';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {
  type PayloadFlags,
  type RequestFlags,
  requestFlags,
} from '../../input/paste/request-input.js';
import {type InputSource, openInput} from '../input/read-input.js';
import {chooseKeys} from '../keyfile/choose-keys.js';
import type {KeyFlags} from '../keyfile/key-flags.js';
import {note, printBlock, printTrace, progress} from '../output/output.js';
import {answerInOrder} from './answer-in-order.js';
import {makeAnswerers} from './answerers.js';
import {readBlocks} from './read-blocks.js';
import {Tally} from './tally.js';

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

interface BatchOptions {
  readonly source: InputSource;
  readonly keys: readonly RingKey[];
  readonly flags: RequestFlags;
  /** Default: the built-in ones. */
  readonly terminals?: TerminalSet | undefined;
  /** The files from which a worker loads them: functions cannot be sent. */
  readonly modules?: readonly string[] | undefined;
  /** Absent: as many as the machine has cores. */
  readonly workers?: number | undefined;
}

/**
 * Answers every line of the input on one line of stdout, in order; progress and summary go to
 * stderr. Returns how many lines failed. Throws 9001 and 9002 on the input.
 */
export async function runBatch({source, workers, ...options}: BatchOptions): Promise<number> {
  const input = openInput(source);
  const answerers = makeAnswerers(workers ?? availableParallelism(), options);
  const tally = new Tally(input.size);
  try {
    await answerInOrder(counted(readBlocks(input.stream), tally), answerers, async (answered) => {
      tally.add(answered);
      for (const trace of answered.traces) printTrace(trace);
      await printBlock(answered.bytes);
      if (tally.isDue()) progress(tally.progress());
    });
  } finally {
    progress('');
    for (const worker of answerers.workers) await worker.end();
  }
  note(tally.summary());
  return tally.failed;
}

async function* counted(blocks: AsyncIterable<Uint8Array>, tally: Tally) {
  for await (const block of blocks) {
    tally.read += block.length;
    yield block;
  }
}
