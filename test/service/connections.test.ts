import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {connect as connectTls} from 'node:tls';
import {afterEach, beforeAll, describe, expect, test} from 'vitest';
import {LOAD_LIMITS} from '../../src/service/http/limits.js';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import type {LaunchOptions} from '../../src/service/launch-options.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {exchange} from './raw-http.js';

const PATH = '/api/v1/partner/validate';
const PAGE_PATH = '/openapi.json';
const PAGE = `GET ${PAGE_PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
/** As many as are answered on one connection. */
const PAGES = 16;
const BUNDLE = PAGE.repeat(PAGES);
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const SILENCE = 400;
const ANY = {waitingEach: 2 ** 40, waiting: 2 ** 40};

const running: LaunchedService[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(running.splice(0).map((service) => service.close()));
});

async function serve(options: Partial<LaunchOptions> = {}): Promise<LaunchedService> {
  const service = await launch({mode: 'demo', registry: demoRegistry(), ...options});
  running.push(service);
  return service;
}

function open({url}: LaunchedService): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  return socket;
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

function post(members: object = {}): string {
  const credentials = {partnerId: 'DEMO', partnerKey: 'd3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0'};
  const body = JSON.stringify({...credentials, ...members});
  const lines = ['Host: localhost', 'Content-Type: application/json'];
  return `POST ${PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** What a connection can have done before it falls silent. */
const SILENT: readonly (readonly [string, (socket: Socket) => unknown])[] = [
  ['before its first byte', () => {}],
  ['within its headers', (socket) => socket.write(post().slice(0, 40))],
  ['within its body', (socket) => socket.write(post().slice(0, -5))],
  ['behind its answer', (socket) => socket.resume().write(post())],
  ['behind a refusal', (socket) => socket.resume().write(post({partnerKey: 'x'}))],
  ['behind a probe', (socket) => socket.resume().write(HEALTH)],
  ['and waits for an answer', (socket) => socket.write(post({reference: 'fault:timeout'}))],
  ['and takes no answer', (socket) => socket.pause().write(BUNDLE.repeat(20))],
  ['within a chunk', (socket) => socket.write(chunked('ff\r\nabc'))],
];

function chunked(rest: string): string {
  return `${post().split('Content-Length')[0]}Transfer-Encoding: chunked\r\n\r\n${rest}`;
}

describe('at the limit of connections', () => {
  test.each(SILENT)('one that is silent %s makes room for others', async (_name, act) => {
    const service = await serve({load: {...ANY, connections: 3, silence: SILENCE}});
    for (const socket of [open(service), open(service), open(service)]) act(socket);
    await served(service);
  });

  test('one that goes on is not cut', async () => {
    const service = await serve({load: {connections: 3, silence: SILENCE}});
    const busy = open(service);
    let answers = 0;
    busy.on('data', () => {
      answers += 1;
    });
    const timer = setInterval(() => busy.write(HEALTH), SILENCE / 8);
    open(service);
    open(service);
    await served(service);
    await wait(SILENCE);
    clearInterval(timer);
    expect([busy.destroyed, answers > 2]).toEqual([false, true]);
  });

  test('in TLS, too', async () => {
    const folder = tempFolder();
    const tls = {cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem')};
    const files = ['-keyout', tls.key, '-out', tls.cert, '-subj', '/CN=localhost'];
    const argv = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files];
    execFileSync('openssl', argv, {stdio: 'ignore'});
    const service = await serve({tls, load: {connections: 1, silence: SILENCE}});
    const port = Number(new URL(service.url).port);
    const socket = connectTls({port, host: '127.0.0.1', rejectUnauthorized: false});
    sockets.push(socket.on('error', () => {}));
    await closed(socket);
  });

  async function served({url}: LaunchedService): Promise<void> {
    for (;;) {
      const [answer] = await exchange(url, HEALTH).catch(() => []);
      if (answer) return expect(answer.status).toBe(200);
      await wait(20);
    }
  }
});

/** After it, one without an answer may be replaced; it counts from when all are connected. */
const REPLACEABLE_MS = 2500;

async function replaceable(...all: Socket[]): Promise<void> {
  await Promise.all(all.map((socket) => once(socket, 'connect')));
  await wait(REPLACEABLE_MS);
}

describe('near the limit of connections', () => {
  const KINDS = SILENT.filter(([name]) => !/takes/.test(name));

  test('a new client replaces one that is silent, whatever it has done', async () => {
    const gone = KINDS.map(async ([name, act]) => {
      const service = await serve({load: {...ANY, connections: 16, silence: 600_000}});
      const silent = Array.from({length: 16}, () => open(service));
      for (const socket of silent) act(socket);
      await replaceable(...silent);
      for (let i = 0; i < 20; i++)
        expect([name, (await exchange(service.url, HEALTH))[0]?.status]).toEqual([name, 200]);
      return [name, silent.some((socket) => socket.destroyed)];
    });
    expect(await Promise.all(gone)).toEqual(KINDS.map(([name]) => [name, true]));
  });

  test('one whose client sends on but completes no request is replaced', async () => {
    const service = await serve({load: {connections: 16, silence: 600_000}});
    const drips = Array.from({length: 16}, () => open(service));
    for (const socket of drips) socket.write(post().slice(0, 40));
    const timer = setInterval(() => {
      for (const socket of drips) socket.write('x');
    }, 100);
    await replaceable(...drips);
    const [answer] = await exchange(service.url, HEALTH);
    clearInterval(timer);
    expect(answer?.status).toBe(200);
  });

  test('one that waits for its answer is replaced last', async () => {
    const service = await serve({load: {connections: 16, silence: 600_000}});
    // Together as many as have room: none is replaced before all of them may be.
    const patient = Array.from({length: 6}, () => open(service));
    for (const socket of patient) socket.write(post({reference: 'fault:timeout'}));
    const silent = Array.from({length: 8}, () => open(service));
    await replaceable(...patient, ...silent);
    for (let i = 0; i < 8; i++) open(service);
    await Promise.all(silent.map(closed));
    expect(patient.filter(({destroyed}) => destroyed)).toEqual([]);
  });
});

describe('below the limit of connections', () => {
  test.each(SILENT.filter(([name]) => /answer$/.test(name) && !/takes/.test(name)))(
    'one that is silent %s is left alone',
    async (_name, act) => {
      const service = await serve({load: {silence: 100}});
      const socket = open(service);
      act(socket);
      await wait(1000);
      expect(socket.destroyed).toBe(false);
    },
  );

  test.each([
    ['a page', () => BUNDLE.repeat(20)],
    ['pages and requests', () => (BUNDLE + post() + HEALTH).repeat(20)],
  ])('one that takes no answer is cut: %s', async (_name, sent) => {
    const service = await serve({load: {...ANY, silence: SILENCE}});
    const socket = open(service).pause();
    const end = closed(socket);
    socket.write(sent());
    await until(
      async () => (await fetch(`${service.url}/metrics`)).text(),
      /paylens_nodejs_active_handles/,
    );
    await wait(SILENCE * 3);
    socket.resume();
    await end;
  });

  test('one that takes no answer is cut although it sends on', async () => {
    const timeouts = {headers: 600_000, request: 600_000};
    const service = await serve({timeouts, load: {...ANY, silence: SILENCE}});
    const socket = open(service).pause();
    socket.write(`${BUNDLE.repeat(20)}GET / HTTP/1.1\r\nX: `);
    const timer = setInterval(() => socket.write('x'), SILENCE / 8);
    await closed(socket).finally(() => clearInterval(timer));
  });

  test('one that reads slowly gets all of it', async () => {
    const service = await serve({load: {silence: SILENCE}});
    const socket = open(service);
    socket.write(`${BUNDLE}${HEALTH.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`);
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    await closed(socket);
    const whole = await (await fetch(service.url + PAGE_PATH)).arrayBuffer();
    expect(bytes).toBeGreaterThan(whole.byteLength * PAGES);
  });

  async function until(text: () => Promise<string>, pattern: RegExp): Promise<void> {
    while (!pattern.test(await text())) await wait(10);
  }
});

describe('answers that are not taken', () => {
  /** More than the system keeps for a connection. */
  const MANY = 20_000;

  test('are not gathered without end: the connection is cut', async () => {
    const service = await serve({load: {waitingEach: 20_000, silence: 600_000}});
    const socket = open(service).pause();
    const end = closed(socket);
    const writing = writeAll(socket, MANY);
    await wait(0);
    await Promise.race([end, writing.then(() => socket.resume())]);
    await end;
    expect(service.control.received.list().length).toBeGreaterThan(0);
  });

  test.each([
    ['of one connection', {waitingEach: 5_000_000}],
    ['of all', {waiting: 5_000_000}],
  ])('%s are bounded for pages, too', async (_name, load) => {
    const service = await serve({load: {...ANY, ...load, silence: 600_000}});
    // Read now, so that all answers are there at once.
    await (await fetch(service.url + PAGE_PATH)).arrayBuffer();
    const socket = open(service).pause();
    const end = closed(socket);
    socket.write(BUNDLE.repeat(50));
    await wait(500);
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await end;
    expect(bytes).toBeLessThan(30_000_000);
  });

  test('of all connections together are not either: the one with most is cut', async () => {
    const service = await serve({load: {waiting: 20_000, silence: 600_000}});
    const silent = [open(service).pause(), open(service).pause()];
    const ends = silent.map(closed);
    // A client that neither reads nor writes is told of no end.
    for (const socket of silent) void writeAll(socket, MANY).then(() => socket.resume());
    await Promise.race(ends);
    expect((await exchange(service.url, HEALTH))[0]?.status).toBe(200);
  });

  async function writeAll(socket: Socket, count: number): Promise<void> {
    const batch = post({partnerKey: 'wrong'}).repeat(100);
    for (let sent = 0; sent < count && !socket.destroyed; sent += 100) {
      if (!socket.write(batch))
        await Promise.race([
          new Promise((drained) => socket.once('drain', drained)),
          closed(socket),
        ]);
    }
  }
});

describe('requests in one packet', () => {
  test('are answered up to 16 behind the first, and then the connection ends', async () => {
    const service = await serve({latency: 200});
    const answers = await exchange(service.url, post().repeat(30), 30);
    const ends = answers.map(({headers}) => headers.get('connection')?.[0]);
    expect(answers.map(({status}) => status)).toEqual(Array(17).fill(200));
    expect(ends).toEqual([...Array(16).fill('keep-alive'), 'close']);
    expect(service.control.received.list()).toHaveLength(17);
  });

  test('are not taken on many connections: with 512 unanswered in all, these are cut', async () => {
    const service = await serve();
    const waiting = post({reference: 'fault:timeout'}).repeat(16);
    const sending = Array.from({length: 100}, () => open(service));
    for (const socket of sending) socket.write(waiting);
    await Promise.race(sending.map(closed));
    expect((await exchange(service.url, post()))[0]?.status).toBe(200);
    const kept = sending.filter(({destroyed}) => !destroyed);
    expect(kept.length).toBeLessThan(40);
  });

  test('and chunked bodies are not taken while 512 requests are unanswered', async () => {
    const service = await serve();
    const timeout = post({reference: 'fault:timeout'});
    for (let i = 0; i < 513; i++) open(service).write(timeout);
    const ask = async (text: string) => (await exchange(service.url, text))[0]?.status;
    const whole = chunked('1\r\n \r\n0\r\n\r\n');
    await expect.poll(() => ask(whole), {timeout: 10_000}).toBe(503);
    expect(await exchange(service.url, timeout + post(), 2)).toEqual([]);
    expect(await ask(post())).toBe(200);
    for (const socket of sockets.splice(0)) socket.resetAndDestroy();
    await expect.poll(() => ask(whole), {timeout: 10_000}).toBe(401);
  }, 30_000);

  test('up to 16 keep their connection', async () => {
    const service = await serve({latency: 200});
    const answers = await exchange(service.url, post().repeat(16), 16);
    expect(answers.at(-1)?.headers.get('connection')).toEqual(['keep-alive']);
  });
});

describe('bodies that are under way', () => {
  const LARGE = 60_000;
  const head = (length: number) =>
    `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test('have so much room together: for more there is 503, small ones are taken', async () => {
    const service = await serve({load: {bodies: 100_000}});
    for (const socket of [open(service), open(service)]) {
      socket.write(head(LARGE) + ' '.repeat(LARGE - 1));
      await wait(300);
    }
    const [small] = await exchange(service.url, post());
    expect(small?.status).toBe(200);
    const [large] = await exchange(service.url, post({reference: 'x'.repeat(LARGE)}));
    expect([large?.status, large?.headers.get('retry-after')]).toEqual([503, ['1']]);
  });

  test('keep their room until they are answered', async () => {
    const service = await serve({load: {bodies: 100_000}});
    const late = {reference: 'fault:slow', filler: 'x'.repeat(LARGE)};
    const first = exchange(service.url, post(late));
    await wait(300);
    const [second] = await exchange(service.url, post({filler: 'x'.repeat(LARGE)}));
    expect(second?.status).toBe(503);
    expect((await first)[0]?.status).toBe(200);
    const [third] = await exchange(service.url, post({filler: 'x'.repeat(LARGE)}));
    expect(third?.status).toBe(200);
  }, 20_000);

  test('in small parts need no more room than in one', async () => {
    const service = await serve({load: {bodies: LARGE + 10_000}});
    const parts = chunked(`40\r\n${' '.repeat(64)}\r\n`.repeat(LARGE / 64));
    for (let i = 0; i < 3; i++) {
      const [answer] = await exchange(service.url, `${parts}0\r\n\r\n`);
      expect(answer?.status).toBe(401);
    }
  });

  test.each([
    [64, 401, 1003],
    [65, 400, 2009],
    [LARGE, 400, 2009],
  ])('in %i parts of one byte get %i', async (count, status, errCode) => {
    const service = await serve({});
    const parts = chunked('1\r\n \r\n'.repeat(count));
    const [answer] = await exchange(service.url, `${parts}0\r\n\r\n`);
    expect(answer?.status).toBe(status);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({errCode});
  });

  test('leave their room when they are whole, cut off or too large', async () => {
    const service = await serve({load: {bodies: LARGE + 10_000}});
    for (let i = 0; i < 3; i++) {
      const socket = open(service);
      socket.write(head(LARGE) + ' '.repeat(LARGE - 1));
      await wait(200);
      socket.resetAndDestroy();
      await wait(50);
      const [answer] = await exchange(service.url, chunked('1ffff\r\n'.padEnd(70_000, ' ')));
      expect(answer?.status).toBe(413);
      await wait(50);
    }
    const [answer] = await exchange(service.url, post({deviceType: 'x'.repeat(LARGE)}));
    expect(answer?.status).toBe(200);
  });
});

// A silent client has 10 s, so that others are served within 15.
beforeAll(() => {
  expect(LOAD_LIMITS).toMatchObject({
    silence: 10_000,
    connections: 4096,
    waiting: 2 ** 24,
    bodies: 2 ** 24,
  });
});
