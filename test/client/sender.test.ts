import {readFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import {type AddressInfo, connect} from 'node:net';
import path from 'node:path';
import type {Duplex} from 'node:stream';
import {execa} from 'execa';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {openSender} from '../../src/client/open-sender.js';
import {Sender} from '../../src/client/sender.js';
import type {HttpAnswer, HttpRequest} from '../../src/client/transport.js';
import {AUTH_METHODS, type AuthMethod} from '../../src/contract/auth-method.js';
import {startServer} from '../../src/service/start-server.js';
import {secret} from '../auth/auth-fixture.js';
import {tempFolder} from '../keyfile/temp-folder.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

const CREDENTIALS = {
  partnerId: 'DEMO',
  partnerKey: secret('d3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0'),
  sharedKey: secret('5ha3ed5ha3ed5ha3ed5ha3ed5ha3ed00'),
  privateKey: secret(
    readFileSync(new URL('../../samples/demo-rsa-key.pem', import.meta.url), 'utf8'),
  ),
};

async function senderTo(baseUrl: string, options: Partial<Parameters<typeof openSender>[0]> = {}) {
  const {sender, close} = await openSender({
    baseUrl,
    method: 'hmac',
    credentials: CREDENTIALS,
    retries: 0,
    timeout: 5000,
    ...options,
  });
  closers.push(close);
  return sender;
}

async function demoServer() {
  const server = await startServer({allowedHosts: ['parser.test']});
  closers.push(server.close);
  return server;
}

async function serverThat(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => closed(server));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

const OK = '{"success":true,"messageId":"1202601010000000000000000"}';

describe('a sender', () => {
  it.each(AUTH_METHODS)('is authenticated by %s', async (method) => {
    const {url} = await demoServer();
    const {status, answer} = await (await senderTo(url, {method})).send('validate-partner', {
      reference: 'r-1',
    });
    expect([status, answer]).toEqual([
      200,
      expect.objectContaining({success: true, reference: 'r-1'}),
    ]);
  });

  it.each(AUTH_METHODS)('is refused with wrong keys by %s', async (method) => {
    const {url} = await demoServer();
    const wrong = {...CREDENTIALS, partnerKey: secret('wrong'), sharedKey: secret('wrong')};
    const credentials = method === 'rsa' ? {...CREDENTIALS, partnerId: 'NOBODY'} : wrong;
    const {answer} = await (await senderTo(url, {method, credentials})).send(
      'validate-partner',
      {},
    );
    expect(answer.errCode).toBe(1003);
  });

  it('uses a Digest challenge again', async () => {
    const server = await demoServer();
    const sender = await senderTo(server.url, {method: 'digest'});
    for (let i = 0; i < 3; i++) await sender.send('validate-partner', {});
    expect(server.requests().map(({status}) => status)).toEqual([401, 200, 200, 200]);
  });

  it('takes a new Digest challenge when the server no longer knows the old one', async () => {
    let now = 1_700_000_000_000;
    const server = await startServer({now: () => now});
    closers.push(server.close);
    const sender = await senderTo(server.url, {method: 'digest'});
    await sender.send('validate-partner', {});
    now += 901_000;
    expect((await sender.send('validate-partner', {})).status).toBe(200);
  });

  it('sends parallel requests over one Digest challenge', async () => {
    const {url} = await demoServer();
    const sender = await senderTo(url, {method: 'digest', connections: 8});
    const answers = await Promise.all(
      Array.from({length: 40}, () => sender.send('validate-partner', {})),
    );
    expect(answers.every(({answer}) => answer.success)).toBe(true);
  });

  it('sends a body as it is', async () => {
    const bodies: string[] = [];
    const url = await serverThat(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      bodies.push(Buffer.concat(chunks).toString('latin1'));
      response.end(OK);
    });
    await (await senderTo(url)).send('validate-partner', Buffer.from(' {"a":1}\r\n\xff', 'latin1'));
    expect(bodies).toEqual([' {"a":1}\r\n\xff']);
  });

  it.each([
    ['http://host', 'http://host/api/v1/device/validate'],
    ['http://host/', 'http://host/api/v1/device/validate'],
    ['http://host/a/b', 'http://host/a/b/api/v1/device/validate'],
  ])('appends the path to the base URL %s', async (baseUrl, expected) => {
    const urls: string[] = [];
    const sender = fakeSender(
      ({url}) => {
        urls.push(url);
        return answerOf(200, OK);
      },
      {baseUrl},
    );
    await sender.send('validate-device', {});
    expect(urls).toEqual([expected]);
  });
});

