import {connect} from 'node:net';
import {text} from 'node:stream/consumers';
import {setTimeout as wait} from 'node:timers/promises';
import fastify from 'fastify';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {Control} from '../../../src/service/control/control.js';
import {addControlRoutes, SERVICE_CONTROL} from '../../../src/service/control/control-routes.js';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {hmacHeader} from '../node-signature.js';
import {exchange} from '../raw-http.js';
import {call, tell} from './control-client.js';

const {partnerId, partnerKey} = DEMO_PARTNER;
const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const ROUTES = [
  'GET /_requests',
  'DELETE /_requests',
  'POST /_reset',
  'POST /_answers',
  'GET /_answers',
  'DELETE /_answers',
  'DELETE /_answers/1',
];

let mock: LaunchedService;
let demo: LaunchedService;
let real: LaunchedService;

beforeAll(async () => {
  const registry = demoRegistry();
  [mock, demo, real] = await Promise.all([
    launch({mode: 'mock', registry}),
    launch({mode: 'demo', registry}),
    launch({mode: 'real', registry}),
  ]);
});
afterAll(() => Promise.all([mock.close(), demo.close(), real.close()]));
beforeEach(async () => {
  expect((await tell(mock.url, 'POST /_reset')).status).toBe(204);
  expect((await tell(demo.url, 'POST /_reset')).status).toBe(204);
});

const queue = async (order: unknown) => {
  const {status, body} = await tell(mock.url, 'POST /_answers', order);
  expect(status).toBe(201);
  return body.id as string;
};

describe('GET /_requests', () => {
  test('lists every member that is not secret', async () => {
    const members = {reference: 'r-1', clientId: 'c-1', deviceSerial: 'S-1', ksn: 'K-1', iv: '00'};
    await call(mock.url, members);
    const {body} = await tell(mock.url, 'GET /_requests');
    const {iv: _, ...shown} = members;
    expect(body).toEqual([
      {
        ...shown,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        operation: 'process-payload',
        target: '/api/v1/decrypt/parser',
        authentication: 'transparent',
        partnerId: 'DEMO',
        deviceType: 'miura',
        status: 200,
        messageId: expect.stringMatching(/^\d{25}$/),
        bodyBytes: expect.any(Number),
        ms: expect.any(Number),
      },
    ]);
    await call(mock.url, {serial: 'S-2', firmware: '1.0'}, DEVICE);
    const [, second] = (await tell(mock.url, 'GET /_requests')).body;
    expect(second).toMatchObject({serial: 'S-2', firmware: '1.0'});
  });

  test('filters by since, reference, status and deviceType, and by several of them', async () => {
    const ids: string[] = [];
    for (const body of [
      {reference: 'a'},
      {reference: 'b', deviceType: 'idtech'},
      {reference: 'a', deviceType: 'nothing'},
      {reference: 'a b&c', deviceType: 'idtech'},
    ]) {
      ids.push((await call(mock.url, body)).body.messageId);
    }
    const found = async (query: string) => {
      const {body} = await tell(mock.url, `GET /_requests?${query}`);
      return body.map(({messageId}: {messageId: string}) => ids.indexOf(messageId));
    };
    expect(await found(`since=${ids[0]}`)).toEqual([1, 2, 3]);
    expect(await found(`since=${ids[3]}`)).toEqual([]);
    expect(await found('reference=a')).toEqual([0, 2]);
    expect(await found('reference=a+b%26c')).toEqual([3]);
    expect(await found('status=400')).toEqual([2]);
    expect(await found('deviceType=idtech')).toEqual([1, 3]);
    expect(await found(`since=${ids[1]}&reference=a&status=200`)).toEqual([]);
    expect(await found(`since=${ids[0]}&deviceType=idtech&status=200`)).toEqual([1, 3]);
  });

  test('knows what came after a messageId that it has forgotten', async () => {
    const {body} = await call(mock.url);
    await tell(mock.url, 'DELETE /_requests');
    const later = await call(mock.url);
    const {body: found} = await tell(mock.url, `GET /_requests?since=${body.messageId}`);
    expect(found).toMatchObject([{messageId: later.body.messageId}]);
  });

  test.each([
    'since=1',
    'status=ok',
    'deviceType=x',
    'refrence=a',
    'status=200&status=400',
    '__proto__=1',
  ])('refuses the filter %s', async (query) => {
    const {status, body} = await tell(mock.url, `GET /_requests?${query}`);
    expect([status, body.errCode]).toEqual([400, 2005]);
  });
});

