import {expect, it} from 'vitest';
import type {InspectedRequest} from '../../../src/contract/control/inspected-request.js';
import {RequestStore} from '../../../src/page/inspector/request-store.js';

function row(sequence: number): InspectedRequest {
  const time = new Date(sequence).toISOString();
  return {process: 'p', sequence, time, target: '/', status: 200} as unknown as InspectedRequest;
}

const shown = (store: RequestStore) => store.snapshot().rows.map(({sequence}) => sequence);

it.each([
  ['before the answer', true],
  ['after the answer', false],
])('a clear that the stream tells %s can be undone', (_, isFirst) => {
  const store = new RequestStore();
  store.take({requests: [row(1), row(2)], cursor: {p: 2}});
  const before = store.snapshot().rows;
  const stream = {cleared: {p: 2}, requests: [row(3)], cursor: {p: 3}};
  if (isFirst) store.take(stream);
  store.clear(before);
  if (!isFirst) store.take(stream);
  expect(store.snapshot().undoable).toBe(2);
  // What came after it was not cleared.
  expect(shown(store)).toEqual([3]);
  store.undo();
  expect(shown(store).sort()).toEqual([1, 2, 3]);
});
