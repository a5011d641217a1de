import {setTimeout as wait} from 'node:timers/promises';
import {expect, it} from 'vitest';
import {ServiceLog} from '../../../src/service/information/log.js';
import type {FinishedRequest} from '../../../src/service/operations/answer-request.js';

function finished(messageId: string): FinishedRequest {
  return {
    outcome: {answer: {status: 200, headers: {}, body: ''}, messageId},
    target: '/api/v1/partner/validate',
    milliseconds: 1,
    rawHeaders: [],
    body: new Uint8Array(),
  };
}

it('the first line is written at once, those that follow it soon are written together', async () => {
  const writes: string[][] = [];
  const log = new ServiceLog((text) => {
    const lines = text.trimEnd().split('\n');
    writes.push(lines.map((line) => JSON.parse(line).messageId));
  });
  log.request(finished('1'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(writes).toEqual([['1']]);
  for (const messageId of ['2', '3']) {
    log.request(finished(messageId));
    await Promise.resolve();
  }
  await wait(50);
  expect(writes).toEqual([['1'], ['2', '3']]);
  log.request(finished('4'));
  log.flush();
  expect(writes.at(-1)).toEqual(['4']);
});