describe('forgetting', () => {
  test('DELETE /_requests forgets requests alone', async () => {
    await queue({answer: {card: 'amex'}});
    await call(mock.url, {}, PARTNER);
    expect((await tell(mock.url, 'DELETE /_requests')).status).toBe(204);
    expect((await tell(mock.url, 'GET /_requests')).body).toEqual([]);
    expect((await tell(mock.url, 'GET /_answers')).body).toHaveLength(1);
  });

  test('POST /_reset forgets requests, answers and used nonces', async () => {
    const authorization = hmacHeader();
    const send = async () => {
      const headers = {'content-type': 'application/json', authorization};
      return (await fetch(mock.url + PARTNER, {method: 'POST', headers, body: '{}'})).status;
    };
    await queue({answer: {card: 'amex'}});
    expect([await send(), await send()]).toEqual([200, 401]);
    expect((await tell(mock.url, 'POST /_reset', {})).status).toBe(204);
    expect((await tell(mock.url, 'GET /_requests')).body).toEqual([]);
    expect((await tell(mock.url, 'GET /_answers')).body).toEqual([]);
    expect([await send(), await send()]).toEqual([200, 401]);
  });
});

describe('a queued answer', () => {
  test('is a card, once, then the usual one', async () => {
    await queue({answer: {card: 'amex'}});
    const pans = [await call(mock.url), await call(mock.url)].map(({body}) => body.extracted.PAN);
    expect(pans).toEqual(['378282246310005', expect.not.stringMatching(/^378/)]);
  });

  test('is a card in demo mode, too', async () => {
    await tell(demo.url, 'POST /_answers', {answer: {card: 'amex'}});
    const found = [await call(demo.url), await call(demo.url)];
    expect(found.map(({status}) => status)).toEqual([200, 400]);
    expect(found[0]?.body.extracted.PAN).toBe('378282246310005');
  });

  test('is a card only for process-payload', async () => {
    await queue({answer: {card: 'amex'}});
    expect(Object.keys((await call(mock.url, {}, PARTNER)).body)).toEqual(['success', 'messageId']);
    expect((await call(mock.url)).body.extracted.PAN).toBe('378282246310005');
  });

  test.each([
    [2601, 400],
    [1003, 401],
    [2, 503],
    [1202, 400],
  ])('is the error %i with its status', async (error, expected) => {
    await queue({answer: {error}});
    const {status, body, headers} = await call(mock.url, {reference: 'mine'});
    expect(body).toMatchObject({success: false, errCode: error, reference: 'mine'});
    expect(status).toBe(expected);
    if (error === 2) expect(headers.get('retry-after')).toBe('1');
    expect((await call(mock.url)).status).toBe(200);
  });

  test('is the usual one after a time', async () => {
    await queue({answer: {latency: 300}});
    const begun = performance.now();
    const {body} = await call(mock.url, {reference: 'card:amex'});
    expect(performance.now() - begun).toBeGreaterThan(290);
    expect(body.extracted.PAN).toBe('378282246310005');
  });

  test('is an error after a time', async () => {
    await queue({answer: {latency: 300, error: 2601}});
    const begun = performance.now();
    expect((await call(mock.url)).body.errCode).toBe(2601);
    expect(performance.now() - begun).toBeGreaterThan(290);
  });

  test('is used by the first match, as often as it says', async () => {
    await queue({match: {reference: 'a'}, answer: {error: 2100}, times: 2});
    await queue({match: {deviceType: 'idtech'}, answer: {error: 2101}});
    await queue({answer: {error: 2102}});
    await queue({match: {reference: 'a'}, answer: {error: 2103}});
    const codes: unknown[] = [];
    for (const body of [
      {reference: 'a', deviceType: 'idtech'},
      {reference: 'b', deviceType: 'idtech'},
      {reference: 'a'},
      {reference: 'a'},
      {reference: 'b'},
      {reference: 'a'},
      {reference: 'a'},
    ]) {
      codes.push((await call(mock.url, body)).body.errCode);
    }
    expect(codes).toEqual([2100, 2101, 2100, 2102, undefined, 2103, undefined]);
  });

  test('matches the serial number of request or payload, however it is written', async () => {
    await queue({match: {serial: '00ab-1'}, answer: {error: 1202}, times: 3});
    const found = [
      await call(mock.url, {serial: 'AB-1', firmware: '1'}, DEVICE),
      await call(mock.url, {deviceSerial: '0AB-1'}),
      await call(mock.url, {deviceSerial: 'AB-2'}),
      await call(mock.url, {}, PARTNER),
    ];
    expect(found.map(({body}) => body.errCode)).toEqual([1202, 1202, undefined, undefined]);
  });

  test('waits for a request that is authenticated', async () => {
    await queue({answer: {error: 2601}});
    expect((await call(mock.url, {partnerKey: 'wrong'})).body.errCode).toBe(1003);
    expect((await call(mock.url)).body.errCode).toBe(2601);
  });

  test('is listed while it waits, and removed by its id or with all', async () => {
    const one = await queue({match: {reference: 'r'}, answer: {card: 'visa'}, times: 3});
    const two = await queue({answer: {fault: 'drop', latency: 5}});
    const list = async () => (await tell(mock.url, 'GET /_answers')).body;
    await call(mock.url, {reference: 'r'});
    expect(await list()).toEqual([
      {id: one, match: {reference: 'r'}, answer: {card: 'visa'}, times: 2},
      {id: two, answer: {fault: 'drop', latency: 5}, times: 1},
    ]);
    expect((await tell(mock.url, `DELETE /_answers/${one}`)).status).toBe(204);
    expect((await tell(mock.url, `DELETE /_answers/${one}`)).body).toMatchObject({errCode: 2008});
    expect(await list()).toMatchObject([{id: two}]);
    expect((await tell(mock.url, 'DELETE /_answers')).status).toBe(204);
    expect(await list()).toEqual([]);
  });
});

