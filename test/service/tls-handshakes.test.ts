import {execFileSync} from 'node:child_process';
import {connect} from 'node:net';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {connect as connectTls} from 'node:tls';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {limitsOf} from '../../src/service/http/new-http-server.js';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {exchange} from './raw-http.js';

let service: LaunchedService;
let port = 0;

beforeAll(async () => {
  const folder = tempFolder();
  const tls = {cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem')};
  const files = ['-keyout', tls.key, '-out', tls.cert, '-subj', '/CN=localhost'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files], {
    stdio: 'ignore',
  });
  const timeouts = {headers: 500, request: 1000};
  service = await launch({mode: 'demo', registry: demoRegistry(), tls, timeouts});
  port = Number(new URL(service.url).port);
});

afterAll(() => service.close());

/** Resolves when the server has closed the connection. */
async function closed(act: (write: (bytes: Uint8Array) => void) => unknown): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  const end = new Promise((resolve) => socket.once('close', resolve));
  await act((bytes) => socket.write(bytes));
  await end;
  return text;
}

/** The first bytes of a client's greeting, as TLS 1.3 has them. */
const GREETING = Buffer.from('16030100f1010000ed0303', 'hex');

describe('a TLS socket without a handshake ends', () => {
  test('when nothing comes', async () => {
    expect(await closed(() => {})).toBe('');
  });

  test('when the greeting breaks off', async () => {
    expect(await closed((write) => write(GREETING))).toBe('');
  });

  test('when the greeting comes byte by byte', async () => {
    await closed(async (write) => {
      for (const byte of GREETING) {
        write(Uint8Array.of(byte));
        await wait(100);
      }
    });
  });

  test('when it speaks HTTP', async () => {
    const text = await closed((write) => write(Buffer.from('GET /healthz HTTP/1.1\r\n\r\n')));
    expect(text).not.toContain('HTTP/1.1');
  });
});

test('the limit is that of the headers: 10 s unless said otherwise', () => {
  expect(limitsOf()).toMatchObject({handshakeTimeout: 10_000, headersTimeout: 10_000});
});

test('who shakes hands is answered', async () => {
  const [answer] = await exchange(
    service.url,
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n',
    1,
  );
  expect(answer).toBeUndefined();
  const socket = connectTls({port, host: '127.0.0.1', rejectUnauthorized: false});
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += chunk;
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
});
