import {EventEmitter} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer, type ServerResponse} from 'node:http';
import {networkInterfaces} from 'node:os';
import {setTimeout as wait} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {RequestStream} from '../../../src/service/inspector/request-stream.js';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {call, tell} from '../control/control-client.js';
import {hmacHeader} from '../node-signature.js';
import {exchange} from '../raw-http.js';
import {
  act,
  bearer,
  detailOf,
  hostOf,
  openSilently,
  raw,
  rowsIn,
  rowsOf,
  TOKEN,
  watch,
} from './inspector-client.js';

const GETS = ['GET /_inspector/stream', 'GET /_inspector/detail?id=1-1'];
const ACTIONS = ['clear', 'copy', 'replay', 'queue', 'unqueue'];
const POSTS = ACTIONS.map((name) => `POST /_inspector/${name}`);
const ROUTES = [...GETS, ...POSTS];
const PARTNER = '/api/v1/partner/validate';

const REAL = {mode: 'real', inspectorToken: TOKEN} as const;

let demo: LaunchedService;
let real: LaunchedService;
let log = '';

beforeAll(async () => {
  const writeLog = (lines: string) => {
    log += lines;
  };
  demo = await launch({mode: 'demo', registry: demoRegistry(), writeLog});
  real = await launch({mode: 'real', registry: demoRegistry(), writeLog, inspectorToken: TOKEN});
});
afterAll(() => Promise.all([demo.close(), real.close()]));

/** How each route of both services answers a request with these headers. */
async function statuses(headers: (url: string) => readonly string[], routes = ROUTES) {
  const found: string[] = [];
  for (const {url} of [demo, real]) {
    for (const route of routes) {
      // Real mode has no answers to queue.
      if (url === real.url && route.endsWith('queue')) continue;
      const own = url === real.url ? [`Authorization: Bearer ${TOKEN}`] : [];
      const body = route.startsWith('POST') ? '{}' : '';
      const {status, body: text} = await raw(url, route, [...own, ...headers(url)], body);
      found.push(`${status} ${JSON.parse(text).errCode}`);
    }
  }
  return new Set(found);
}

const portOf = (url: string) => new URL(url).port;

