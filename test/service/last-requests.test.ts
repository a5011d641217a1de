import {connect, type Socket} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startServer, type TestServer} from '../../src/service/start-server.js';

const PATH = '/api/v1/partner/validate';
const JSON_TYPE = 'Content-Type: application/json';
const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket'];

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

function post(reference: string, headers: readonly string[] = [], type = JSON_TYPE): string {
  const {partnerId, partnerKey} = server.partner;
  const body = JSON.stringify({partnerId, partnerKey, reference});
  const lines = [`POST ${PATH} HTTP/1.1`, 'Host: localhost', type, ...headers];
  return `${[...lines, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`;
}

function get(path: string, headers: readonly string[]): string {
  return `${[`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
}

/** Sends packets one after the other and reads until the server closes. */
async function talk(...packets: readonly string[]): Promise<number[]> {
  server.reset();
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  const text = read(socket);
  for (const packet of packets) {
    socket.write(packet, 'latin1');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return [...(await text).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

async function read(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

const references = () => server.requests().map(({reference}) => reference);

const BEHIND: readonly (readonly [string, () => string])[] = [
  ['a request', () => post('behind')],
  ['a frame of another protocol', () => '\x81\x05hello\r\n\r\n'],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
];

describe.each([
  ['a websocket', UPGRADE],
  ['h2c', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA']],
  ['an Upgrade that Connection does not name', ['Upgrade: h2c']],
])('behind a request for %s', (_name, headers) => {
  describe.each(BEHIND)('%s', (_behind, behind) => {
    test('in its packet is not read: the connection ends with the answer', async () => {
      expect(await talk(post('first', headers) + behind())).toEqual([200]);
      expect(references()).toEqual(['first']);
    });

    test('in a later packet is not read', async () => {
      expect(await talk(post('first', headers), behind())).toEqual([200]);
      expect(references()).toEqual(['first']);
    });

    test('is not read when it had no body', async () => {
      expect(await talk(get('/healthz', headers) + behind())).toEqual([200]);
      expect(references()).toEqual([]);
    });

    test('is not read when it was no route', async () => {
      expect(await talk(get('/nothing', headers) + behind())).toEqual([404]);
      expect(references()).toEqual([]);
    });
  });

  test('what came in front of it is answered', async () => {
    expect(await talk(post('zero') + post('first', headers) + post('behind'))).toEqual([200, 200]);
    expect(references()).toEqual(['zero', 'first']);
  });
});

test.each<[string, () => string, number]>([
  ['413', () => `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\n\r\n`, 413],
  ['415', () => post('first', [], 'Content-Type: text/plain'), 415],
  ['400', () => post('first', ['Host: localhost']), 400],
  ['421', () => post('first').replace('Host: localhost', 'Host: evil.example'), 421],
  ['403', () => post('first', ['Origin: null']), 403],
  ['417', () => post('first', ['Expect: tea']), 417],
])('behind a refusal that closes, %s, nothing is done', async (_name, sent, status) => {
  expect(await talk(sent() + post('behind'))).toEqual([status]);
  expect(references()).toEqual([]);
});