interface FakeOptions {
  readonly baseUrl?: string;
  readonly retries?: number;
  readonly method?: AuthMethod;
  readonly waits?: number[];
}

function answerOf(status: number, body: string, headers: Record<string, string> = {}): HttpAnswer {
  return {status, body: Buffer.from(body), header: (name) => [headers[name] ?? []].flat()};
}

function fakeSender(
  post: (request: HttpRequest) => HttpAnswer,
  {baseUrl = 'http://host', retries = 0, method = 'hmac', waits = []}: FakeOptions = {},
): Sender {
  let drawn = 0;
  return new Sender({
    baseUrl,
    method,
    credentials: CREDENTIALS,
    transport: {post: async (request) => post(request), close: async () => {}},
    retries,
    now: () => 1_700_000_000_000,
    drawNonce: () => `n-${drawn++}`,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
  });
}

describe('another attempt', () => {
  it('is made on 502, 503 and 504, each with a nonce of its own', async () => {
    const nonces: string[] = [];
    const statuses = [502, 503, 504, 200];
    const waits: number[] = [];
    const sender = fakeSender(
      ({authorization = ''}) => {
        nonces.push(/nonce="([^"]+)"/.exec(authorization)?.[1] ?? '');
        const status = statuses.shift() ?? 500;
        return answerOf(
          status,
          status === 200 ? OK : '{"success":false,"errCode":2,"errMessage":"x"}',
        );
      },
      {retries: 3, waits},
    );
    const {attempts} = await sender.send('validate-partner', {});
    expect({attempts, nonces, waits}).toEqual({
      attempts: 4,
      nonces: ['n-0', 'n-1', 'n-2', 'n-3'],
      waits: [200, 400, 800],
    });
  });

  it('is not made when the endpoint refuses', async () => {
    const sender = fakeSender(
      () => answerOf(400, '{"success":false,"errCode":2002,"errMessage":"x"}'),
      {retries: 3},
    );
    expect((await sender.send('process-payload', {})).attempts).toBe(1);
  });

  it('is not made more often than asked for', async () => {
    const sender = fakeSender(
      () => answerOf(503, '{"success":false,"errCode":2,"errMessage":"x"}'),
      {retries: 2},
    );
    expect(await sender.send('process-payload', {})).toMatchObject({attempts: 3, status: 503});
  });

  it('is made when nothing listens', async () => {
    const url = await serverThat(() => {});
    await closers.pop()?.();
    const sender = await senderTo(url, {retries: 1});
    await expect(sender.send('validate-partner', {})).rejects.toMatchObject({
      code: 9020,
      detail: `${at(url)}connection refused`,
    });
  });
});

/** How every error names the request of `send partner`. */
function at(baseUrl: string): string {
  return `POST ${baseUrl}/api/v1/partner/validate: `;
}

const NO_JSON = 'expected a JSON object';

