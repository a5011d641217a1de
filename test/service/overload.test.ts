import {connect, type Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {MemoryReplayStore} from '../../src/auth/replay-store.js';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import type {LaunchOptions} from '../../src/service/launch-options.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {hmacHeader} from './node-signature.js';
import {exchange, post} from './raw-http.js';

const PATH = '/api/v1/partner/validate';
const running: LaunchedService[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

async function serve(options: Partial<LaunchOptions>): Promise<LaunchedService> {
  const service = await launch({mode: 'demo', registry: demoRegistry(), ...options});
  running.push(service);
  return service;
}

function signed(): string {
  return post(PATH, ['Content-Type: application/json', `Authorization: ${hmacHeader()}`], '{}');
}

/** A registry whose look-up of a partner keeps the process busy for so many milliseconds. */
function slowRegistry(milliseconds: number) {
  const registry = demoRegistry();
  const partners: typeof registry.partners = (partnerId) => {
    for (const end = performance.now() + milliseconds; performance.now() < end; );
    return registry.partners(partnerId);
  };
  return {...registry, partners};
}

describe('requests that came in together', () => {
  const COUNT = 16;
  const atOnce = Array.from({length: COUNT}, signed).join('');

  test('get 503 when the work on them has taken too long, the first ones 200', async () => {
    const {url} = await serve({registry: slowRegistry(30), load: {turn: 100}});
    const statuses = (await exchange(url, atOnce, COUNT)).map(({status}) => status);
    const served = statuses.filter((status) => status === 200).length;
    expect(statuses).toEqual([...Array(served).fill(200), ...Array(COUNT - served).fill(503)]);
    expect(served).toBeGreaterThanOrEqual(1);
    expect(served).toBeLessThanOrEqual(4);
  });

  test('are told when to try again, and keep their connection', async () => {
    const {url} = await serve({registry: slowRegistry(30), load: {turn: 100}});
    const last = (await exchange(url, atOnce, COUNT)).at(-1);
    const {headers, body} = last ?? {headers: new Map(), body: ''};
    expect([headers.get('retry-after'), headers.get('connection')]).toEqual([
      ['1'],
      ['keep-alive'],
    ]);
    expect(JSON.parse(body)).toMatchObject({
      success: false,
      errCode: 2,
      messageId: expect.stringMatching(/^1\d{24}$/),
    });
  });

  test('do not keep those that come later from being served', async () => {
    const {url} = await serve({registry: slowRegistry(30), load: {turn: 100}});
    await exchange(url, atOnce, COUNT);
    expect((await exchange(url, signed()))[0]?.status).toBe(200);
  });

  test('are counted in the metrics when they are refused', async () => {
    const {url} = await serve({registry: slowRegistry(30), load: {turn: 0}});
    await exchange(url, atOnce, COUNT);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^paylens_errors_total\{operation="none",errCode="2"\} 15$/m);
  });
});

test('a replay store that is slow makes only so many requests wait', async () => {
  const waiting: (() => void)[] = [];
  const slow = () => new Promise<'fresh'>((resolve) => waiting.push(() => resolve('fresh')));
  vi.spyOn(MemoryReplayStore.prototype, 'claim').mockImplementation(slow);
  const {url} = await serve({load: {requests: 3}});
  const first = [1, 2, 3].map(() => exchange(url, signed()));
  while (waiting.length < 3) await wait(5);
  expect((await exchange(url, signed()))[0]?.status).toBe(503);
  for (const go of waiting) go();
  expect((await Promise.all(first)).map(([answer]) => answer?.status)).toEqual([200, 200, 200]);
  vi.restoreAllMocks();
});

describe('the limit of connections', () => {
  async function idle(url: string): Promise<Socket> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('error', () => {});
    return socket;
  }

  test('closes what is beyond it at once, and counts that', async () => {
    const {url} = await serve({load: {connections: 2}});
    const sockets = [await idle(url), await idle(url)];
    const begun = performance.now();
    expect(await exchange(url, signed())).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(5_000);
    for (const socket of sockets) socket.destroy();
    expect(await metricsOnceThereIsRoom(url)).toMatch(/^paylens_connections_dropped_total [1-9]/m);
  });

  test('has room again when a connection has ended', async () => {
    const {url} = await serve({load: {connections: 2}});
    const sockets = [await idle(url), await idle(url)];
    sockets[0]?.destroy();
    expect(await metricsOnceThereIsRoom(url)).toContain('paylens_connections_dropped_total');
    sockets[1]?.destroy();
  });

  async function metricsOnceThereIsRoom(url: string): Promise<string> {
    for (;;) {
      const answer = await fetch(`${url}/metrics`).catch(() => undefined);
      if (answer) return answer.text();
      await wait(20);
    }
  }
});
