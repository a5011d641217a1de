import {readFileSync} from 'node:fs';
import {afterEach, describe, expect, it} from 'vitest';
import type {BatchWorker} from '../../../src/cli/batch/answerers.js';
import {inWorker, makeAnswerers} from '../../../src/cli/batch/answerers.js';
import {testKeys} from '../../../src/engine/dukpt/key-ring.js';

const SWIPE = new URL('../../../samples/idtech-swipe.json', import.meta.url);
const REQUEST = `${JSON.stringify(JSON.parse(readFileSync(SWIPE, 'utf8')))}\n`;
const OPTIONS = {keys: testKeys(), flags: {}};

const started: BatchWorker[] = [];
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.end();
});

/** A worker of the last build. */
function worker(draw = 0): BatchWorker {
  const one = inWorker({...OPTIONS, draw});
  started.push(one);
  return one;
}

const blockOf = (text: string) => new Uint8Array(Buffer.from(text));
const textOf = ({bytes}: {bytes: Uint8Array}) => Buffer.from(bytes).toString();

describe('what answers blocks', () => {
  it('is this thread alone where it runs from source', async () => {
    const {here, workers} = makeAnswerers(4, OPTIONS);
    expect(workers).toEqual([]);
    expect(JSON.parse(textOf(await here.answer(blockOf(REQUEST))))).toMatchObject({success: true});
  });

  it('in a worker answers each block in turn, and counts those it holds', async () => {
    const one = worker(12_345);
    const answers = [one.answer(blockOf(REQUEST)), one.answer(blockOf('{\n{\n'))];
    expect(one.held()).toBe(2);
    const [first, second] = await Promise.all(answers);
    expect(JSON.parse(textOf(first ?? {bytes: new Uint8Array()}))).toMatchObject({
      success: true,
      messageId: expect.stringMatching(/^1\d{14}12345\d{5}$/),
    });
    expect(second).toMatchObject({lines: 2, failures: {2004: 2}, traces: []});
    expect(one.held()).toBe(0);
  });

  it('in a worker takes the block from this thread, so that none stays behind', async () => {
    const block = blockOf(REQUEST);
    await worker().answer(block);
    expect(block.byteLength).toBe(0);
  });

  it('in a worker that dies fails what it held, with a defect of ours', async () => {
    // No such draw: it ends as it begins.
    const one = worker(-1);
    const blocks = [blockOf(REQUEST), blockOf(REQUEST)];
    const answers = await Promise.allSettled(blocks.map((block) => one.answer(block)));
    expect(answers).toMatchObject([
      {status: 'rejected', reason: {code: 1}},
      {status: 'rejected', reason: {code: 1}},
    ]);
    expect(one.held()).toBe(0);
  });

  it('leaves the keys of this thread as they are', async () => {
    const before = OPTIONS.keys.map(({secret}) => Buffer.from(secret.reveal()).toString('hex'));
    await worker().answer(blockOf(REQUEST));
    const after = OPTIONS.keys.map(({secret}) => Buffer.from(secret.reveal()).toString('hex'));
    expect(after).toEqual(before);
    expect(before.length).toBeGreaterThan(0);
  });
});