describe('a fault', () => {
  test.each(['drop', 'reset', 'truncated', 'malformed'])('%s breaks the answer', async (fault) => {
    await queue({answer: {fault}});
    await expect(call(mock.url)).rejects.toThrow();
    expect((await call(mock.url)).status).toBe(200);
    const [request] = (await tell(mock.url, 'GET /_requests')).body;
    expect(request).toMatchObject({fault, status: 200});
  });

  test('malformed is whole for HTTP, and half for JSON', async () => {
    await queue({answer: {fault: 'malformed'}});
    await expect(call(mock.url)).rejects.toThrow(SyntaxError);
  });

  test('truncated ends in the middle', async () => {
    await queue({answer: {fault: 'truncated'}});
    const body = JSON.stringify({partnerId, partnerKey});
    const head = `POST ${PARTNER} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json`;
    const socket = connect(Number(new URL(mock.url).port), '127.0.0.1');
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const [start = '', sent = ''] = (await text(socket)).split('\r\n\r\n');
    const promised = Number(/content-length: (\d+)/i.exec(start)?.[1]);
    expect([sent.length > 0, sent.length < promised]).toEqual([true, true]);
  });

  test('500 is an answer', async () => {
    await queue({answer: {fault: '500'}});
    expect((await call(mock.url)).body).toMatchObject({errCode: 1});
  });

  test('timeout is none', async () => {
    await queue({answer: {fault: 'timeout'}});
    const silent = call(mock.url).catch(() => 'cut');
    expect(await Promise.race([silent, wait(300, 'nothing')])).toBe('nothing');
  });
});

