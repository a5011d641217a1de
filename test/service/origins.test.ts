import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {exchange} from './raw-http.js';

const STATEFUL = [
  ['POST', '/api/v1/partner/validate'],
  ['POST', '/api/v1/device/validate'],
  ['POST', '/api/v1/decrypt/parser'],
  ['POST', '/api/partner/validate'],
  ['POST', '/api/device/validate'],
  ['POST', '/api/decrypt/parser'],
  ['GET', '/_requests'],
  ['GET', '/metrics'],
] as const;
const STATELESS = ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/'];

let services: Readonly<Record<'demo' | 'mock' | 'real', LaunchedService>>;

beforeAll(async () => {
  const start = (mode: 'demo' | 'mock' | 'real') => launch({mode, registry: demoRegistry()});
  const [demo, mock, real] = await Promise.all([start('demo'), start('mock'), start('real')]);
  services = {demo, mock, real};
});

afterAll(() => Promise.all(Object.values(services).map((service) => service.close())));

async function ask(mode: 'demo' | 'mock' | 'real', line: string, headers: readonly string[]) {
  const {url} = services[mode];
  const host = headers.some((header) => header.startsWith('Host:'))
    ? []
    : [`Host: ${authority(mode)}`];
  const lines = [`${line} HTTP/1.1`, ...host, ...headers, 'Content-Length: 0'];
  const [answer] = await exchange(url, `${lines.join('\r\n')}\r\n\r\n`);
  return {status: answer?.status, text: answer?.body ?? ''};
}

const authority = (mode: 'demo' | 'mock' | 'real') => new URL(services[mode].url).host;

const FOREIGN = [
  ['another site', () => 'http://evil.example'],
  ['null', () => 'null'],
  ['nothing', () => ''],
  ['another port', () => 'http://127.0.0.1:1'],
  ['the usual port', () => 'http://127.0.0.1'],
  ['another scheme', () => `https://${authority('demo')}`],
  ['another loopback name', () => `http://${authority('demo').replace('127.0.0.1', 'localhost')}`],
  ['itself as a user', () => `http://${authority('demo')}@evil.example`],
  ['itself in front', () => `http://${authority('demo')}.evil.example`],
  ['itself with a path', () => `http://${authority('demo')}/`],
  ['itself and another', () => `http://${authority('demo')}, http://evil.example`],
] as const;

describe.each(['demo', 'mock'] as const)('a page of somebody else, %s', (mode) => {
  test.each(STATEFUL)('may not %s %s', async (method, path) => {
    for (const header of ['Origin: http://evil.example', 'Sec-Fetch-Site: cross-site']) {
      const {status, text} = await ask(mode, `${method} ${path}`, [header]);
      const object = JSON.parse(text);
      expect([status, object.errCode, object.success]).toEqual([403, 2011, false]);
      expect(object.errMessage).toMatch(/^Origin not allowed: /);
    }
  });

  test.each(STATELESS)('may GET %s', async (path) => {
    const {status} = await ask(mode, `GET ${path}`, ['Sec-Fetch-Site: cross-site']);
    expect(status).toBe(200);
  });
});

describe('the origin', () => {
  const get = (headers: readonly string[]) => ask('demo', 'GET /_requests', headers);

  test.each(FOREIGN)('%s is not its own', async (_name, origin) => {
    expect((await get([`Origin: ${origin()}`])).status).toBe(403);
  });

  test('two of them are not', async () => {
    const own = `Origin: http://${authority('demo')}`;
    expect((await get([own, 'Origin: http://evil.example'])).status).toBe(403);
    expect((await get(['Origin: http://evil.example', own])).status).toBe(403);
  });

  test('of the host that was asked for is', async () => {
    const {port} = new URL(services.demo.url);
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])
      expect(
        (await get([`Host: ${host}:${port}`, `Origin: http://${host.toLowerCase()}:${port}`]))
          .status,
      ).toBe(200);
  });

  test('is the same with its usual port and without', async () => {
    expect((await get(['Host: localhost', 'Origin: http://localhost:80'])).status).toBe(200);
    expect((await get(['Host: localhost:80', 'Origin: http://localhost'])).status).toBe(200);
  });
});

describe('Sec-Fetch-Site', () => {
  test.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
    ['', 403],
    ['none, cross-site', 403],
    ['other', 403],
  ])('%j: %i', async (site, status) => {
    expect((await ask('demo', 'GET /_requests', [`Sec-Fetch-Site: ${site}`])).status).toBe(status);
  });
});

test('a refused page has changed nothing', async () => {
  const before = services.demo.control.received.list().length;
  await ask('demo', 'POST /api/v1/partner/validate', ['Origin: http://evil.example']);
  expect(services.demo.control.received.list()).toHaveLength(before);
});

test('a real service asks for signatures, whatever the origin', async () => {
  const headers = ['Origin: http://evil.example', 'Content-Type: application/json'];
  expect((await ask('real', 'POST /api/v1/partner/validate', headers)).status).toBe(401);
});