describe('host and origin', () => {
  test('1 a Host of a foreign name', async () => {
    expect(await statuses(() => ['Host: evil.example'])).toEqual(new Set(['421 2010']));
  });

  test('1 also one that --allowed-host lets in elsewhere', async () => {
    const named = await launch({
      mode: 'demo',
      registry: demoRegistry(),
      allowedHosts: ['pay.example'],
    });
    const host = [`Host: pay.example:${portOf(named.url)}`];
    const found = [
      await raw(named.url, 'GET /_requests', host),
      await raw(named.url, GETS[0] ?? '', host),
    ];
    await named.close();
    expect(found.map(({status}) => status)).toEqual([200, 421]);
  });

  test('2 a Host with a trailing dot', async () => {
    expect(await statuses((url) => [`Host: localhost.:${portOf(url)}`])).toEqual(
      new Set(['421 2010']),
    );
    expect(await statuses((url) => [`Host: 127.0.0.1.:${portOf(url)}`])).toEqual(
      new Set(['421 2010']),
    );
  });

  test('3 localhost of another port, and of none', async () => {
    expect(await statuses(() => ['Host: localhost:1'])).toEqual(new Set(['421 2010']));
    expect(await statuses(() => ['Host: localhost'])).toEqual(new Set(['421 2010']));
    expect(await statuses((url) => [`Host: a.localhost:${portOf(url)}`])).toEqual(
      new Set(['421 2010']),
    );
  });

  test('4 no Host, two Hosts', async () => {
    expect(await statuses(() => ['Host: -'])).toEqual(new Set(['400 2009']));
    const two = await statuses((url) => [`Host: ${hostOf(url)}`, 'Host: evil.example']);
    expect(two).toEqual(new Set(['400 2009']));
  });

  test('4 no Host, as HTTP/1.0 allows', async () => {
    for (const {url} of [demo, real]) {
      const [answer] = await exchange(url, 'GET /_inspector/stream HTTP/1.0\r\n\r\n');
      expect(answer?.status).toBe(421);
    }
  });

  test('5 a target in absolute form, with a foreign host and with its own', async () => {
    for (const {url} of [demo, real]) {
      for (const base of ['http://evil.example', url]) {
        const {status} = await raw(url, `GET ${base}/_inspector/stream`, [
          `Authorization: Bearer ${TOKEN}`,
        ]);
        expect(status).toBe(421);
      }
    }
  });

  test('6 rebinding: a loopback peer with a foreign Host and its own cookie', async () => {
    const found = await statuses((url) => [
      `Host: rebound.example:${portOf(url)}`,
      'Sec-Fetch-Site: same-origin',
    ]);
    expect(found).toEqual(new Set(['421 2010']));
  });

  test('7 a foreign Origin', async () => {
    expect(await statuses(() => ['Origin: http://evil.example'])).toEqual(new Set(['403 2011']));
  });

  test('8 the Origin null of a sandboxed frame or a file', async () => {
    expect(await statuses(() => ['Origin: null'])).toEqual(new Set(['403 2011']));
  });

  test('9 the Origin of another port of this machine', async () => {
    expect(await statuses(() => ['Origin: http://127.0.0.1:1'])).toEqual(new Set(['403 2011']));
    expect(await statuses((url) => [`Origin: http://localhost:${portOf(url)}`])).toEqual(
      new Set(['403 2011']),
    );
  });

  test.each(['cross-site', 'same-site', 'nonsense'])(
    '10 Sec-Fetch-Site: %s with the right Host',
    async (site) => {
      expect(await statuses(() => [`Sec-Fetch-Site: ${site}`])).toEqual(new Set(['403 2011']));
    },
  );

  test('10 Sec-Fetch-Site twice, the right one first', async () => {
    const twice = ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'];
    expect(await statuses(() => twice)).toEqual(new Set(['403 2011']));
  });

  test('11 a peer that is not loopback, with a loopback Host and X-Forwarded-For', async () => {
    const wide = await launch({mode: 'demo', registry: demoRegistry(), host: '0.0.0.0'});
    const port = portOf(wide.url);
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const outside = addresses.find(({family, internal}) => family === 'IPv4' && !internal);
    const url = outside && `http://${outside.address}:${port}`;
    const headers = [`Host: 127.0.0.1:${port}`, 'X-Forwarded-For: 127.0.0.1'];
    const found = url
      ? await Promise.all(['GET /', ...ROUTES].map((route) => raw(url, route, headers)))
      : [];
    await wide.close();
    expect(new Set(found.map(({status}) => status))).toEqual(new Set(url ? [404] : []));
  });

  test.each(['X-Forwarded-For: 203.0.113.1', 'Forwarded: for=203.0.113.1', 'Via: 1.1 proxy'])(
    '11 what a proxy on this machine hands on: %s',
    async (header) => {
      expect(await statuses(() => [header])).toEqual(new Set(['404 2008']));
    },
  );
});

