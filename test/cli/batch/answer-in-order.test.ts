import {describe, expect, it} from 'vitest';
import type {AnsweredBlock} from '../../../src/cli/batch/answer-block.js';
import {answerInOrder} from '../../../src/cli/batch/answer-in-order.js';
import type {Answerer} from '../../../src/cli/batch/answerers.js';

async function* numbered(count: number, onRead: () => void = () => {}) {
  for (let i = 0; i < count; i++) {
    onRead();
    yield Uint8Array.of(i);
  }
}

/** Answers after a time that depends on the block, later ones often sooner. */
function slow(delay: (block: number) => number): Answerer {
  return {
    answer: async (block) => {
      await new Promise((resolve) => setTimeout(resolve, delay(block[0] ?? 0)));
      return {bytes: new Uint8Array(block), lines: 1, failures: {}};
    },
    end: async () => {},
  };
}

describe('answerInOrder', () => {
  it('gives the answers in the order of the blocks', async () => {
    const taken: number[] = [];
    const answerers = [slow((i) => 20 - i), slow((i) => i % 3)];
    await answerInOrder(numbered(20), answerers, async ({bytes}) => {
      taken.push(bytes[0] ?? -1);
    });
    expect(taken).toStrictEqual(Array.from({length: 20}, (_, i) => i));
  });

  it('reads no more blocks than the answerers may hold', async () => {
    let read = 0;
    let answered = 0;
    let most = 0;
    const blocks = numbered(60, () => {
      read++;
      most = Math.max(most, read - answered);
    });
    await answerInOrder(blocks, [slow(() => 1), slow(() => 2)], async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      answered++;
    });
    // Two answerers hold four each, and one more is read.
    expect(most).toBeLessThanOrEqual(9);
  });

  it('ends with the error of an answerer', async () => {
    const failing: Answerer = {
      answer: () => Promise.reject<AnsweredBlock>(new Error('worker')),
      end: async () => {},
    };
    await expect(answerInOrder(numbered(9), [failing], async () => {})).rejects.toThrow('worker');
  });

  it('ends with the error of the reader', async () => {
    async function* broken() {
      yield Uint8Array.of(1);
      throw new Error('disk');
    }
    await expect(answerInOrder(broken(), [slow(() => 5)], async () => {})).rejects.toThrow('disk');
  });
});
