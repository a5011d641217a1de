import {EventEmitter} from 'node:events';
import {readFileSync} from 'node:fs';
import {createRequire, syncBuiltinESMExports} from 'node:module';
import {afterEach, expect, it, vi} from 'vitest';
import type {AnsweredBlock} from '../../../src/cli/batch/answer-block.js';
import {sendKeys} from '../../../src/cli/batch/sent-keys.js';
import {testKeys} from '../../../src/engine/dukpt/key-ring.js';

const SWIPE = new URL('../../../samples/idtech-swipe.json', import.meta.url);
const REQUEST = JSON.stringify(JSON.parse(readFileSync(SWIPE, 'utf8')));
const threads = createRequire(import.meta.url)('node:worker_threads');
const {parentPort, workerData} = threads;

/** Puts what a worker is given in place of what this thread has. */
function give(given: object): void {
  Object.assign(threads, given);
  syncBuiltinESMExports();
}

afterEach(() => {
  give({parentPort, workerData});
  vi.useRealTimers();
});

it('a worker answers every block with the keys, flags and draw it was given', async () => {
  // Every second counts its messageIds anew.
  vi.useFakeTimers({toFake: ['Date']});
  const posted: [AnsweredBlock, ArrayBuffer[]][] = [];
  const port = Object.assign(new EventEmitter(), {
    postMessage: (block: AnsweredBlock, moved: ArrayBuffer[]) => posted.push([block, moved]),
  });
  const keys = sendKeys(testKeys());
  give({parentPort: port, workerData: {keys, flags: {reference: 'night'}, draw: 42}});
  await import('../../../src/cli/batch/worker.js');
  for (const block of [`${REQUEST}\n{\n`, REQUEST])
    port.emit('message', new Uint8Array(Buffer.from(block)));

  const seen = posted.map(([{bytes, lines, failures, traces}]) => {
    const answers = Buffer.from(bytes)
      .toString()
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one));
    return {
      lines,
      failures,
      traces,
      answers: answers.map(({success, reference, messageId}) => [
        success,
        reference,
        messageId.slice(15),
      ]),
    };
  });
  expect(seen).toEqual([
    {
      lines: 2,
      failures: {2004: 1},
      traces: [],
      answers: [
        [true, 'night', '0004200000'],
        [false, undefined, '0004200001'],
      ],
    },
    {lines: 1, failures: {}, traces: [], answers: [[true, 'night', '0004200002']]},
  ]);
  // The bytes are moved, so that the worker keeps no copy of an answer or a key.
  expect(posted.map(([{bytes}, moved]) => moved[0] === bytes.buffer)).toEqual([true, true]);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.every(({bytes}) => bytes.every((byte) => byte === 0))).toBe(true);
});