describe('POST /_answers refuses', () => {
  test.each<[string, unknown, number, string]>([
    ['no answer', {}, 2005, 'answer: expected an object'],
    ['an empty answer', {answer: {}}, 2005, 'expected card, error, fault or latency'],
    [
      'an unknown member',
      {answer: {card: 'visa'}, match: {refrence: 'a'}},
      2005,
      'match: unknown member refrence',
    ],
    [
      'an unknown member at the top',
      {answer: {card: 'visa'}, once: true},
      2005,
      'unknown member once',
    ],
    [
      'a member of Object',
      {answer: {card: 'visa', constructor: 1}},
      2005,
      'unknown member constructor',
    ],
    ['toString', {answer: {card: 'visa'}, toString: 1}, 2005, 'unknown member toString'],
    ['__proto__', '{"answer": {"card": "visa"}, "__proto__": {"times": 9}}', 2004, '__proto__'],
    ['a nested __proto__', '{"answer": {"__proto__": {"card": "visa"}}}', 2004, '__proto__'],
    ['a duplicate', '{"answer": {"card": "visa"}, "times": 1, "times": 2}', 2004, 'duplicate'],
    ['an unknown card', {answer: {card: 'nocard'}}, 2005, 'answer.card: unknown test card'],
    ['a card number', {answer: {card: '4111111111111111'}}, 2005, 'unknown test card'],
    ['a card that is no text', {answer: {card: 7}}, 2005, 'answer.card: expected a string'],
    ['an unknown code', {answer: {error: 4711}}, 2005, 'answer.error: expected an error code'],
    ['a code of the command line', {answer: {error: 9001}}, 2005, 'answer.error'],
    ['a code as text', {answer: {error: '2601'}}, 2005, 'answer.error'],
    [
      'an unknown fault',
      {answer: {fault: 'fire'}},
      2005,
      'answer.fault: expected one of timeout, drop',
    ],
    ['a negative latency', {answer: {latency: -1}}, 2005, 'from 0 to 60000'],
    ['a long latency', {answer: {latency: 60_001}}, 2005, 'answer.latency'],
    ['half a millisecond', {answer: {latency: 0.5}}, 2005, 'whole number'],
    [
      'no times',
      {answer: {card: 'visa'}, times: 0},
      2005,
      'times: expected a whole number from 1 to 10000',
    ],
    ['many times', {answer: {card: 'visa'}, times: 10_001}, 2005, 'times'],
    ['two kinds', {answer: {card: 'visa', error: 2601}}, 2005, 'one of card, error and fault'],
    [
      'an unknown terminal',
      {match: {deviceType: 'x'}, answer: {card: 'visa'}},
      2005,
      'match.deviceType',
    ],
    [
      'an empty reference',
      {match: {reference: ''}, answer: {card: 'visa'}},
      2005,
      'match.reference',
    ],
    [
      'a long reference',
      {match: {reference: 'x'.repeat(201)}, answer: {card: 'visa'}},
      2005,
      'at most 200',
    ],
    ['an array', [], 2004, 'expected an object, found an array'],
    ['text', 'no JSON', 2004, 'JSON'],
    ['nothing', '', 2004, ''],
  ])('%s', async (_, order, errCode, why) => {
    const {status, body} = await tell(mock.url, 'POST /_answers', order);
    expect([status, body.errCode]).toEqual([400, errCode]);
    expect(body.errMessage).toContain(why);
    expect((await tell(mock.url, 'GET /_answers')).body).toEqual([]);
  });

  test('more than a thousand', async () => {
    for (let i = 0; i < 1000; i++) mock.control.answers.add({answer: {card: 'visa'}});
    const {status, body} = await tell(mock.url, 'POST /_answers', {answer: {card: 'visa'}});
    expect([status, body.errCode]).toEqual([400, 2005]);
    expect(body.errMessage).toContain('at most 1000');
  });

  test('a body of a megabyte', async () => {
    const {status, body} = await tell(mock.url, 'POST /_answers', 'x'.repeat(1024 * 1024));
    expect([status, body.errCode]).toEqual([413, 2006]);
  });
});

