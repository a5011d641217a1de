import {randomInt} from 'node:crypto';
import {Worker} from 'node:worker_threads';
import {DRAWS} from '../../contract/message-id.js';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {packageRoot} from '../../files/package-root.js';
import type {RequestFlags} from '../../input/paste/request-input.js';
import {fromWorker} from '../input/terminals-of.js';
import {type AnsweredBlock, blockAnswerer} from './answer-block.js';
import {sendKeys} from './sent-keys.js';

/** Responds to blocks of lines. */
export interface Answerer {
  readonly answer: (block: Uint8Array) => Promise<AnsweredBlock>;
}

/** An answerer in a separate thread. */
export interface BatchWorker extends Answerer {
  /** How many blocks it has not answered yet. */
  readonly held: () => number;
  readonly end: () => Promise<void>;
}

export interface Answerers {
  /** Answers in this thread, before it returns. */
  readonly here: Answerer;
  readonly workers: readonly BatchWorker[];
}

/** How blocks of lines are answered. */
export interface AnswererOptions {
  readonly keys: readonly RingKey[];
  readonly flags: RequestFlags;
  readonly terminals?: TerminalSet | undefined;
  /** The files from which a worker loads them: functions cannot be sent. */
  readonly modules?: readonly string[] | undefined;
}

/** The built worker; run from source, this thread answers everything. */
const BATCH_WORKER = new URL('dist/cli/batch/worker.js', packageRoot());
const HAS_BATCH_WORKER = import.meta.url.endsWith('.js');

/** `count` answerers: this thread, and workers. */
export function makeAnswerers(
  count: number,
  options: AnswererOptions,
  isBuilt = HAS_BATCH_WORKER,
): Answerers {
  const first = randomInt(DRAWS);
  const settings = (i: number) => ({...options, draw: (first + i) % DRAWS});
  const others = isBuilt ? count - 1 : 0;
  return {
    workers: Array.from({length: others}, (_, i) => inWorker(settings(i + 1))),
    here: inThisThread(settings(0)),
  };
}

type Settings = AnswererOptions & {readonly draw: number};

function inThisThread(settings: Settings): Answerer {
  const answer = blockAnswerer(settings);
  return {answer: async (block) => answer(block)};
}

/** Answers are short-lived; by default V8 lets them fill some 50 MB in every thread. */
const YOUNG_MB = 8;

function inWorker({keys, flags, draw, modules}: Settings): BatchWorker {
  const sent = sendKeys(keys);
  const worker = new Worker(BATCH_WORKER, {
    workerData: {keys: sent, flags, draw, modules},
    transferList: sent.map(({bytes}) => bytes.buffer),
    resourceLimits: {maxYoungGenerationSizeMb: YOUNG_MB},
  });
  const waiting: {resolve: (block: AnsweredBlock) => void; reject: (error: Error) => void}[] = [];
  worker.on('message', (block: AnsweredBlock) => waiting.shift()?.resolve(block));
  worker.on('error', (error) => {
    for (const {reject} of waiting.splice(0)) reject(fromWorker(error));
  });
  return {
    answer: (block) =>
      new Promise((resolve, reject) => {
        waiting.push({resolve, reject});
        worker.postMessage(block, [block.buffer as ArrayBuffer]);
      }),
    held: () => waiting.length,
    end: async () => {
      await worker.terminate();
    },
  };
}
