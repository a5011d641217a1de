import {createConnection} from 'node:net';
import {networkInterfaces} from 'node:os';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import type {LaunchOptions} from '../../src/service/launch-options.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {startServer} from '../../src/service/start-server.js';
import {exchange} from './raw-http.js';

const PATH = '/api/v1/partner/validate';
const running: {close: () => Promise<void>}[] = [];

async function serve(options: Partial<LaunchOptions> = {}): Promise<LaunchedService> {
  const service = await launch({mode: 'demo', registry: demoRegistry(), ...options});
  running.push(service);
  return service;
}

/** On loopback; on every address; on loopback with names of its own. */
let local: LaunchedService;
let wide: LaunchedService;
let named: LaunchedService;
let real: LaunchedService;

beforeAll(async () => {
  const allowedHosts = [
    'Shop.Example.',
    'bücher.example',
    '2001:db8::7',
    '[2001:db8::8]',
    '10.9.8.7',
  ];
  [local, wide, named, real] = await Promise.all([
    serve(),
    serve({host: '0.0.0.0'}),
    serve({host: '127.0.0.1', allowedHosts}),
    serve({mode: 'real'}),
  ]);
});

afterAll(() => Promise.all(running.map((service) => service.close())));

const local4 = ({url}: LaunchedService) => url.replace('0.0.0.0', '127.0.0.1');

async function answerTo(service: LaunchedService, lines: readonly string[]) {
  const [answer] = await exchange(local4(service), `${lines.join('\r\n')}\r\n\r\n`);
  return {...JSON.parse(answer?.body || '{}'), status: answer?.status};
}

const statusOf = async (service: LaunchedService, host: string, target = PATH) =>
  (await answerTo(service, [`POST ${target} HTTP/1.1`, `Host: ${host}`, 'Content-Length: 0']))
    .status;

/** What a request without a content type gets that was let in. */
const LET_IN = 415;
const REFUSED = 421;

const LOOPBACK = [
  'localhost',
  'LocalHost',
  'localhost.',
  'localhost:1',
  'localhost:',
  'localhost.:8080',
  'paylens.localhost',
  '127.0.0.1',
  '127.0.0.1.',
  '127.255.1.2:9',
  '127.1',
  '[::1]',
  '[::1]:8080',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:1]:80',
];

const ADDRESSES = [
  '10.9.8.6',
  '0.0.0.0',
  '203.0.113.9:8080',
  '[2001:db8::1]',
  '[::]',
  '[::ffff:10.0.0.1]:1',
];

const FOREIGN = [
  'evil.example',
  'evil.example:80',
  'localhost.evil.example',
  'evil-localhost',
  'xn--localhost-9za',
  '127.0.0.1.evil.example',
  '127.0.0.1.nip.io',
  'localhost..',
  '.localhost.',
  'localhost@evil.example',
  'user@localhost',
  'user:secret@127.0.0.1',
  'evil.example#localhost',
  'evil.example/localhost',
  'evil.example\\localhost',
  'localhost evil.example',
  'localhost,evil.example',
  'localhost%2eevil.example',
  '%6cocalhost',
  'localhost:80:80',
  'localhost:x',
  'localhost:99999',
  '::1',
  '[::1',
  '[::1]evil.example',
  '[::1%25lo]',
  '127.0.0.1.1',
  '*',
  '.',
  '',
];

describe('a service on loopback', () => {
  test.each(LOOPBACK)('answers to %j', async (host) => {
    expect(await statusOf(local, host)).toBe(LET_IN);
  });

  test.each([...FOREIGN, ...ADDRESSES])('does not answer to %j', async (host) => {
    expect(await statusOf(local, host)).toBe(REFUSED);
  });

  test('says what was asked for, and what lets it in', async () => {
    const {errCode, errMessage, success, messageId} = await answerTo(local, [
      `POST ${PATH} HTTP/1.1`,
      'Host: Evil.Example:8080',
    ]);
    expect([success, errCode, messageId.length]).toEqual([false, 2010, 25]);
    expect(errMessage).toMatch(/^Host not served here: .*evil\.example.*--allowed-host/);
  });

  test('never echoes what is no name', async () => {
    const {errMessage} = await answerTo(local, [
      `GET / HTTP/1.1`,
      'Host: <script>alert(1)</script>',
    ]);
    expect(errMessage).not.toContain('script');
  });

  test.each(['HTTP/1.0'])(
    'answers without a Host in %s, which no browser sends',
    async (version) => {
      const {status} = await answerTo(local, [`POST ${PATH} ${version}`, 'Content-Length: 0']);
      expect(status).toBe(LET_IN);
    },
  );

  test('closes the connection behind a refusal, and reads nothing behind it', async () => {
    const sent = `GET / HTTP/1.1\r\nHost: evil.example\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const answers = await exchange(local.url, sent, 2);
    expect(answers.map(({status}) => status)).toEqual([REFUSED]);
    expect(answers[0]?.headers.get('connection')).toEqual(['close']);
  });
});

describe('a target in absolute form', () => {
  test.each([
    ['http://localhost', 'localhost', LET_IN],
    ['http://LOCALHOST.:8080', '127.0.0.1', LET_IN],
    ['http://[::1]:8080', 'localhost', LET_IN],
    ['https://localhost', 'localhost', LET_IN],
    ['http://evil.example', 'localhost', REFUSED],
    ['http://localhost', 'evil.example', REFUSED],
    ['http://localhost@evil.example', 'localhost', REFUSED],
    ['http://evil.example@localhost', 'localhost', REFUSED],
    ['http://', 'localhost', REFUSED],
  ])('%s with Host %s: %i', async (origin, host, status) => {
    expect(await statusOf(local, host, origin + PATH)).toBe(status);
  });

  test('counts in HTTP/1.0, too, which needs no Host', async () => {
    const {status} = await answerTo(local, [`GET http://evil.example/metrics HTTP/1.0`]);
    expect(status).toBe(REFUSED);
  });
});

