import type {ServerResponse} from 'node:http';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {QueuedAnswer} from '../../../src/contract/control/queued-answer.js';
import type {CapturedRows} from '../../../src/service/information/captured-requests.js';
import {RequestStream, readCursor} from '../../../src/service/inspector/request-stream.js';

const HELLO = {server: 's', mode: 'demo', version: '1', kept: 1000} as const;
const HELLO_LINE = `{"hello":${JSON.stringify(HELLO)}}\n`;
const NOTHING: CapturedRows = {process: 7, rows: [], latest: 0, cleared: 0, missed: 0};
const ROW = {process: 7, sequence: 2, time: 't', target: '/', status: 200, messageId: 'm'};

let rows: CapturedRows;
let answers: QueuedAnswer[];
let cursors: (number | undefined)[];

beforeEach(() => {
  vi.useFakeTimers();
  rows = NOTHING;
  answers = [];
  cursors = [];
});
afterEach(() => vi.useRealTimers());

function newStream(): RequestStream {
  const rowsAfter = (after: number | undefined) => {
    cursors.push(after);
    return rows;
  };
  return new RequestStream({rows: rowsAfter, answers: () => answers});
}

function watcher(stream: RequestStream, after?: number) {
  const lines: string[] = [];
  let close = () => {};
  const response = {
    writableLength: 0,
    write: (line: string) => lines.push(line),
    once: (_: string, listener: () => void) => {
      close = listener;
    },
    destroy: vi.fn(),
  };
  stream.add(response as unknown as ServerResponse, after, HELLO);
  return {lines, response, close: () => close()};
}

const batches = (count: number) => vi.advanceTimersByTime(250 * count);

test('a watcher gets what is there, then every 250 ms what is new', () => {
  rows = {...NOTHING, rows: [ROW], latest: 2};
  const {lines} = watcher(newStream());
  const first = `{"requests":${JSON.stringify([ROW])},"cursor":{"7":2},"answers":[]}\n`;
  expect(lines).toEqual([HELLO_LINE, first]);
  rows = {...rows, rows: [], latest: 5, missed: 3};
  vi.advanceTimersByTime(249);
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(lines.slice(2)).toEqual(['{"requests":[],"cursor":{"7":5},"missed":3}\n']);
  rows = {...NOTHING, latest: 5, cleared: 5};
  batches(1);
  answers = [{id: 'a', answer: {error: 2601}, times: 1}];
  batches(1);
  answers = [];
  batches(3);
  expect(lines.slice(3)).toEqual([
    '{"cleared":{"7":5}}\n',
    '{"answers":[{"id":"a","answer":{"error":2601},"times":1}]}\n',
    '{"answers":[]}\n',
  ]);
  expect(cursors).toEqual([undefined, 2, 5, 5, 5, 5, 5]);
});

test('after 40 batches without news a watcher gets an empty line', () => {
  const {lines} = watcher(newStream(), 0);
  expect(lines.splice(0)).toEqual([HELLO_LINE, '{"answers":[]}\n']);
  batches(39);
  expect(lines).toEqual([]);
  batches(1);
  expect(lines).toEqual(['{}\n']);
  batches(40);
  expect(lines).toEqual(['{}\n', '{}\n']);
});

test('a watcher that leaves more than 4 MiB unread is disconnected', () => {
  const {lines, response} = watcher(newStream());
  response.writableLength = 4 * 1024 * 1024;
  rows = {...NOTHING, latest: 1};
  batches(1);
  expect([lines.length, response.destroy.mock.calls.length]).toEqual([3, 0]);
  response.writableLength += 1;
  rows = {...NOTHING, latest: 2};
  batches(1);
  expect([lines.length, response.destroy.mock.calls.length]).toEqual([3, 1]);
});

test('watchers in the same state share one look at the rows', () => {
  const stream = newStream();
  watcher(stream, 1);
  watcher(stream, 1);
  watcher(stream, 2);
  cursors.splice(0);
  batches(1);
  expect(cursors).toEqual([1, 2]);
});

test('it is full with 16 watchers, and idle without any', () => {
  const stream = newStream();
  const watchers = Array.from({length: 15}, () => watcher(stream));
  expect(stream.isFull).toBe(false);
  watchers.push(watcher(stream));
  expect(stream.isFull).toBe(true);
  for (const {close} of watchers.slice(1)) close();
  expect([stream.isFull, vi.getTimerCount()]).toEqual([false, 1]);
  watchers[0]?.close();
  expect(vi.getTimerCount()).toBe(0);
  watcher(stream);
  expect(vi.getTimerCount()).toBe(1);
});

test.each([
  ['', {}],
  ['12:34', {12: 34}],
  ['1:2,3:4', {1: 2, 3: 4}],
  ['1:2,,3:4', {1: 2, 3: 4}],
  ['1:2,x,3:4', {1: 2, 3: 4}],
  ['1234567890:123456789012345', {1234567890: 123456789012345}],
  ['12345678901:1', {}],
  ['1:1234567890123456', {}],
  ['x1:2', {}],
  ['1:2x', {}],
  ['1:', {}],
  [':2', {}],
])('the cursor %j', (text, cursor) => {
  expect(readCursor(text)).toEqual(cursor);
});
