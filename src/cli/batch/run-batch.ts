import {availableParallelism} from 'node:os';
import {quoted} from '../../diagnosis/answer/command-of.js';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import {requestFlags} from '../../input/paste/request-input.js';
import type {PayloadSource} from '../input/payload-flags.js';
import {type InputSource, openInput} from '../input/read-input.js';
import {chooseKeys} from '../keyfile/choose-keys.js';
import type {KeyFlags} from '../keyfile/key-flags.js';
import {note, noteCommand, printBlock, printTrace, progress} from '../output/output.js';
import {answerInOrder} from './answer-in-order.js';
import {type AnswererOptions, makeAnswerers} from './answerers.js';
import {readBlocks} from './read-blocks.js';
import {type FailureKind, lineCount, Tally} from './tally.js';

/** The flags of decrypt that a batch uses. */
export interface BatchFlags extends KeyFlags, PayloadSource {
  readonly threads?: number | undefined;
}

/** The exit code when lines failed. */
export const SOME_FAILED = 7;

/** Why a line failed: the answer to what the request or raw payload on it throws. */
export type ExplainLine = (line: string, keys: readonly RingKey[]) => Promise<LineAnswer>;
type LineAnswer =
  | {readonly cause: string; readonly evidence: readonly string[]; readonly next?: string}
  | undefined;

/** Decrypts every line of the file or stdin that `argument` or the flags name. */
export async function decryptBatch(
  argument: string | undefined,
  flags: BatchFlags,
  explain: ExplainLine,
): Promise<void> {
  const {file, payload, threads, terminal: modules = [], terminals} = flags;
  const keys = await chooseKeys(flags);
  const {failures} = await runBatch({
    source: {argument, file, payload},
    keys,
    flags: requestFlags(flags),
    terminals,
    modules,
    workers: threads,
  });
  if (failures.length > 0) process.exitCode = SOME_FAILED;
  const end = performance.now() + MAX_EXPLAINED_MS;
  for (const failure of failures) {
    if (performance.now() > end) return;
    noteFailure(failure, await explain(failure.first.line, keys), file ?? argument);
  }
}

/** No further line is diagnosed after this time: one takes up to 300 ms. */
const MAX_EXPLAINED_MS = 2_700;

function noteFailure(
  {code, count, first: {at}}: FailureKind,
  answer: LineAnswer,
  path = '-',
): void {
  if (!answer) return;
  const {cause, evidence, next} = answer;
  const facts = evidence.map((fact) => `\n✓ ${fact}`).join('');
  note(`Error ${code} in ${lineCount(count)}, first in line ${at}: ${cause}${facts}`);
  const isPiped = path !== '-' && next?.split(' ').includes('-');
  if (next !== undefined) noteCommand(isPiped ? `sed -n ${at}p ${quoted(path)} | ${next}` : next);
}

interface BatchOptions extends AnswererOptions {
  readonly source: InputSource;
  /** Absent: as many as the machine has cores. */
  readonly workers?: number | undefined;
}

/**
 * Answers every line of the input on one line of stdout, in order; progress and summary go to
 * stderr. Throws 9001 and 9002 on the input.
 */
export async function runBatch({source, workers, ...options}: BatchOptions): Promise<Tally> {
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
  return tally;
}

async function* counted(blocks: AsyncIterable<Uint8Array>, tally: Tally) {
  for await (const block of blocks) {
    tally.read += block.length;
    yield block;
  }
}
