import {connect, type Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {exchange, type RawResponse} from './raw-http.js';

const PATH = '/api/v1/partner/validate';
const TIMEOUTS = {headers: 200, request: 400};

let server: TestServer;
/** Waits so short a time that it is for tests of slow senders only. */
let impatient: TestServer;
let body = '';

beforeAll(async () => {
  [server, impatient] = await Promise.all([startServer(), startServer({timeouts: TIMEOUTS})]);
  const {partnerId, partnerKey} = server.partner;
  body = JSON.stringify({partnerId, partnerKey, reference: 'r'});
});

afterAll(() => Promise.all([server.close(), impatient.close()]));

function head(length = body.length, verb = 'POST', path = PATH): string {
  const lines = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${length}`];
  return `${verb} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Opens a connection, lets `act` write to it, and returns the first answer. */
async function talk(
  act: (socket: Socket) => unknown,
  {url} = server,
): Promise<RawResponse | undefined> {
  const [answer] = await exchange(url, '', 1, act);
  return answer;
}

/** Writes one character after the other, slowly. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const character of text) {
    if (socket.destroyed) return;
    socket.write(character);
    await wait(50);
  }
}

const SLOW: readonly (readonly [string, (socket: Socket) => unknown])[] = [
  ['a connection without a byte', () => {}],
  ['headers that come byte by byte', (socket) => drip(socket, head())],
  ['headers that break off', (socket) => socket.write(head().slice(0, 40))],
  [
    'a body that comes byte by byte',
    (socket) => {
      socket.write(head());
      return drip(socket, body);
    },
  ],
  [
    'a body shorter than its Content-Length',
    (socket) => socket.write(head(body.length + 9) + body),
  ],
  [
    'a chunked body without its end',
    (socket) =>
      socket.write(
        `${head().replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')}2\r\n{}\r\n`,
      ),
  ],
];

describe('slow senders', () => {
  test.each(SLOW)('%s: 408, code 2009, and the connection is closed', async (_name, act) => {
    const answer = await talk(act, impatient);
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([408, ['close']]);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      success: false,
      errCode: 2009,
      messageId: expect.stringMatching(/^1\d{24}$/),
    });
  });

  test('a hundred of them are told so', async () => {
    const slow = Array.from({length: 100}, () => talk((socket) => socket.write(head()), impatient));
    const statuses = (await Promise.all(slow)).map((late) => late?.status);
    expect(statuses).toEqual(Array(100).fill(408));
  });

  test('a hundred of them do not hold up the others', async () => {
    const port = Number(new URL(server.url).port);
    const slow = Array.from({length: 100}, () => connect(port, '127.0.0.1').on('error', () => {}));
    for (const socket of slow) socket.write(head());
    const answer = await talk((socket) => socket.write(head() + body));
    expect([answer?.status, slow.some((socket) => socket.destroyed)]).toEqual([200, false]);
    for (const socket of slow) socket.destroy();
  });

  test('nothing of a request that came too late is kept', async () => {
    impatient.reset();
    await talk((socket) => socket.write(head()), impatient);
    expect(impatient.requests()).toEqual([]);
  });
});

describe('half-closed sockets', () => {
  test('a client that closes its side behind its request gets its answer', async () => {
    expect((await talk((socket) => socket.end(head() + body)))?.status).toBe(200);
  });

  test.each([
    ['within the body', () => head() + body.slice(0, 9)],
    ['within the headers', () => head().slice(0, 40)],
  ])('a client that closes its side %s: 400, code 2009', async (_name, sent) => {
    const answer = await talk((socket) => socket.end(sent()));
    expect([answer?.status, JSON.parse(answer?.body ?? '').errCode]).toEqual([400, 2009]);
  });
});

describe('connections after an error', () => {
  test.each<[string, () => string, number]>([
    ['401', () => head(0), 401],
    ['400', () => `${head(3)}{x}`, 400],
    ['404', () => `${head(2, 'POST', '/nothing')}{}`, 404],
    ['405 with a body', () => `${head(2, 'GET')}{}`, 405],
  ])('stay open after %s', async (_name, sent, status) => {
    const answers = await exchange(server.url, sent() + head() + body, 2);
    expect(answers.map((answer) => answer.status)).toEqual([status, 200]);
  });

  test.each<[string, () => string, number]>([
    ['413', () => head(70_000), 413],
    ['415', () => head().replace('application/json', 'text/plain'), 415],
  ])('are closed after %s, whose body was not read', async (_name, sent, status) => {
    const [answer] = await exchange(server.url, sent());
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([status, ['close']]);
  });
});

describe('what no route takes', () => {
  async function answerTo(sent: string) {
    const [answer] = await exchange(server.url, sent);
    return {...answer, object: JSON.parse(answer?.body || '{}')};
  }

  test('a path that is no valid encoding: 404, code 2008', async () => {
    const {status, object} = await answerTo(`${head(2, 'POST', '/api/v1/%zz')}{}`);
    expect([status, object.errCode, object.success]).toEqual([404, 2008, false]);
  });

  test('a page below the docs page: 404, code 2008', async () => {
    const {status, object} = await answerTo(head(0, 'GET', '/docs/nothing'));
    expect([status, object.errCode]).toEqual([404, 2008]);
  });

  test.each([
    '/docs/static/%2e%2e/package.json',
    '/docs/static/../../package.json',
    '/docs/static/x/../index.css',
    '/docs/static/..%2fpackage.json',
  ])('%s, which leads out of a folder: 404, code 2008', async (path) => {
    const {status, object} = await answerTo(head(0, 'GET', path));
    expect([status, object.errCode]).toEqual([404, 2008]);
  });

  test('an expectation other than 100-continue: 417 with an error object', async () => {
    const {status, object} = await answerTo(head().replace('Host', 'Expect: tea\r\nHost'));
    expect([status, object.errCode, object.messageId.length]).toEqual([417, 2009, 25]);
  });

  test('HEAD on an endpoint: 405 with Allow, and no body', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(head(0, 'HEAD').replace('Host', 'Connection: close\r\nHost'));
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: POST\r\n.*\r\n\r\n$/s);
  });

  test('POST on an information route: 405 with what it takes', async () => {
    const {status, headers} = await answerTo(`${head(2, 'POST', '/healthz')}{}`);
    expect([status, headers?.get('allow')]).toEqual([405, ['GET, HEAD']]);
  });

  test.each([
    ['CONNECT a:1 HTTP/1.1\r\nHost: a', 421, 2010, undefined],
    ['CONNECT a:1 HTTP/1.1\r\nHost: localhost', 405, 2008, ['GET, HEAD, POST']],
    ['CONNECT 127.0.0.1:443 HTTP/1.1\r\nHost: localhost', 405, 2008, ['GET, HEAD, POST']],
    ['OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close', 404, 2008, undefined],
    [
      `OPTIONS ${PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c`,
      ...([405, 2008, ['POST']] as const),
    ],
    ['PRI * HTTP/2.0', 400, 2009, undefined],
  ])('%j: %i, code %i, and the connection is closed', async (text, status, code, allow) => {
    // What follows in the tunnel is no request.
    const next = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answers = await exchange(server.url, `${text}\r\n\r\n${next}`, 2);
    const [{status: found = 0, headers, body = '{}'} = {}] = answers;
    expect([answers.length, found, JSON.parse(body).errCode]).toEqual([1, status, code]);
    expect([headers?.get('allow'), headers?.get('connection')]).toEqual([allow, ['close']]);
  });

  test('curl, which asks for a tunnel, is told that the service is no proxy', async () => {
    const args = ['--silent', '--proxytunnel', '--proxy', server.url, 'http://localhost:1/'];
    const {stdout, exitCode} = await execa('curl', [...args, '--write-out', '%{http_connect}'], {
      reject: false,
    });
    // 56: the proxy refused.
    expect([exitCode, stdout]).toEqual([56, '405']);
  });

  test('a TLS greeting to a plain port: 400, code 2009', async () => {
    const [answer] = await exchange(server.url, Buffer.from('16030100f1010000ed0303', 'hex'));
    expect([answer?.status, JSON.parse(answer?.body ?? '').errCode]).toEqual([400, 2009]);
  });

  test('a body of 10 MB: the client reads 413', async () => {
    const response = await fetch(server.url + PATH, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: Buffer.alloc(10_000_000, 0x20),
    });
    expect(response.status).toBe(413);
  });
});