describe('every route', () => {
  const ROUTES = [
    ['POST', PATH],
    ['POST', '/api/decrypt/parser'],
    ['GET', PATH],
    ['GET', '/metrics'],
    ['GET', '/_requests'],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
    ['GET', '/docs/'],
    ['HEAD', '/docs'],
    ['GET', '/nothing'],
    ['GET', '/%zz'],
    ['GET', '/healthz/'],
    ['GET', '//healthz'],
    ['OPTIONS', '*'],
    ['DELETE', '/'],
  ] as const;

  test.each(ROUTES)('%s %s is closed to a foreign host', async (method, path) => {
    for (const service of [local, real]) {
      const [answer] = await exchange(
        service.url,
        `${method} ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
        1,
      ).catch(() => []);
      if (method !== 'HEAD') expect(answer?.status).toBe(REFUSED);
      expect(await rawStatus(service, `${method} ${path} HTTP/1.1`)).toBe(String(REFUSED));
    }
  });

  test('with an expectation, too', async () => {
    const given = await answerTo(local, [`POST ${PATH} HTTP/1.1`, 'Host: evil', 'Expect: tea']);
    expect(given.errCode).toBe(2010);
  });

  test.each(['/healthz', '/readyz', '/healthz?a=1'])('but %s is open to probes', async (path) => {
    const {status} = await answerTo(local, [`GET ${path} HTTP/1.1`, 'Host: 10.1.2.3']);
    expect(status).toBe(200);
  });

  async function rawStatus({url}: LaunchedService, line: string): Promise<string | undefined> {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    socket.write(`${line}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += chunk;
    return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
  }
});

describe('a service beyond loopback', () => {
  test.each([...LOOPBACK, ...ADDRESSES])('answers to %j', async (host) => {
    expect(await statusOf(wide, host)).toBe(LET_IN);
  });

  test.each(FOREIGN)('does not answer to %j', async (host) => {
    expect(await statusOf(wide, host)).toBe(REFUSED);
  });

  test('answers on an address of this machine', async () => {
    const own = Object.values(networkInterfaces())
      .flat()
      .find((one) => one && !one.internal);
    const {port} = new URL(wide.url);
    const address = own?.family === 'IPv4' ? own.address : '127.0.0.1';
    expect((await fetch(`http://${address}:${port}/openapi.json`)).status).toBe(200);
  });
});

describe('allowed hosts', () => {
  test.each([
    'shop.example',
    'SHOP.EXAMPLE.:443',
    'xn--bcher-kva.example',
    '[2001:db8:0::7]',
    '[2001:db8::8]:1',
    '10.9.8.7:80',
    ...LOOPBACK,
  ])('let %j in', async (host) => {
    expect(await statusOf(named, host)).toBe(LET_IN);
  });

  test.each(['a.shop.example', 'example', '10.9.8.8', ...FOREIGN])(
    'do not let %j in',
    async (host) => {
      expect(await statusOf(named, host)).toBe(REFUSED);
    },
  );

  test.each([
    'http://shop.example',
    'shop.example:80',
    'shop.example/',
    '*.example',
    '',
    'a b',
    'u@h',
  ])('%j is none: 9001', async (name) => {
    await expect(startServer({allowedHosts: [name]})).rejects.toMatchObject({
      constructor: PaylensError,
      code: 9001,
      message: expect.stringContaining('allowedHosts'),
    });
  });

  test('of startServer let in what it names', async () => {
    const server = await startServer({allowedHosts: ['tests.example']});
    running.push(server);
    const sent = 'GET /openapi.json HTTP/1.1\r\nHost: tests.example\r\n\r\n';
    expect((await exchange(server.url, sent))[0]?.status).toBe(200);
  });
});
