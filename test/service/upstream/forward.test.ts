import {connect} from 'node:net';
import {gzipSync} from 'node:zlib';
import {afterEach, describe, expect, test} from 'vitest';
import {draws, seedOf} from '../../long.js';
import {exchange} from '../raw-http.js';
import {isWhole, proxyTo, rawUpstream} from './raw-upstream.js';

const PATH = '/api/v1/decrypt/parser';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

type Upstream = Awaited<ReturnType<typeof rawUpstream>>;
const open: {close: () => unknown}[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** An endpoint that answers every whole request with these bytes, and a service in front of it. */
async function pair(answer: string | Buffer, options = {}) {
  const upstream = await rawUpstream((socket, received) => {
    if (isWhole(received.toString('latin1')))
      socket.end(typeof answer === 'string' ? Buffer.from(answer, 'latin1') : answer);
  });
  open.push(upstream);
  const proxy = await proxyTo(upstream.origin, options);
  open.push(proxy);
  return {upstream, proxy};
}

/** What the endpoint must get for what a client sent: another Host, and a connection of its own. */
function passedOn(sent: string, {host}: Upstream): string {
  const end = sent.indexOf('\r\n\r\n');
  const [first = '', ...lines] = sent.slice(0, end).split('\r\n');
  const kept = lines
    .filter((line) => !(/^expect:/i.test(line) && /[\x80-\xff]/.test(sent.slice(0, end))))
    .filter((line) => !/^(?:connection|keep-alive|te|proxy-connection|upgrade):/i.test(line))
    .map((line) => (/^host:/i.test(line) ? `${line.slice(0, 4)}: ${host}` : line));
  return `${[first, ...kept, 'Connection: close'].join('\r\n')}${sent.slice(end)}`;
}

/** A request as clients write them: names in any case, doubled headers, bytes above 7F. */
function drawnRequest(draw: (below: number) => number): string {
  const bytes = Array.from({length: draw(400)}, () => String.fromCharCode(draw(256))).join('');
  const any = <T>(values: readonly T[]) => values[draw(values.length)] as T;
  const headers = [
    any(['Host: localhost', 'HOST: localhost:1', 'host: 127.0.0.1']),
    any(['Content-Type: application/json', 'content-TYPE:   text/plain']),
    'Authorization: Hmac username="A", nonce="x"',
    ...Array.from({length: draw(4)}, () => `X-${any(['A', 'b', 'Long-Name'])}: ${draw(1e6)} \xe9`),
    ...(draw(2) ? ['Cookie: a=1', 'cookie: b=2'] : []),
    `CONTENT-length: ${bytes.length}`,
    ...(draw(3) ? [] : ['Expect: 100-continue']),
  ];
  const from = draw(headers.length - 2) + 1;
  const ordered = [...headers.slice(from), ...headers.slice(0, from)].map((line) =>
    line.replace(/: +/, ': '),
  );
  const target = any([PATH, `${PATH}?a=%41&b=|"`, '/api//x/../y', '/api/v1/partner/validate']);
  return `${any(['POST', 'PUT', 'DELETE'])} ${target} HTTP/1.1\r\n${ordered.join('\r\n')}\r\n\r\n${bytes}`;
}

function drawer(title: string) {
  let state = seedOf(title) >>> 0;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('a service in front of an endpoint passes on', () => {
  test('every byte of method, target, headers and body', async () => {
    const {upstream, proxy} = await pair(OK);
    const draw = drawer('forward');
    const sent = Array.from({length: draws(2000)}, () => drawnRequest(draw));
    for (const one of sent) {
      const [answer] = await exchange(proxy.url, one);
      expect(answer).toMatchObject({status: 200, body: '{}'});
    }
    const wanted = sent.map((one) => passedOn(one, upstream));
    const wrong = upstream.received().findIndex((one, i) => one !== wanted[i]);
    expect(upstream.received()[wrong]).toBe(wanted[wrong]);
  }, 300_000);

  test('a chunked body, chunked again', async () => {
    const {upstream, proxy} = await pair(OK);
    const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nX-First: 1\r\nTransfer-Encoding: chunked\r\nX-Last: 2\r\n\r\n`;
    const [answer] = await exchange(proxy.url, `${head}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`);
    expect(answer?.status).toBe(200);
    expect(upstream.received()).toEqual([
      `POST ${PATH} HTTP/1.1\r\nHost: ${upstream.host}\r\nX-First: 1\r\nX-Last: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nabcde\r\n0\r\n\r\n`,
    ]);
  });

  test('pipelined requests, their answers in order', async () => {
    const upstream = await rawUpstream((socket, received) => {
      const body = received.toString().split('\r\n\r\n')[1] ?? '';
      // The first one is answered last.
      setTimeout(
        () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${body}`),
        60 - 20 * Number(body),
      );
    });
    open.push(upstream);
    const proxy = await proxyTo(upstream.origin);
    open.push(proxy);
    const bodies = ['0', '1', '2'];
    const requests = bodies.map(
      (body) => `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n${body}`,
    );
    const answers = await exchange(proxy.url, requests.join(''), 3);
    expect(answers.map(({body}) => body)).toEqual(bodies);
    expect(new Set(upstream.received())).toEqual(
      new Set(requests.map((one) => passedOn(one, upstream))),
    );
  });

  test('a request of a client that has half-closed', async () => {
    const {upstream, proxy} = await pair(OK);
    const sent = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc`;
    const [answer] = await exchange(proxy.url, sent, 1, (socket) => socket.end());
    expect(answer).toMatchObject({status: 200, body: '{}'});
    expect(upstream.received()).toEqual([passedOn(sent, upstream)]);
  });

  test('nothing of the connection, nor what Connection names, but never less than the body', async () => {
    const {upstream, proxy} = await pair(OK);
    const lines = [
      'Host: localhost',
      'Connection: X-Mine, content-length, keep-alive',
      'X-Mine: 1',
      'Keep-Alive: 3',
      'TE: trailers',
      'Proxy-Connection: x',
      'X-Kept: 2',
      'Content-Length: 3',
    ];
    await exchange(proxy.url, `POST ${PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\nabc`);
    expect(upstream.received()).toEqual([
      `POST ${PATH} HTTP/1.1\r\nHost: ${upstream.host}\r\nX-Kept: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc`,
    ]);
  });

  test('status, reason, headers and body of the answer as they came', async () => {
    const body = gzipSync('{"success":true}');
    const head =
      'HTTP/1.1 418 I am\xe9 teapot\r\nset-COOKIE: a=1\r\nX-Two: b\r\nSet-Cookie: c=2\r\nContent-Encoding: gzip\r\nDate: Sat, 01 Jan 2000 00:00:00 GMT\r\n';
    const {proxy} = await pair(
      Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body]),
    );
    const {hostname, port} = new URL(proxy.url);
    const socket = connect(Number(port), hostname);
    socket.end(
      `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    const got = Buffer.concat(await socket.toArray());
    const wanted = `${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    expect(got.toString('latin1')).toBe(wanted + body.toString('latin1'));
  });

  test('a target in absolute form to its own endpoint only', async () => {
    const {upstream, proxy} = await pair(OK);
    const other = 'GET http://192.0.2.1/api/x HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n';
    const [refused] = await exchange(proxy.url, other);
    expect(refused?.status).toBe(421);
    const [answer] = await exchange(
      proxy.url,
      `POST http://localhost:9${PATH} HTTP/1.1\r\nHost: localhost:9\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(answer?.status).toBe(200);
    expect(upstream.received()).toEqual([
      `POST ${PATH} HTTP/1.1\r\nHost: ${upstream.host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    ]);
  });

  test.each([
    ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 5\r\n\r\n'],
    ['another coding', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['two hosts', 'Host: other\r\nContent-Length: 0\r\n\r\n'],
    ['a bare line feed', 'X: 1\nContent-Length: 5\r\n\r\n'],
    ['a folded header', 'X: 1\r\n Content-Length: 5\r\nTransfer-Encoding : chunked\r\n\r\n'],
  ])('no request with %s', async (_name, rest) => {
    const {upstream, proxy} = await pair(OK);
    const [answer] = await exchange(
      proxy.url,
      `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${rest}`,
    );
    expect(answer?.status).toBe(400);
    expect(upstream.received()).toEqual([]);
  });

  test('no body above the limit', async () => {
    const {upstream, proxy} = await pair(OK, {bodyLimit: 2048});
    const [answer] = await exchange(
      proxy.url,
      `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2049\r\n\r\n${'x'.repeat(2049)}`,
    );
    expect(answer?.status).toBe(413);
    expect(upstream.received()).toEqual([]);
  });

  test('nothing for its own pages', async () => {
    const {upstream, proxy} = await pair(OK);
    expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${proxy.url}/_requests`, {method: 'DELETE'})).status).toBe(404);
    expect(upstream.received()).toEqual([]);
  });
});
