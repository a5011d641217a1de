import {randomInt} from 'node:crypto';
import {Worker} from 'node:worker_threads';
import {packageRoot} from '../../contract/package-root.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import type {RequestFlags} from '../request-input.js';
import {type AnsweredBlock, blockAnswerer} from './answer-block.js';
import {sendKeys} from './sent-keys.js';

/** What answers blocks of lines, in turn. */
export interface Answerer {
  readonly answer: (block: Uint8Array) => Promise<AnsweredBlock>;
  readonly end: () => Promise<void>;
}

interface Options {
  readonly keys: readonly RingKey[];
  readonly flags: RequestFlags;
}

/** The build's worker; what runs from source answers in its own thread. */
const WORKER = new URL('dist/cli/batch/worker.js', packageRoot());
const IS_BUILT = import.meta.url.endsWith('.js');

/** One answerer in this thread, or `count` in threads of their own that share nothing. */
export function makeAnswerers(count: number, options: Options): Answerer[] {
  const first = randomInt(DRAWS);
  const draws = Array.from({length: count}, (_, i) => fiveDigits((first + i) % DRAWS));
  if (count === 1 || !IS_BUILT) return [inThisThread({...options, draw: draws[0] ?? ''})];
  return draws.map((draw) => inWorker({...options, draw}));
}

const DRAWS = 100_000;

function fiveDigits(value: number): string {
  return String(value).padStart(5, '0');
}

type Settings = Options & {readonly draw: string};

function inThisThread(settings: Settings): Answerer {
  const answer = blockAnswerer(settings);
  return {answer: async (block) => answer(block), end: async () => {}};
}

/** Answers die young; by default V8 lets the heap of every thread grow to some 50 MB of them. */
const YOUNG_MB = 8;

function inWorker({keys, flags, draw}: Settings): Answerer {
  const sent = sendKeys(keys);
  const worker = new Worker(WORKER, {
    workerData: {keys: sent, flags, draw},
    transferList: sent.map(({bytes}) => bytes.buffer),
    resourceLimits: {maxYoungGenerationSizeMb: YOUNG_MB},
  });
  const waiting: {resolve: (block: AnsweredBlock) => void; reject: (error: Error) => void}[] = [];
  worker.on('message', (block: AnsweredBlock) => waiting.shift()?.resolve(block));
  worker.on('error', (error) => {
    for (const {reject} of waiting.splice(0)) reject(new PaylensError(1, error.name));
  });
  return {
    answer: (block) =>
      new Promise((resolve, reject) => {
        waiting.push({resolve, reject});
        worker.postMessage(block, [block.buffer as ArrayBuffer]);
      }),
    end: async () => {
      await worker.terminate();
    },
  };
}
