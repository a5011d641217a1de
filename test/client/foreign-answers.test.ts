import {type AddressInfo, createServer} from 'node:net';
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {openSender} from '../../src/client/open-sender.js';
import type {Operation} from '../../src/contract/operation.js';
import {secret} from '../auth/auth-fixture.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

const PATHS = {
  'validate-partner': '/api/v1/partner/validate',
  'validate-device': '/api/v1/device/validate',
  'process-payload': '/api/v1/decrypt/parser',
};
const BODY = '{"success":true,"messageId":"1202601010000000000000000"}';
const OK = replyOf('200 OK', ['Content-Type: application/json'], BODY);

/** A response as bytes on the wire. */
function replyOf(status: string, headers: readonly string[], body: string | Buffer = ''): Buffer {
  const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${body.length}`, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), Buffer.from(body)]);
}

/** A server that answers each request with these writes, 20 ms apart, and what it was sent. */
async function serverOf(...writes: readonly (string | Buffer)[]) {
  const heads: string[] = [];
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', async (data) => {
      text += data.toString('latin1');
      if (!/\r\n\r\n(?:\{.*\})?$/s.test(text)) return;
      heads.push(text.slice(0, text.indexOf('\r\n\r\n')));
      text = '';
      for (const write of writes) {
        socket.write(write);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    closers.push(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => void server.close());
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heads};
}

async function answerFrom(
  baseUrl: string,
  operation: Operation = 'validate-partner',
  {count = 1, retries = 0} = {},
) {
  const credentials = {partnerId: 'DEMO', partnerKey: secret('d3m0d3m0d3m0d3m0')};
  const {sender, close} = await openSender({
    ...{baseUrl, credentials, method: 'basic', retries, timeout: 5000},
  });
  closers.push(close);
  for (let i = 1; i < count; i++) await sender.send(operation, {});
  return sender.send(operation, {});
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </100>; rel=preload\r\n\r\n';

describe('an informational response that was not asked for', () => {
  it.each<[string, (string | Buffer)[]]>([
    ['100', [CONTINUE, OK]],
    ['100 in one piece with the answer', [Buffer.concat([Buffer.from(CONTINUE), OK])]],
    ['100 byte by byte', [...CONTINUE, OK]],
    ['100 twice', [`${CONTINUE}${CONTINUE}`, OK]],
    ['103, then 100', [`${HINTS}${CONTINUE}`, OK]],
    ['102', ['HTTP/1.1 102 Processing\r\n\r\n', OK]],
  ])('is skipped: %s', async (_, writes) => {
    const {url} = await serverOf(...writes);
    const {status, answer} = await answerFrom(url, 'validate-partner', {count: 2});
    expect([status, answer]).toEqual([200, JSON.parse(BODY)]);
  });

  it('is not looked for in a body', async () => {
    const body = JSON.stringify({...JSON.parse(BODY), reference: 'HTTP/1.1 100'});
    const {url} = await serverOf(replyOf('200 OK', [], body).subarray(0, -40), body.slice(-40));
    expect((await answerFrom(url)).answer).toEqual(JSON.parse(body));
  });
});

describe('an answer that is none of the interface', () => {
  it.each([
    ['https://u:secret@x.test/a/?token=secret', 'to https://x.test/a/'],
    ['/v2/', 'to BASE/v2/'],
    ['http://[', 'without a usable Location'],
    ['', 'without a usable Location'],
  ])('is a redirect: %s', async (location, target) => {
    const {url, heads} = await serverOf(
      replyOf('308 Permanent Redirect', [`Location: ${location}`]),
    );
    await expect(answerFrom(url)).rejects.toMatchObject({
      code: 9021,
      detail: `POST ${url}${PATHS['validate-partner']}: HTTP 308: expected a response of the interface, found a redirect ${target.replace('BASE', url)}`,
    });
    expect(heads).toHaveLength(1);
  });

  it.each([
    ['gzip', gzipSync(BODY)],
    ['deflate', deflateSync(BODY)],
    ['br', brotliCompressSync(BODY)],
  ])('is encoded by %s, although identity was asked for', async (encoding, body) => {
    const {url, heads} = await serverOf(replyOf('200 OK', [`Content-Encoding: ${encoding}`], body));
    await expect(answerFrom(url)).rejects.toMatchObject({
      code: 9021,
      detail: `POST ${url}${PATHS['validate-partner']}: HTTP 200: expected a response of the interface, found Content-Encoding "${encoding}"`,
    });
    expect(heads.join().toLowerCase()).toContain('\r\naccept-encoding: identity\r\n');
  });

  it('is one only if no attempt is left', async () => {
    const busy = replyOf('503 Busy', ['Content-Encoding: gzip'], gzipSync('{}'));
    const {url, heads} = await serverOf(busy);
    await expect(answerFrom(url, 'validate-partner', {retries: 1})).rejects.toMatchObject({
      code: 9021,
    });
    expect(heads).toHaveLength(2);
  });

  const CARD = {
    meta: {device: 'IDTECH', serial: '1', mode: 'swiped'},
    extracted: {PAN: '4111111111111111', EXPY: '1225'},
  };
  it.each<[Operation, object, string]>([
    [
      'validate-device',
      {success: false, errCode: '2005', errMessage: 'x'},
      'expected an integer as "errCode", found a string',
    ],
    [
      'validate-device',
      {success: false, errCode: 2.5, errMessage: 'x'},
      'expected an integer as "errCode", found a number',
    ],
    [
      'validate-device',
      {success: false, errCode: 2, errMessage: ['x']},
      'expected a string as "errMessage", found an array',
    ],
    ['validate-device', {success: 1}, 'expected a boolean as "success", found a number'],
    [
      'validate-device',
      {success: true, messageId: 12},
      'expected a string as "messageId", found a number',
    ],
    [
      'validate-device',
      {success: true, reference: {}},
      'expected a string as "reference", found an object',
    ],
    ['process-payload', {success: true}, 'the response has no "meta" member'],
    [
      'process-payload',
      {success: true, ...CARD, extracted: {...CARD.extracted, PAN: 4111}},
      'expected a string as "extracted.PAN", found a number',
    ],
    [
      'process-payload',
      {success: true, ...CARD, extracted: {...CARD.extracted, CVV: 123}},
      'expected a string as "extracted.CVV", found a number',
    ],
    [
      'process-payload',
      {success: true, ...CARD, track2: 1225},
      'expected an object as "track2", found a number',
    ],
  ])('has a member of another type: %s %j', async (operation, body, detail) => {
    const {url} = await serverOf(replyOf('200 OK', [], JSON.stringify(body)));
    await expect(answerFrom(url, operation)).rejects.toMatchObject({
      code: 9021,
      detail: `POST ${url}${PATHS[operation]}: HTTP 200: ${detail}`,
    });
  });

  it('calls an error a success', async () => {
    const {url} = await serverOf(replyOf('400 Bad Request', [], BODY));
    await expect(answerFrom(url)).rejects.toMatchObject({
      code: 9021,
      detail: `POST ${url}${PATHS['validate-partner']}: HTTP 400: expected HTTP 200 with "success": true`,
    });
  });

  it.each([
    ['502 Bad Gateway', /^A proxy or load balancer before the endpoint often answers so: /],
    ['404 Not Found', /^Check that the base URL/],
  ])('is a page with %s', async (status, hint) => {
    const {url} = await serverOf(replyOf(status, ['Content-Type: text/html'], '<html></html>'));
    await expect(answerFrom(url)).rejects.toMatchObject({
      code: 9021,
      hint: expect.stringMatching(hint),
    });
  });

  it('may have null for a text that is absent', async () => {
    const body = {success: true, messageId: '1', reference: null};
    const {url} = await serverOf(replyOf('200 OK', [], JSON.stringify(body)));
    expect((await answerFrom(url)).answer).toEqual(body);
  });
});

describe('a proxy', () => {
  it.each([
    ['407 Proxy Authentication Required', /^Give the name and password for the proxy: /],
    ['403 Forbidden', /^Check the proxy .*, have it allow the host/],
  ])('that answers %s is named, without its password', async (status, hint) => {
    const {url} = await serverOf(replyOf(status, ['Proxy-Authenticate: Basic realm="x"'], 'no'));
    const named = url.replace('//', '//joe:secret@');
    for (const variable of ['HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(variable, named);
    for (const baseUrl of ['http://parser.test', 'https://parser.test'])
      await expect(answerFrom(baseUrl)).rejects.toMatchObject({
        code: 9020,
        detail: `POST ${baseUrl}/api/v1/partner/validate: no connection through the proxy ${url}: HTTP ${status.slice(0, 3)}`,
        hint: expect.stringMatching(hint),
      });
  });

  it('that is down is named, and its variable', async () => {
    const {url} = await serverOf();
    for (const close of closers.splice(0)) await close();
    vi.stubEnv('HTTPS_PROXY', url);
    await expect(answerFrom('https://parser.test')).rejects.toMatchObject({
      code: 9020,
      detail: `POST https://parser.test/api/v1/partner/validate: no connection through the proxy ${url}: connection refused`,
      hint: 'Check the proxy in HTTPS_PROXY or HTTP_PROXY, have it allow the host, or add the host to NO_PROXY.',
    });
  });
});
