import {readFileSync} from 'node:fs';
import {createRequire, syncBuiltinESMExports} from 'node:module';
import type {Worker} from 'node:worker_threads';
import {afterEach, describe, expect, it} from 'vitest';
import type {Answerers} from '../../../src/cli/batch/answerers.js';
import {makeAnswerers} from '../../../src/cli/batch/answerers.js';
import {Secret} from '../../../src/contract/secret.js';
import {type RingKey, testKeys} from '../../../src/engine/dukpt/key-ring.js';

const SWIPE = new URL('../../../samples/idtech-swipe.json', import.meta.url);
const REQUEST = `${JSON.stringify(JSON.parse(readFileSync(SWIPE, 'utf8')))}\n`;
const OPTIONS = {keys: testKeys(), flags: {}};
const require = createRequire(import.meta.url);
const crypto = require('node:crypto');
const workerThreads: {Worker: typeof Worker} = require('node:worker_threads');
const {randomInt} = crypto;

const started: Answerers[] = [];
afterEach(async () => {
  draw(randomInt);
  for (const {workers} of started.splice(0)) for (const worker of workers) await worker.end();
});

/** Puts `random` in place of what draws the digits of a process. */
function draw(random: () => number): void {
  crypto.randomInt = random;
  syncBuiltinESMExports();
}

/** With workers of the last build. */
function answerers(count: number): Answerers {
  const made = makeAnswerers(count, OPTIONS, true);
  started.push(made);
  return made;
}

const blockOf = (text: string) => new Uint8Array(Buffer.from(text));
const answersIn = ({bytes}: {bytes: Uint8Array}) =>
  Buffer.from(bytes)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe('what answers blocks', () => {
  it('is this thread alone where it runs from source', async () => {
    const {here, workers} = makeAnswerers(4, OPTIONS);
    expect(workers).toEqual([]);
    expect(answersIn(await here.answer(blockOf(REQUEST)))).toMatchObject([{success: true}]);
  });

  it.each([
    [0, ['00000', '00001', '00002']],
    [99_999, ['99999', '00000', '00001']],
  ])('is this thread and workers, each with a draw of its own: from %i', async (first, draws) => {
    draw(() => first);
    const {here, workers} = answerers(3);
    const blocks = await Promise.all(
      [here, ...workers].map(({answer}) => answer(blockOf(REQUEST))),
    );
    const ids = blocks.flatMap(answersIn).map(({messageId}) => messageId.slice(15, 20));
    expect(ids).toEqual(draws);
  });

  it('in a worker answers each block in turn, and counts those it holds', async () => {
    const [worker] = answerers(2).workers;
    const answers = [worker?.answer(blockOf(REQUEST)), worker?.answer(blockOf('{\n{\n'))];
    expect(worker?.held()).toBe(2);
    expect(await Promise.all(answers)).toMatchObject([
      {lines: 1, failures: {}},
      {lines: 2, failures: {2004: 2}, traces: []},
    ]);
    expect(worker?.held()).toBe(0);
  });

  it('in a worker takes the block from this thread, so that none stays behind', async () => {
    const block = blockOf(REQUEST);
    await answerers(2).workers[0]?.answer(block);
    expect(block.byteLength).toBe(0);
  });

  it('in a worker that dies fails what it held, with a defect of ours', async () => {
    const [key] = OPTIONS.keys;
    const broken = [{...key, secret: new Secret(new Uint8Array(3))}] as readonly RingKey[];
    // The worker, which is made first, ends as it begins.
    const lists = [broken, OPTIONS.keys];
    const options = {flags: {}, keys: OPTIONS.keys};
    Object.defineProperty(options, 'keys', {enumerable: true, get: () => lists.shift()});
    const made = makeAnswerers(2, options, true);
    started.push(made);
    const {workers} = made;
    const blocks = [blockOf(REQUEST), blockOf(REQUEST)];
    const answers = await Promise.allSettled(blocks.map((block) => workers[0]?.answer(block)));
    expect(answers).toMatchObject([
      {status: 'rejected', reason: {code: 1}},
      {status: 'rejected', reason: {code: 1}},
    ]);
    expect(workers[0]?.held()).toBe(0);
  });

  it('ends its workers with their threads', async () => {
    const threads: Worker[] = [];
    const {Worker: Original} = workerThreads;
    workerThreads.Worker = class extends Original {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given);
        threads.push(this);
      }
    };
    syncBuiltinESMExports();
    try {
      const {workers} = answerers(3);
      for (const worker of workers) await worker.end();
      // What Node gives a thread that has ended.
      expect(threads.map(({threadId}) => threadId)).toEqual([-1, -1]);
    } finally {
      workerThreads.Worker = Original;
      syncBuiltinESMExports();
    }
  });

  it('leaves the keys of this thread as they are', async () => {
    const hexes = () =>
      OPTIONS.keys.map(({secret}) => Buffer.from(secret.reveal()).toString('hex'));
    const before = hexes();
    await answerers(2).workers[0]?.answer(blockOf(REQUEST));
    expect(hexes()).toEqual(before);
    expect(before.length).toBeGreaterThan(0);
  });
});