describe('an answer', () => {
  it.each([
    ['no JSON', '<html>', `${NO_JSON}: line 1, column 1: expected a value, found an angle bracket`],
    ['an array', '[]', `${NO_JSON}, found an array`],
    ['nothing', '', `${NO_JSON}: line 1, column 1: expected a value, found the end`],
    ['no success', '{"ok":true}', 'the response has no "success" member'],
    ['a text for success', '{"success":"true"}', 'expected a boolean as "success", found a string'],
    ['no errCode', '{"success":false,"errMessage":"x"}', 'the response has no "errCode" member'],
    ['no errMessage', '{"success":false,"errCode":1}', 'the response has no "errMessage" member'],
  ])('with %s is none of this interface', async (_, body, detail) => {
    const sender = fakeSender(() => answerOf(200, body));
    await expect(sender.send('validate-partner', {})).rejects.toMatchObject({
      code: 9021,
      detail: `${at('http://host')}HTTP 200: ${detail}`,
    });
  });

  it('tells how far our clock is ahead', async () => {
    const date = new Date(1_700_000_000_000 - 120_000).toUTCString();
    const sender = fakeSender(() => answerOf(200, OK, {date}));
    expect((await sender.send('validate-partner', {})).skew).toBe(120);
  });

  it('without a Digest challenge cannot be answered', async () => {
    const sender = fakeSender(() => answerOf(401, '{}', {'www-authenticate': 'Basic realm="x"'}), {
      method: 'digest',
    });
    await expect(sender.send('validate-partner', {})).rejects.toMatchObject({code: 9021});
  });

  it('that does not come in time is a network error', async () => {
    const url = await serverThat(() => {});
    const sender = await senderTo(url, {timeout: 300});
    await expect(sender.send('validate-partner', {})).rejects.toMatchObject({
      code: 9020,
      detail: `${at(url)}no response within 0.3 s`,
    });
  });

  it('that breaks off is a network error', async () => {
    const url = await serverThat((request) => request.socket.destroy());
    await expect((await senderTo(url)).send('validate-partner', {})).rejects.toMatchObject({
      code: 9020,
    });
  });

  it.each([
    ['announces it', {'content-length': String(64 * 1024 * 1024)}],
    ['does not', {}],
  ])('of more than 1 MiB ends with an error when the server %s', async (_, headers) => {
    let sent = 0;
    const url = await serverThat((_request, response) => {
      response.writeHead(200, headers);
      const more = () => {
        const chunk = Buffer.alloc(64 * 1024, 0x20);
        for (let free = true; free && sent < 64 * 1024 * 1024; sent += chunk.length)
          free = response.write(chunk);
      };
      response.on('drain', more);
      more();
    });
    await expect((await senderTo(url)).send('validate-partner', {})).rejects.toMatchObject({
      code: 9021,
      detail: `${at(url)}HTTP 200: expected at most 1048576 bytes, found more`,
    });
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('of 1 MiB is read', async () => {
    const answer = '{"success":true,"messageId":"1"}'.padEnd(1024 * 1024);
    const url = await serverThat((_, response) => response.end(answer));
    const {answer: read} = await (await senderTo(url)).send('validate-partner', {});
    expect(read).toEqual({success: true, messageId: '1'});
  });

  it.each([
    ['endless headers', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(10_000)}`, /headers .* 16 KiB/],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', /not HTTP/],
  ])('with %s is told as such', async (_name, bytes, detail) => {
    const url = await serverThat((request) => request.socket.end(bytes));
    const failure = expect.objectContaining({code: 9020, detail: expect.stringMatching(detail)});
    await expect((await senderTo(url)).send('validate-partner', {})).rejects.toEqual(failure);
  });

  it('without TLS to an https address is told as such', async () => {
    const url = await serverThat((_, response) => response.end());
    const sender = await senderTo(url.replace('http:', 'https:'));
    const failure = expect.objectContaining({detail: expect.stringMatching(/http address/)});
    await expect(sender.send('validate-partner', {})).rejects.toEqual(failure);
  });

  it('that comes by drops ends with the time allowed for it', async () => {
    const url = await serverThat((_, response) => {
      response.writeHead(200);
      const drops = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drops));
    });
    const sender = await senderTo(url, {timeout: 300});
    await expect(sender.send('validate-partner', {})).rejects.toMatchObject({
      code: 9020,
      detail: `${at(url)}the response (HTTP 200) was not complete within 0.3 s`,
    });
  });

  it('that redirects is not followed', async () => {
    const url = await serverThat((_, response) => {
      response.writeHead(302, {location: 'http://127.0.0.1:1/'}).end();
    });
    await expect((await senderTo(url)).send('validate-partner', {})).rejects.toMatchObject({
      code: 9021,
      detail: `${at(url)}HTTP 302: expected a response of the interface, found a redirect to http://127.0.0.1:1/`,
    });
  });
});

