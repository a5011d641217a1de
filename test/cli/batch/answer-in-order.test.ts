import {setImmediate} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import type {AnsweredBlock} from '../../../src/cli/batch/answer-block.js';
import {answerInOrder} from '../../../src/cli/batch/answer-in-order.js';
import type {Answerer, Answerers, BatchWorker} from '../../../src/cli/batch/answerers.js';

async function* numbered(count: number, onRead: () => void = () => {}) {
  for (let i = 0; i < count; i++) {
    onRead();
    yield Uint8Array.of(i);
  }
}

/** Answers after some turns of the event loop that depend on the block, later ones often sooner. */
function slow(turns: (block: number) => number): BatchWorker {
  let held = 0;
  return {
    answer: async (block) => {
      held++;
      for (let left = turns(block[0] ?? 0); left > 0; left--) await setImmediate();
      held--;
      return answerTo(block);
    },
    held: () => held,
    end: async () => {},
  };
}

function answerTo(block: Uint8Array): AnsweredBlock {
  return {bytes: new Uint8Array(block), lines: 1, failures: {}, firsts: {}, traces: []};
}

const atOnce: Answerer = {answer: async (block) => answerTo(block)};
const failing: Answerer = {answer: () => Promise.reject<AnsweredBlock>(new Error('worker'))};
const never: BatchWorker = {
  answer: () => new Promise(() => {}),
  held: () => 0,
  end: async () => {},
};

async function taken(count: number, answerers: Answerers): Promise<number[]> {
  const numbers: number[] = [];
  await answerInOrder(numbered(count), answerers, async ({bytes}) => {
    numbers.push(bytes[0] ?? -1);
  });
  return numbers;
}

const upTo = (count: number) => Array.from({length: count}, (_, i) => i);

describe('answerInOrder', () => {
  it('gives the answers in the order of the blocks', async () => {
    const workers = [slow((i) => 200 - i), slow((i) => i % 3)];
    expect(await taken(200, {here: atOnce, workers})).toStrictEqual(upTo(200));
  });

  it('answers everything in this thread without workers', async () => {
    expect(await taken(20, {here: atOnce, workers: []})).toStrictEqual(upTo(20));
  });

  it('answers in this thread only while no worker may hold another block', async () => {
    const here: number[] = [];
    const counting: Answerer = {
      answer: async (block) => {
        here.push(block[0] ?? -1);
        return answerTo(block);
      },
    };
    await taken(12, {here: counting, workers: [slow(() => 50), slow(() => 50)]});
    // Each of the two may hold four.
    expect(here).toStrictEqual([8, 9, 10, 11]);
  });

  it('gives every block to the first worker that may hold one more', async () => {
    const given: number[][] = [[], []];
    const workers = given.map((blocks) => {
      const worker = slow(() => 50);
      return {
        ...worker,
        answer: (block: Uint8Array) => {
          blocks.push(block[0] ?? -1);
          return worker.answer(block);
        },
      };
    });
    await taken(6, {here: atOnce, workers});
    expect(given).toStrictEqual([
      [0, 1, 2, 3],
      [4, 5],
    ]);
  });

  it('reads no more blocks than may be ahead of the oldest answer', async () => {
    let read = 0;
    const endless = numbered(250, () => read++);
    void answerInOrder(endless, {here: atOnce, workers: [never]}, async () => {});
    for (let i = 0; i < 500; i++) await setImmediate();
    expect(read).toBe(33);
  });

  it('reads no further while the taker of the answers is behind', async () => {
    let read = 0;
    void answerInOrder(
      numbered(250, () => read++),
      {here: atOnce, workers: []},
      () => new Promise(() => {}),
    );
    for (let i = 0; i < 500; i++) await setImmediate();
    expect(read).toBe(1);
  });

  it.each([
    ['a worker', {here: atOnce, workers: [{...never, ...failing}]}],
    ['this thread', {here: failing, workers: []}],
  ])('ends with the error of %s', async (_, answerers) => {
    await expect(taken(9, answerers)).rejects.toThrow('worker');
  });

  it('ends with the error of the reader', async () => {
    async function* broken() {
      yield Uint8Array.of(1);
      throw new Error('disk');
    }
    const answerers = {here: atOnce, workers: [slow(() => 5)]};
    await expect(answerInOrder(broken(), answerers, async () => {})).rejects.toThrow('disk');
  });
});
