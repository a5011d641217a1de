import {connect} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {afterEach, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import type {LaunchOptions} from '../../src/service/launch-options.js';
import {parseFailShare} from '../../src/service/operations/fault-settings.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {startServer} from '../../src/service/start-server.js';
import {hmacHeader} from './node-signature.js';
import {exchange, post} from './raw-http.js';

const PATH = '/api/v1/partner/validate';

const running: {close: () => Promise<void>}[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

async function serve(options: Partial<LaunchOptions> = {}): Promise<LaunchedService> {
  const service = await launch({mode: 'demo', registry: demoRegistry(), ...options});
  running.push(service);
  return service;
}

async function send(url: string, members: object = {}) {
  const body = JSON.stringify(members);
  const headers = {'content-type': 'application/json', authorization: hmacHeader({body})};
  const response = await fetch(url + PATH, {method: 'POST', headers, body});
  return {status: response.status, answer: (await response.json()) as Record<string, unknown>};
}

describe('two services in one process', () => {
  test('share neither requests nor nonces nor metrics', async () => {
    const [one, other] = [await startServer(), await startServer()];
    running.push(one, other);
    const headers = {'content-type': 'application/json', authorization: hmacHeader()};
    const post = (url: string) => fetch(url + PATH, {method: 'POST', headers, body: '{}'});
    expect([(await post(one.url)).status, (await post(other.url)).status]).toEqual([200, 200]);
    expect([one.requests().length, other.requests().length]).toEqual([1, 1]);
    const metrics = await (await fetch(`${other.url}/metrics`)).text();
    expect(metrics).toMatch(/^paylens_replay_store_nonces 1$/m);
  });

  test('the port of one is refused to the other, with a hint', async () => {
    const {url} = await serve();
    const port = Number(new URL(url).port);
    await expect(serve({port})).rejects.toMatchObject({
      code: 9020,
      message: expect.stringContaining(`port ${port}`),
    });
  });
});

describe('a defect', () => {
  const secret = 'this text is internal';
  const broken = (): Partial<LaunchOptions> => ({
    registry: {
      ...demoRegistry(),
      partners: () => {
        throw new TypeError(secret);
      },
    },
  });

  test('is answered 500, code 1, with nothing internal', async () => {
    const {url} = await serve(broken());
    const {status, answer} = await send(url, {reference: 'r'});
    expect([status, answer]).toEqual([
      500,
      {
        success: false,
        errCode: 1,
        errMessage: 'Internal server error',
        messageId: expect.stringMatching(/^1\d{24}$/),
        reference: 'r',
      },
    ]);
  });

  test('is in the log with its class, not with its text', async () => {
    let log = '';
    const {url, close} = await serve({
      ...broken(),
      writeLog: (lines) => {
        log += lines;
      },
    });
    await send(url);
    await close();
    expect(JSON.parse(log)).toMatchObject({level: 50, msg: 'defect', defect: 'TypeError'});
    expect(log).not.toContain(secret);
  });

  test('of the log does not take the answers or the service with it', async () => {
    const {url} = await serve({
      writeLog: () => {
        throw new Error('no room');
      },
    });
    expect([(await send(url)).status, (await send(url)).status]).toEqual([200, 200]);
  });
});

describe('--fail-rate', () => {
  test('5% of the requests: exactly 5 in 100, each 500 with code 1', async () => {
    const {url} = await serve({fails: parseFailShare('5%')});
    const answers = await Promise.all(Array.from({length: 100}, () => send(url)));
    const failed = answers.filter(({status}) => status !== 200);
    expect(failed.map(({status, answer}) => [status, answer.errCode])).toEqual(
      Array(5).fill([500, 1]),
    );
  });

  test.each([
    ['0%', 0],
    ['100%', 10],
    ['0.5', 5],
  ])('%s of ten requests', async (share, expected) => {
    const {url} = await serve({fails: parseFailShare(share)});
    const answers = await Promise.all(Array.from({length: 10}, () => send(url)));
    expect(answers.filter(({status}) => status === 500)).toHaveLength(expected);
  });

  test.each(['5', '101%', '-1%', 'x', ''])('%j is refused', (share) => {
    expect(() => parseFailShare(share)).toThrow(expect.objectContaining({code: 9001}));
  });
});

describe('a slow service', () => {
  test('--latency holds every answer back', async () => {
    const {url} = await serve({latency: 120});
    const begun = performance.now();
    await Promise.all([send(url), send(url), send(url)]);
    const took = performance.now() - begun;
    expect(took).toBeGreaterThanOrEqual(119);
  });

  test('fault:slow answers after five seconds, rightly', async () => {
    const {url} = await serve();
    const begun = performance.now();
    const {status} = await send(url, {reference: 'fault:slow'});
    expect([status, performance.now() - begun >= 4_990]).toEqual([200, true]);
  });
});

describe('close()', () => {
  test('does not wait for pipelined requests whose client is gone', async () => {
    const service = await serve({latency: 2000});
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const body = '{"partnerId":"x","partnerKey":"y"}';
    const request = post(PATH, ['Content-Type: application/json'], body);
    socket.write(request.repeat(3));
    await wait(700);
    socket.resetAndDestroy();
    await wait(3000);
    const begun = performance.now();
    await service.close();
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  test('lets pipelined requests in flight finish', async () => {
    const service = await serve({latency: 2000});
    const body = '{"partnerId":"x","partnerKey":"y"}';
    const request = post(PATH, ['Content-Type: application/json'], body);
    const answered = exchange(service.url, request.repeat(3), 3);
    await wait(700);
    await service.close();
    const answers = await answered;
    expect(answers.map(({status, headers}) => [status, headers.get('connection')?.[0]])).toEqual([
      [401, 'keep-alive'],
      [401, 'keep-alive'],
      [401, 'close'],
    ]);
  });

  test('lets requests in flight finish, and tells their clients to close', async () => {
    const service = await serve({latency: 2000});
    const given = fetch(service.url + PATH, {
      method: 'POST',
      headers: {'content-type': 'application/json', authorization: hmacHeader()},
      body: '{}',
    });
    await wait(700);
    await service.close();
    const {status, headers} = await given;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
  });
});

describe('a frozen clock', () => {
  test('stands in messageIds and in freshness', async () => {
    const {url} = await serve({now: () => Date.UTC(2031, 0, 2, 3, 4, 5)});
    const headers = {
      'content-type': 'application/json',
      authorization: hmacHeader({timestamp: Date.UTC(2031, 0, 2, 3, 4, 5) / 1000}),
    };
    const response = await fetch(url + PATH, {method: 'POST', headers, body: '{}'});
    const {messageId} = (await response.json()) as {messageId: string};
    expect([response.status, messageId.slice(0, 15)]).toEqual([200, '120310102030405']);
  });
});

describe('good clients', () => {
  test('are served while others send garbage, reset and hang', async () => {
    const {url} = await serve();
    const port = Number(new URL(url).port);
    const bad = Array.from({length: 200}, (_, i) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(BAD[i % BAD.length] ?? '');
      if (i % 3 === 0) setTimeout(() => socket.resetAndDestroy(), i);
      return socket;
    });
    const answers = await Promise.all(Array.from({length: 100}, () => send(url)));
    for (const socket of bad) socket.destroy();
    expect(answers.map(({status}) => status)).toEqual(Array(100).fill(200));
  });
});

const BAD = [
  '\0\0\0\0',
  'GET / HTTP/9.9\r\n\r\n',
  `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${'x'.repeat(64_000)}\r\n\r\n`,
  'P',
];