describe('a certificate of its own', () => {
  async function tlsServer() {
    const folder = tempFolder();
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', key, '-out', cert];
    await execa('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files]);
    const server = createTlsServer(
      {key: readFileSync(key), cert: readFileSync(cert)},
      (_, response) => response.end(OK),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => closed(server));
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('is refused when it is not trusted', async () => {
    const url = await tlsServer();
    await expect((await senderTo(url)).send('validate-partner', {})).rejects.toMatchObject({
      code: 9020,
      detail: `${at(url)}self-signed certificate: trust it with NODE_EXTRA_CA_CERTS`,
    });
  });
});

describe('a proxy', () => {
  async function proxy(): Promise<{url: string; tunnels: string[]}> {
    const tunnels: string[] = [];
    const server = createServer();
    server.on('connect', (request, socket, head) => {
      tunnels.push(request.url ?? '');
      // Whatever the name: those of this machine go to no proxy.
      const port = (request.url ?? '').split(':')[1];
      const target = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        target.write(head);
        target.pipe(socket);
        socket.pipe(target);
      });
      target.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
      socket.on('error', () => target.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => closed(server));
    return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels};
  }

  it('of the environment carries the request, but not to the hosts of NO_PROXY', async () => {
    const {url} = await demoServer();
    const {url: HTTP_PROXY, tunnels} = await proxy();
    const host = `parser.test:${new URL(url).port}`;
    vi.stubEnv('HTTP_PROXY', HTTP_PROXY);
    const sender = await senderTo(`http://${host}`);
    expect([(await sender.send('validate-partner', {})).status, tunnels]).toEqual([200, [host]]);
    vi.stubEnv('NO_PROXY', 'parser.test');
    const direct = await senderTo(`http://${host}`);
    await expect(direct.send('validate-partner', {})).rejects.toMatchObject({code: 9020});
    expect(tunnels).toEqual([host]);
  });

  it('may be written without http://', async () => {
    const {url} = await demoServer();
    const {url: named, tunnels} = await proxy();
    vi.stubEnv('http_proxy', named.slice('http://'.length));
    const sender = await senderTo(`http://parser.test:${new URL(url).port}`);
    expect([(await sender.send('validate-partner', {})).status, tunnels.length]).toEqual([200, 1]);
  });

  it.each([
    ...['foo', 'http://', 'ftp://secret@x:1', 'socks5://secret@x:1080', 'secret@x:99999', ':1'],
    ...['http://secret@x:99999', 'http:/x', 'secret:secret'],
  ])('%s is refused, and not repeated', async (value) => {
    for (const variable of ['HTTPS_PROXY', 'HTTP_PROXY'])
      for (const name of [variable, variable.toLowerCase()]) {
        vi.stubEnv(name, value);
        await expect(senderTo('https://parser.test')).rejects.toMatchObject({
          code: 9001,
          detail: `${variable}: expected host:port or http://host:port`,
        });
        vi.unstubAllEnvs();
      }
  });

  it.each([
    ...['127.0.0.1', '127.8.9.10', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.'],
    ...['localhost', 'LocalHost.', 'api.localhost', 'a.b.localhost.', '[::1]', '[0:0::0:1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f01:203]', '0.0.0.0', '0', '[::]', '[::ffff:0.0.0.0]'],
    ...['%6cocalhost', '１２７.0.0.1', 'ⓛocalhost'],
  ])('never carries a request to %s', async (host) => {
    const {url} = await demoServer();
    const {url: named, tunnels} = await proxy();
    const baseUrl = `http://${host}:${new URL(url).port}`;
    for (const name of ['HTTP_PROXY', 'http_proxy']) {
      vi.stubEnv(name, named);
      const sender = await senderTo(baseUrl);
      // Not every form of it connects on every machine.
      await sender.send('validate-partner', {}).catch(() => undefined);
    }
    expect(tunnels).toEqual([]);
  });

  it.each([
    ...['128.0.0.1', '1.127.0.0', 'localhost.test', 'notlocalhost', '[::2]', '[::ffff:128.0.0.1]'],
    '0.0.0.1',
  ])('carries a request to %s', async (host) => {
    const {url: named, tunnels} = await proxy();
    vi.stubEnv('HTTP_PROXY', named);
    const sender = await senderTo(`http://${host}:1`);
    await expect(sender.send('validate-partner', {})).rejects.toMatchObject({
      code: 9020,
      detail: `${at(`http://${host}:1`)}no connection through the proxy ${named}: HTTP 502`,
    });
    expect(tunnels).toHaveLength(1);
  });

  it.each([
    [
      'hangs up',
      (socket: Duplex) => socket.destroy(),
      'connection closed before the response was complete',
    ],
    ['never answers', () => {}, 'no response within 0.3 s'],
  ])('that %s does not hold the command up', async (_, react, reason) => {
    const server = createServer().on('connect', (_request, socket) => {
      socket.on('error', () => {});
      react(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => void server.close());
    const named = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    vi.stubEnv('HTTP_PROXY', named);
    const sender = await senderTo('http://parser.test', {timeout: 300});
    await expect(sender.send('validate-partner', {})).rejects.toMatchObject({
      detail: `${at('http://parser.test')}no connection through the proxy ${named}: ${reason}`,
    });
  });
});