describe('state', () => {
  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('12 13 %s of an action', async (method) => {
    await call(demo.url, {reference: 'stays'});
    for (const name of ACTIONS) {
      const {status} = await fetch(`${demo.url}/_inspector/${name}?request=1-1`, {method});
      expect([404, 405]).toContain(status);
    }
    const {body} = await tell(demo.url, 'GET /_requests?reference=stays');
    expect(body.length).toBeGreaterThan(0);
  });

  test('13 HEAD of the stream, which would never end', async () => {
    for (const {url} of [demo, real]) {
      const {status} = await fetch(`${url}/_inspector/stream`, {
        method: 'HEAD',
        headers: bearer(TOKEN),
      });
      expect([404, 405]).toContain(status);
    }
  });

  test('13 another method in _method or a header', async () => {
    await call(demo.url, {reference: 'stays too'});
    const override = ['X-HTTP-Method-Override: DELETE'];
    await raw(demo.url, 'POST /_inspector/detail?_method=DELETE', override, '{}');
    await raw(demo.url, 'GET /_inspector/clear?_method=POST', override);
    const {body} = await tell(demo.url, 'GET /_requests');
    expect(body.length).toBeGreaterThan(0);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    '14 15 a POST that needs no preflight: %s',
    async (type) => {
      for (const {url} of [demo, real]) {
        for (const route of [...POSTS, 'POST /_inspector/exchange']) {
          const headers = [`Authorization: Bearer ${TOKEN}`, `Content-Type: ${type}`];
          const {status, body} = await raw(url, route, headers, '{"token":"x"}');
          const isNone = status === 404 && JSON.parse(body).errCode === 2008;
          expect(isNone || status === 415).toBe(true);
        }
      }
    },
  );

  test('16 a preflight gets no CORS header', async () => {
    for (const {url} of [demo, real]) {
      const headers = ['Origin: http://evil.example', 'Access-Control-Request-Method: POST'];
      for (const name of ACTIONS) {
        const answer = await raw(url, `OPTIONS /_inspector/${name}`, headers);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect([...answer.headers.keys()].filter((each) => each.startsWith('access-'))).toEqual([]);
      }
    }
  });

  test('17 a replay aimed elsewhere, or with line ends in its path or headers', async () => {
    let asked = 0;
    const other = createServer((_request, response) => {
      asked += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const {port} = other.address() as {port: number};
    await tell(demo.url, 'POST /_reset');
    await call(demo.url);
    const [row] = await rowsOf(demo.url, 1);
    const request = `${row?.process}-${row?.sequence}`;
    const edits: unknown[] = [
      ...[
        `http://127.0.0.1:${port}/`,
        `//127.0.0.1:${port}/api/v1/partner/validate`,
        `@127.0.0.1:${port}/`,
        `${PARTNER}\r\nX-Own: 1`,
        `${PARTNER}?a\r\nHost: evil.example`,
        `${PARTNER} HTTP/1.1`,
        '/_reset',
        '/api/v1/../../_reset',
        '',
      ].map((target) => ({target, body: '{}'})),
      {target: PARTNER, body: '{}', host: `127.0.0.1:${port}`},
      {target: PARTNER, body: '{}', headers: {'x-own': 'a\r\nb'}},
      {target: PARTNER},
      {target: PARTNER, body: {}},
      [],
      'x',
      null,
    ];
    for (const edit of edits) {
      const {status} = await act(demo.url, 'replay', {request, edit});
      expect([400, 404]).toContain(status);
    }
    expect((await act(demo.url, 'replay', {request, url: `http://127.0.0.1:${port}`})).status).toBe(
      400,
    );
    other.close();
    expect(asked).toBe(0);
    expect(await rowsOf(demo.url, 1)).toHaveLength(1);
  });

  test('18 a captured signature replayed in real mode', async () => {
    const headers = {'content-type': 'application/json', authorization: hmacHeader()};
    await fetch(real.url + PARTNER, {method: 'POST', headers, body: '{}'});
    const rows = await rowsOf(real.url, 1, TOKEN);
    const request = `${rows.at(-1)?.process}-${rows.at(-1)?.sequence}`;
    const {status, object} = await act(real.url, 'replay', {request}, TOKEN);
    expect([status, object.errCode]).toEqual([403, 2011]);
    const edit = {target: PARTNER, body: '{}'};
    expect((await act(real.url, 'replay', {request, edit}, TOKEN)).status).toBe(403);
    const copy = await act(real.url, 'copy', {request}, TOKEN);
    expect(copy.object.isMasked).toBe(true);
    expect(copy.body).not.toMatch(/response=\\?"[^*]/);
  });
});

describe('the token', () => {
  test.each([
    ['no token', []],
    ['an empty token', ['Authorization: Bearer ']],
    ['a short token', [`Authorization: Bearer ${TOKEN.slice(1)}`]],
    ['a long token', [`Authorization: Bearer ${TOKEN}T`]],
    ['another scheme', [`Authorization: Basic ${TOKEN}`]],
    ['two tokens', [`Authorization: Bearer ${TOKEN}`, `Authorization: Bearer ${TOKEN}`]],
    ['a cookie of any kind', [`Cookie: token=${TOKEN}; paylens-inspector-PORT=${TOKEN}`]],
  ])('19 21 22 23 %s', async (_, lines) => {
    const service = await launch({...REAL, registry: demoRegistry()});
    const headers = lines.map((line) => line.replaceAll('PORT', portOf(service.url)));
    for (const route of [...GETS, ...POSTS.slice(0, 3)]) {
      const sent = route.startsWith('P') ? '{}' : '';
      const {status, headers: answered, body} = await raw(service.url, route, headers, sent);
      expect([status, JSON.parse(body).errCode]).toEqual([401, 1003]);
      expect(answered.has('set-cookie')).toBe(false);
    }
    await service.close();
  });

  test('19 tokens are compared by digests of one length', () => {
    const source = readFileSync('src/service/inspector/inspector-access.ts', 'utf8');
    expect(source.match(/timingSafeEqual\(digest\(/g)).toHaveLength(1);
    expect(source).not.toMatch(/(?:token|value) [!=]==? (?!undefined)/);
  });

  test('20 the token in the query', async () => {
    const query = `token=${TOKEN}`;
    expect((await raw(real.url, `GET /_inspector/stream?${query}`)).status).toBe(401);
    expect((await raw(real.url, `POST /_inspector/clear?${query}`, [], '{}')).status).toBe(401);
  });

  test('21 no answer sets a cookie', async () => {
    for (const route of ['GET /', 'GET /explore', ...GETS, 'POST /_inspector/clear']) {
      if (route.includes('stream')) continue;
      const sent = route.startsWith('P') ? '{}' : '';
      const {headers} = await raw(real.url, route, [`Authorization: Bearer ${TOKEN}`], sent);
      expect(headers.has('set-cookie')).toBe(false);
    }
  });

  test('24 the token in log, copy or detail', async () => {
    await fetch(real.url + PARTNER, {
      method: 'POST',
      headers: {'content-type': 'application/json', authorization: hmacHeader()},
      body: '{}',
    });
    await fetch(real.url + PARTNER, {
      method: 'POST',
      headers: {'content-type': 'application/json', ...bearer(TOKEN)},
      body: '{}',
    });
    const rows = await rowsOf(real.url, 2, TOKEN);
    let said = log;
    for (const row of rows) {
      const {detail} = await detailOf(real.url, row, TOKEN);
      const request = `${row.process}-${row.sequence}`;
      const copy = await act(real.url, 'copy', {request}, TOKEN);
      said += JSON.stringify(detail) + copy.body;
    }
    expect(said).not.toContain(TOKEN);
  });

  test('25 brute force', async () => {
    const next = await launch({...REAL, registry: demoRegistry()});
    const found: number[] = [];
    for (let i = 0; i < 12; i++)
      found.push((await act(next.url, 'clear', {}, `wrong-${i}`)).status);
    const last = await act(next.url, 'clear', {}, TOKEN);
    const metrics = await (await fetch(`${next.url}/metrics`)).text();
    await next.close();
    expect(found).toEqual([...Array.from({length: 10}, () => 401), 503, 503]);
    // Who guesses must not lock out the one who has it.
    expect(last.status).toBe(200);
    expect(metrics).toMatch(/^paylens_errors_total\{operation="none",errCode="1003"\} 10$/m);
  });
});

test('25 pages of another origin use up no guess, and lock nobody out', async () => {
  const next = await launch({...REAL, registry: demoRegistry()});
  const strangers = [
    ['Origin: http://evil.example', 'Sec-Fetch-Site: cross-site'],
    ['Origin: http://127.0.0.1:1', 'Sec-Fetch-Site: same-site'],
    ['Origin: null'],
    ['Content-Type: text/plain'],
    ['Host: evil.example'],
  ];
  for (const headers of strangers)
    for (let i = 0; i < 12; i++) {
      const guess = [...headers, 'Authorization: Bearer wrong'];
      const {status} = await raw(next.url, 'POST /_inspector/clear', guess, '{}');
      expect([403, 415, 421]).toContain(status);
    }
  const mistyped = await act(next.url, 'clear', {}, 'mistyped');
  const right = await act(next.url, 'clear', {}, TOKEN);
  await next.close();
  // Not put off: the first wrong token that counts is this one.
  expect([mistyped.status, right.status]).toEqual([401, 200]);
});

describe('the stream', () => {
  test.each([
    [
      'a script',
      ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: script'],
    ],
    ['a script of the same site', ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Dest: script']],
    ['a script of its own', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Dest: script']],
    ['an image', ['Sec-Fetch-Site: none', 'Sec-Fetch-Dest: image']],
    ['a navigation', ['Sec-Fetch-Site: none', 'Sec-Fetch-Dest: document']],
    [
      'fetch',
      ['Origin: http://evil.example', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: empty'],
    ],
    ['EventSource', ['Origin: http://evil.example', 'Accept: text/event-stream']],
  ])('26 read cross-site by %s', async (_, headers) => {
    expect(await statuses(() => headers, GETS)).toEqual(new Set(['403 2011']));
  });

  test('26 read by a browser without Sec-Fetch headers: not as a script', async () => {
    const response = await fetch(`${demo.url}/_inspector/stream`, {
      signal: AbortSignal.timeout(5000),
    });
    await response.body?.cancel();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-ndjson',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  test('27 a WebSocket upgrade', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    expect(await statuses(() => upgrade, GETS.slice(0, 1))).toEqual(new Set(['400 2009']));
  });

  test('28 very many clients', async () => {
    const {url, close: end} = await launch({mode: 'mock', registry: demoRegistry()});
    const open = await Promise.all(Array.from({length: 1000}, () => openSilently(url)));
    expect(open.filter(({status}) => status === 200)).toHaveLength(16);
    expect(new Set(open.map(({status}) => status))).toEqual(new Set([200, 503]));
    expect((await call(url)).status).toBe(200);
    for (const {close} of open) close();
    await vi.waitFor(async () => expect(await rowsOf(url, 1)).toHaveLength(1), 20_000);
    await end();
  });

  test('28 clients that read nothing are cut off, and the others are not', async () => {
    const row = {process: 1, time: '', target: '', status: 200, messageId: ''};
    let latest = 0;
    const stream = new RequestStream({
      rows: () => {
        latest += 1;
        return {process: 1, rows: [{...row, sequence: latest}], latest, cleared: 0, missed: 0};
      },
      answers: () => [],
    });
    const client = (unread: number) => {
      const response = Object.assign(new EventEmitter(), {
        writableLength: unread,
        written: 0,
        cut: false,
        write: () => {
          response.written += 1;
        },
        destroy: () => {
          response.cut = true;
          response.emit('close');
        },
      });
      const hello = {server: '', mode: 'demo', version: '', kept: 1} as const;
      stream.add(response as unknown as ServerResponse, undefined, hello);
      return response;
    };
    const clients = [client(0), client(8 * 1024 * 1024)];
    await wait(600);
    for (const each of clients) each.emit('close');
    expect(clients.map(({cut}) => cut)).toEqual([false, true]);
    expect(clients[0]?.written).toBeGreaterThan(1);
    const {written} = clients[0] ?? {};
    await wait(600);
    expect(clients[0]?.written).toBe(written);
  });

  test('29 a stream ends with its process', async () => {
    const service = await launch({mode: 'real', registry: demoRegistry(), inspectorToken: TOKEN});
    const response = await fetch(`${service.url}/_inspector/stream`, {headers: bearer(TOKEN)});
    const reading = response.text().catch(() => 'cut');
    await service.close();
    await reading;
    expect(response.status).toBe(200);
  });
});

describe('framing', () => {
  test.each(['iframe', 'frame', 'object', 'embed', 'image', 'script'])(
    '30 the page as %s',
    async (destination) => {
      for (const site of ['cross-site', 'same-site', 'same-origin']) {
        const headers = [`Sec-Fetch-Site: ${site}`, `Sec-Fetch-Dest: ${destination}`];
        expect((await raw(demo.url, 'GET /', headers)).status).toBe(403);
        expect((await raw(real.url, 'GET /explore', headers)).status).toBe(403);
      }
    },
  );
});

/** Cells of a payload as somebody would look for a card number in them. */
function textsOf(cells: readonly (number | null)[]): string {
  const hex = cells.map((code) => (code === null ? '**' : code.toString(16).padStart(2, '0')));
  const text = cells.map((code) => (code === null ? '*' : String.fromCharCode(code)));
  return `${hex.join('')}\n${text.join('')}`;
}

describe('data', () => {
  const {partnerId, partnerKey} = DEMO_PARTNER;
  const card = '4111111111111111';

  test('39 real mode: no clear card number and no plaintext in any answer', async () => {
    const {devicePayload} = JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8'));
    const bodies = [
      {partnerId, partnerKey, deviceType: 'idtech', devicePayload, reference: card},
      {partnerId, partnerKey, deviceType: 'miura', devicePayload: `E10B5A08${card}`, ksn: card},
      {
        partnerId,
        partnerKey,
        deviceType: 'miura',
        devicePayload: Buffer.from(`;${card}=2512101?`).toString('hex'),
      },
      {
        partnerId,
        partnerKey,
        deviceType: 'generic',
        devicePayload: `{"track2":";${card}=2512101?"}`,
      },
      {partnerId, partnerKey, deviceType: 'nonsense', devicePayload: `;${card}=25121011234?`},
    ];
    for (const body of bodies) {
      await fetch(`${real.url}/api/v1/decrypt/parser?card=${card}`, {
        method: 'POST',
        headers: {'content-type': 'application/json', 'x-card': card, cookie: `a=${card}`},
        body: JSON.stringify(body),
      });
    }
    const lines = await watch(real.url, (all) => rowsIn(all).length >= bodies.length, {
      token: TOKEN,
    });
    let said = JSON.stringify(lines);
    for (const row of rowsIn(lines)) {
      const {detail} = await detailOf(real.url, row, TOKEN);
      const copy = await act(real.url, 'copy', {request: `${row.process}-${row.sequence}`}, TOKEN);
      said += JSON.stringify(detail) + copy.body + textsOf(detail.payload?.cells ?? []);
      expect(detail.payload?.text).toBeUndefined();
      expect(detail.payload?.cells?.length > 0).toBe(row.deviceType !== undefined);
    }
    for (const secret of [card, '4266841088889999', '34313131313131313131', partnerKey])
      expect(said).not.toContain(secret);
  });

  test('39 what a body sends as a partner key is hidden, however it is written', async () => {
    await tell(demo.url, 'POST /_reset');
    const secret = 'Pa55-word-of-a-partner';
    const bodies = [
      JSON.stringify({partnerId, partnerKey: secret}),
      `{"partnerId":"${partnerId}","\\u0070artnerKey" : "${secret}"}`,
      `{"partnerId":"${partnerId}","partnerKey":"${secret}`,
      `{"partnerId":"${partnerId}","partnerKey":"${secret}","partnerKey":"${secret}"}`,
      JSON.stringify({partnerId, reference: partnerKey, clientId: DEMO_PARTNER.sharedKey}),
    ];
    for (const body of bodies)
      await fetch(demo.url + PARTNER, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`${partnerId}:${secret}`).toString('base64')}`,
          'x-api-key': secret,
        },
        body,
      });
    for (const row of await rowsOf(demo.url, bodies.length)) {
      const {detail} = await detailOf(demo.url, row);
      const said = JSON.stringify([detail.headers, detail.body]);
      expect(detail.body.length).toBeGreaterThan(20);
      for (const each of [secret, partnerKey, DEMO_PARTNER.sharedKey, 'UGE1NS13b3JkLW9m'])
        expect(said).not.toContain(each);
    }
  });
});