describe.each(ROUTES)('%s', (route) => {
  const [method = '', path = ''] = route.split(' ');

  test('is as unknown in real mode as any other path', async () => {
    const {status, body, headers} = await tell(real.url, route);
    expect([status, body.errCode, headers.get('allow')]).toEqual([404, 2008, null]);
  });

  test.each<[string, Record<string, string>, number]>([
    ['another Host', {Host: 'shop.example'}, 421],
    ['another Origin', {Origin: 'http://shop.example'}, 403],
    ['the null Origin', {Origin: 'null'}, 403],
    ['another site', {'Sec-Fetch-Site': 'cross-site'}, 403],
    ['text', {'Content-Type': 'text/plain'}, 415],
    ['a form', {'Content-Type': 'application/x-www-form-urlencoded'}, 415],
    ['a form with files', {'Content-Type': 'multipart/form-data; boundary=x'}, 415],
  ])('refuses %s', async (_, headers, expected) => {
    const all = {Host: 'localhost', ...headers, 'Content-Length': '2', Connection: 'close'};
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    await call(mock.url, {}, PARTNER);
    const sent = `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{}`;
    expect((await exchange(mock.url, sent))[0]?.status).toBe(expected);
    expect((await tell(mock.url, 'GET /_requests')).body).toHaveLength(1);
  });

  test.each([
    [
      'a body without a media type',
      `${route} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`,
      415,
    ],
    ['HTTP/1.0 and another host', `${method} http://shop.example${path} HTTP/1.0\r\n\r\n`, 421],
    [
      'an absolute form of another host',
      `${method} http://shop.example${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      421,
    ],
    ['two hosts', `${route} HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n`, 400],
  ])('refuses %s', async (_, sent, expected) => {
    expect((await exchange(mock.url, sent))[0]?.status).toBe(expected);
  });
});

describe('the routes for control', () => {
  test('are served in absolute form and over HTTP/1.0', async () => {
    const absolute = 'GET http://localhost/_requests HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const old = 'POST /_reset HTTP/1.0\r\n\r\n';
    const answers = [await exchange(mock.url, absolute), await exchange(mock.url, old)];
    expect(answers.map(([answer]) => answer?.status)).toEqual([200, 204]);
  });

  test.each([
    ['PUT /_requests', 'GET, HEAD, DELETE'],
    ['GET /_reset', 'POST'],
    ['PUT /_answers', 'GET, HEAD, POST, DELETE'],
    ['GET /_answers/1', 'DELETE'],
  ])('%s: 405 with what is allowed', async (route, allow) => {
    const {status, headers} = await tell(mock.url, route);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });

  test.each(['POST /_reset', 'DELETE /_requests', 'DELETE /_answers'])(
    '%s takes no members',
    async (route) => {
      const {status, body} = await tell(mock.url, route, {all: true});
      expect([status, body.errCode]).toEqual([400, 2005]);
    },
  );

  test.each(ROUTES)('%s does not exist for callers from elsewhere', async (route) => {
    const [method, url] = route.split(' ') as ['GET', string];
    const received = {list: () => [], clear: () => {}};
    const control = new Control(received, () => {});
    const app = fastify();
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('no such path'));
    addControlRoutes(app, {control, limited: (handler) => handler, ...SERVICE_CONTROL});
    const from = async (remoteAddress: string) =>
      (await app.inject({method, url, remoteAddress})).payload;
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::7'])
      expect(await from(address)).toBe('no such path');
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(await from(address)).not.toBe('no such path');
  });

  test('are not part of the interface', async () => {
    const {body} = await tell(mock.url, 'GET /openapi.json');
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/_'))).toEqual([]);
  });
});
