import {availableParallelism} from 'node:os';
import type {TerminalSet} from '../../engine/devices/terminal-set.js';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import type {RequestFlags} from '../../engine/paste/request-input.js';
import {type InputSource, openInput} from '../input/read-input.js';
import {note, printBlock, printTrace, progress} from '../output/output.js';
import {answerInOrder} from './answer-in-order.js';
import {makeAnswerers} from './answerers.js';
import {readBlocks} from './read-blocks.js';
import {Tally} from './tally.js';

interface Options {
  readonly source: InputSource;
  readonly keys: readonly RingKey[];
  readonly flags: RequestFlags;
  /** Absent: those of paylens. */
  readonly terminals?: TerminalSet | undefined;
  /** The files from which a worker loads them again: functions cannot be sent. */
  readonly modules?: readonly string[] | undefined;
  /** Absent: as many as the machine has cores. */
  readonly workers?: number | undefined;
}

/**
 * Answers every line of the input on one line of stdout, in order; progress and summary go to
 * stderr. Returns how many lines failed. Throws 9001 and 9002 on the input.
 */
export async function runBatch({source, workers, ...options}: Options): Promise<number> {
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
