import {afterAll, beforeAll, expect, test} from 'vitest';
import {packageRoot} from '../../../src/files/package-root.js';
import {ReadingThread} from '../../../src/service/inspector/reading-thread.js';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {call} from '../control/control-client.js';
import {detailOf, rowsOf} from './inspector-client.js';

/** The worker of the build, which never ends an order with the word ENDLESS in it. */
const BUILT = new URL('dist/service/inspector/reading-worker.js', packageRoot());
const PLANTED = `
  import {parentPort} from 'node:worker_threads';
  parentPort.on('message', (order) => {
    const {body} = (order.detail?.raw ?? order.refused);
    while (Buffer.from(body).includes('ENDLESS'));
    if (Buffer.from(body).includes('FULL')) {
      const all = [];
      for (;;) all.push(new Array(1e6).fill(0.5));
    }
  });
  await import(${JSON.stringify(BUILT.href)});`;
const planted = workerOf(PLANTED);
const PARSER = '/api/v1/decrypt/parser';
const PAN = '4111111111111111';
const log: string[] = [];

let service: LaunchedService;

beforeAll(async () => {
  const writeLog = (lines: string) => log.push(lines);
  const options = {mode: 'demo', registry: demoRegistry(), explain: true, writeLog} as const;
  service = await launch({...options, readingWorker: planted});
});
afterAll(() => service.close());

function workerOf(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

async function detailAfter(body: Record<string, unknown>) {
  await call(service.url, body);
  const row = (await rowsOf(service.url, 1)).at(-1);
  if (!row) throw new Error('no row');
  return (await detailOf(service.url, row)).detail;
}

test('an inspection that does not end is stopped, and says so without what it read', async () => {
  const devicePayload = `ENDLESS %B${PAN}^A/B^3012101?`;
  const detail = await detailAfter({deviceType: 'idtech', devicePayload});
  expect(detail.stopped).toEqual({reason: 'time', limitMs: 300});
  expect(detail.request.operation).toBe('process-payload');
  expect(detail.error.errCode).toBe(detail.request.errCode);
  expect(detail).not.toHaveProperty('body');
  expect(detail).not.toHaveProperty('payload');
  expect(JSON.stringify(detail)).not.toContain(PAN);
});

test('the thread after it answers again, with payload and steps', async () => {
  const read = () => detailAfter({deviceType: 'idtech', devicePayload: '02AB'});
  // On a busy machine the first reading of a new thread may take longer than its 300 ms.
  await expect.poll(read).not.toHaveProperty('stopped');
  const detail = await read();
  expect(detail.payload.deviceType).toBe('idtech');
  expect(detail.body).toContain('02AB');
  expect(detail.steps.length).toBeGreaterThan(1);
});

test('one that fills the memory of its thread ends the thread alone', async () => {
  const detail = await detailAfter({deviceType: 'idtech', devicePayload: 'FULL'});
  expect(['memory', 'time']).toContain(detail.stopped.reason);
  expect((await detailAfter({deviceType: 'idtech'})).body).toContain('idtech');
});

test('an explanation that does not end is stopped: the answer and the log say so', async () => {
  const body = JSON.stringify({partnerId: DEMO_PARTNER.partnerId, partnerKey: `ENDLESS ${PAN}`});
  const headers = {'content-type': 'application/json'};
  const answer = await fetch(service.url + PARSER, {method: 'POST', headers, body});
  expect(answer.status).toBe(401);
  expect(answer.headers.get('paylens-why')).toBe('the explanation was stopped after 300 ms');
  expect(log.join('')).toContain('the explanation was stopped after 300 ms');
  expect(log.join('')).not.toContain(PAN);
});

test('an explanation in the thread knows the partners that the request may mean', async () => {
  const authorization = `Basic ${Buffer.from(`demo:${DEMO_PARTNER.partnerKey}`).toString('base64')}`;
  const headers = {'content-type': 'application/json', authorization};
  const answer = await fetch(service.url + PARSER, {method: 'POST', headers, body: '{}'});
  expect(answer.headers.get('paylens-why')).toBe(
    'unknown username: the partnerId is in upper case',
  );
});

test('a request is read once, however often its details are asked for', async () => {
  const counting = workerOf(`
    import {parentPort} from 'node:worker_threads';
    let count = 0;
    parentPort.on('message', () => parentPort.postMessage(JSON.stringify({count: ++count})));
    parentPort.postMessage('ready');`);
  const other = await launch({mode: 'mock', registry: demoRegistry(), readingWorker: counting});
  try {
    await call(other.url, {deviceType: 'idtech', devicePayload: '02AB'});
    const [row] = await rowsOf(other.url, 1);
    if (!row) throw new Error('no row');
    const details = await Promise.all([1, 2, 3].map(() => detailOf(other.url, row)));
    expect(details.map(({detail}) => detail.count)).toEqual([1, 1, 1]);
  } finally {
    await other.close();
  }
});

test('orders wait for the thread in a queue with an end', async () => {
  const thread = new ReadingThread<number>(
    workerOf(`
    import {parentPort} from 'node:worker_threads';
    parentPort.on('message', (order) => parentPort.postMessage(String(order)));
    parentPort.postMessage('ready');`),
  );
  const results = await Promise.all(Array.from({length: 80}, (_, i) => thread.read(i)));
  const answered = results.flatMap((result) => ('json' in result ? [Number(result.json)] : []));
  expect(answered).toEqual(Array.from({length: 64}, (_, i) => i));
  expect(results.at(-1)).toEqual({stopped: {reason: 'queue', limitMs: 300}});
  await thread.close();
});

test('an order has the time that it asks for', async () => {
  const thread = new ReadingThread<number>(
    workerOf(`
    import {parentPort} from 'node:worker_threads';
    parentPort.on('message', (order) => {
      const end = Date.now() + order;
      while (Date.now() < end);
      parentPort.postMessage('"read"');
    });
    parentPort.postMessage('ready');`),
  );
  expect(await thread.read(700, 20_000)).toEqual({json: '"read"'});
  expect(await thread.read(700)).toEqual({stopped: {reason: 'time', limitMs: 300}});
  await thread.close();
});
