import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createServer as createTlsServer} from 'node:https';
import type {AddressInfo, Socket} from 'node:net';
import {join} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {upstreamOrigin} from '../../../src/service/http/send-upstream.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {exchange, post} from '../raw-http.js';
import {proxyTo, rawUpstream} from './raw-upstream.js';

const PATH = '/api/v1/partner/validate';
const open: {close: () => unknown}[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function inFrontOf(answer: (socket: Socket) => void, timeout = 20_000) {
  const upstream = await rawUpstream(answer);
  open.push(upstream);
  const proxy = await proxyTo(upstream.origin, {upstream: {origin: upstream.origin, timeout}});
  open.push(proxy);
  return proxy;
}

const flood = (head: string, part: string) => (socket: Socket) => {
  socket.write(head);
  const more = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on('drain', more);
  more();
};

describe('a service in front of an endpoint stays up when that', () => {
  test.each<[string, number, (socket: Socket) => void, number?]>([
    ['never answers', 504, () => {}, 300],
    [
      'stops after the head',
      504,
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
      300,
    ],
    [
      'sends one byte after another',
      504,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX: ');
        setInterval(() => socket.write('x'), 20).unref();
      },
      300,
    ],
    ['closes at once', 502, (socket) => socket.destroy()],
    [
      'closes within the body',
      502,
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
    ],
    [
      'closes within a chunk',
      502,
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{'),
    ],
    [
      'sends 50 MB',
      502,
      flood('HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n', 'x'.repeat(65_536)),
    ],
    ['never stops sending', 502, flood('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536))],
    ['never ends its head', 502, flood('HTTP/1.1 200 OK\r\n', 'X-Y: 1\r\n'.repeat(5000))],
    ['sends no HTTP', 502, (socket) => socket.end('220 mail.example.com ESMTP\r\n')],
    [
      'sends two lengths',
      502,
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'),
    ],
    [
      'sends a length and chunks',
      502,
      (socket) =>
        socket.end(
          'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
        ),
    ],
    [
      'switches the protocol',
      502,
      (socket) => socket.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
  ])('%s', async (_name, status, answer, timeout) => {
    const proxy = await inFrontOf(answer, timeout);
    const [found] = await exchange(proxy.url, post(PATH, [], '{}'));
    expect(found?.status).toBe(status);
    const {success, errCode, messageId} = JSON.parse(found?.body ?? '');
    expect({success, errCode}).toEqual({success: false, errCode: 2});
    expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
    const logged = () => proxy.log().find((one) => one.messageId === messageId);
    await expect.poll(logged).toMatchObject({msg: 'request', status});
    expect(proxy.log().filter(({msg}) => msg === 'defect')).toEqual([]);
  });

  test('sends more than one answer: the second belongs to nobody', async () => {
    const one = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1';
    const proxy = await inFrontOf((socket) => socket.end(one + one.replace(/1$/, '2')));
    const sent = post(PATH, [], '{}');
    const answers = await exchange(proxy.url, sent + sent, 2);
    expect(answers.map(({body}) => body)).toEqual(['1', '1']);
  });

  test('is left by its client', async () => {
    let left = 0;
    const proxy = await inFrontOf((socket) => void socket.on('close', () => left++));
    await exchange(proxy.url, post(PATH, [], '{}'), 1, (socket) =>
      setTimeout(() => socket.resetAndDestroy(), 100),
    );
    await expect.poll(() => left).toBe(1);
  });

  test('has a certificate that nobody vouches for', async () => {
    const folder = tempFolder();
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const argv = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject];
    execFileSync('openssl', [...argv, '-keyout', key, '-out', cert], {stdio: 'ignore'});
    const server = createTlsServer(
      {cert: readFileSync(cert), key: readFileSync(key)},
      (_request, response) => response.end('{}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(server);
    const {port} = server.address() as AddressInfo;
    const proxy = await proxyTo(new URL(`https://127.0.0.1:${port}`));
    open.push(proxy);
    const [found] = await exchange(proxy.url, post(PATH, [], '{}'));
    expect(found?.status).toBe(502);
    expect(found?.body).toContain('SELF_SIGNED');
  });
});

describe('--upstream takes an origin', () => {
  test.each([
    'https://parser.example.com',
    'https://parser.example.com:8443/',
    'http://localhost:8080',
    'http://[::1]:8080',
    'http://127.1',
  ])('%s', (text) => {
    expect(upstreamOrigin(text).pathname).toBe('/');
  });

  test.each([
    'http://parser.example.com',
    'http://localhost.example.com',
    'https://parser.example.com/api',
    'https://a:b@parser.example.com',
    'https://parser.example.com/?x',
    'https://parser.example.com#x',
    'ftp://localhost',
    'localhost:8080',
    '',
  ])('and not %s', (text) => {
    expect(() => upstreamOrigin(text)).toThrow(expect.objectContaining({code: 9001}));
  });
});
