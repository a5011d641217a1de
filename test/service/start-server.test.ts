import {createHash, createHmac} from 'node:crypto';
import {afterEach, describe, expect, test} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {Secret} from '../../src/contract/secret.js';
import {KeyRing} from '../../src/engine/dukpt/key-ring.js';
import {type StartServerOptions, startServer, type TestServer} from '../../src/server.js';
import {TEST_CARDS} from '../../src/simulator/test-cards.js';
import {simulate} from '../writers.js';
import {call, tell} from './control/control-client.js';

const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const running: TestServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(options: StartServerOptions = {}): Promise<TestServer> {
  const server = await startServer(options);
  running.push(server);
  return server;
}

const OWN = {partnerId: 'ACME', partnerKey: 'key-of-acme', sharedKey: 'shared-of-acme'};

function hmacOf(sharedKey: string, target = PARTNER): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = `n-${Math.random()}`;
  const hash = createHash('sha256').update('{}').digest('hex');
  const text = `POST ${target}\n${nonce}\n${timestamp}\n\n${hash}`;
  const response = createHmac('sha256', sharedKey).update(text).digest('hex');
  return `Hmac username="ACME", nonce="${nonce}", timestamp=${timestamp}, response="${response}"`;
}

async function post(server: TestServer, authorization: string) {
  const headers = {'content-type': 'application/json', authorization};
  return fetch(server.url + PARTNER, {method: 'POST', headers, body: '{}'});
}

describe('startServer offers what the routes do', () => {
  test('answers, requests with filters, forgetting', async () => {
    const server = await start({mode: 'mock'});
    const id = server.answer({match: {reference: 'a'}, answer: {error: 2601}, times: 2});
    expect(server.answers()).toEqual([
      {id, match: {reference: 'a'}, answer: {error: 2601}, times: 2},
    ]);
    const first = await call(server.url, {reference: 'a'});
    await call(server.url, {reference: 'b'});
    expect(first.body.errCode).toBe(2601);
    expect(server.requests({status: 400})).toMatchObject([{reference: 'a'}]);
    expect(server.requests({since: first.body.messageId})).toMatchObject([{reference: 'b'}]);
    expect([server.removeAnswers('x'), server.removeAnswers(id)]).toEqual([false, true]);
    server.forgetRequests();
    expect([server.requests(), server.answers()]).toEqual([[], []]);
    expect((await tell(server.url, 'GET /_requests')).body).toEqual([]);
  });

  test('refuses an answer that is none as POST /_answers does', async () => {
    const server = await start();
    expect(() => server.answer({answer: {card: 'nocard'}})).toThrow(
      expect.objectContaining({code: 2005}),
    );
  });
});

describe('startServer takes', () => {
  test('partners and devices in place of those of the demo', async () => {
    const server = await start({
      partners: [OWN],
      devices: [
        {serial: 'D-1', firmware: ['2.0']},
        {serial: 'D-2', status: 'inactive'},
      ],
    });
    expect(server.partner).toEqual(OWN);
    const {partnerId, partnerKey} = OWN;
    const device = async (serial: string, firmware = '2.0') =>
      (await call(server.url, {partnerId, partnerKey, serial, firmware}, DEVICE)).body.errCode;
    expect([await device('D-1'), await device('D-1', '1.0')]).toEqual([undefined, 1204]);
    expect([await device('D-2'), await device('DEMO0001')]).toEqual([1203, 1202]);
    expect((await post(server, hmacOf(OWN.sharedKey))).status).toBe(200);
    expect((await call(server.url, {}, PARTNER)).body.errCode).toBe(1003);
  });

  test('keys beside the published ones', async () => {
    const key = '00112233445566778899AABBCCDDEEF0';
    const keys = new KeyRing([{kind: 'bdk', secret: new Secret(Buffer.from(key, 'hex'))}]);
    const [card] = TEST_CARDS;
    if (!card) throw new Error('no test card');
    const ksn = '62994901190000000003';
    const read = simulate({deviceType: 'idtech', mode: 'swiped', card, ksn, keys});
    const without = await call((await start()).url, {...read});
    const server = await start({keys: [{key, ksnPrefix: '6299490119'}]});
    const found = await call(server.url, {...read});
    expect([without.body.errCode, found.body.extracted.PAN]).toEqual([2601, card.pan]);
  });

  test('explain: the reason is in a header and in requests()', async () => {
    const server = await start({partners: [OWN], explain: true});
    const response = await post(server, hmacOf(OWN.sharedKey, PARTNER.slice(4)));
    const why = 'the path was signed without /api';
    expect([response.status, response.headers.get('paylens-why')]).toEqual([401, why]);
    expect(server.requests()).toMatchObject([{errCode: 1003, why}]);
  });

  test('no explain: no reason', async () => {
    const server = await start({partners: [OWN]});
    const response = await post(server, hmacOf('wrong'));
    expect([response.status, response.headers.get('paylens-why')]).toEqual([401, null]);
    expect(server.requests()[0]).not.toHaveProperty('why');
  });

  test.each<[number | string, number[]]>([
    [0.5, [200, 500, 200, 500]],
    ['100%', [500, 500, 500, 500]],
    [0, [200, 200, 200, 200]],
  ])('fail: %s', async (fail, expected) => {
    const server = await start({mode: 'mock', fail});
    const found: number[] = [];
    for (const _ of expected) found.push((await call(server.url, {}, PARTNER)).status);
    expect(found).toEqual(expected);
  });

  test('latency', async () => {
    const server = await start({latency: 250});
    const begun = performance.now();
    await call(server.url, {}, PARTNER);
    expect(performance.now() - begun).toBeGreaterThan(240);
  });
});

const PAN = '4111111111111111';

/** Every option: a new one needs a line. */
const NAMES: Readonly<Record<keyof StartServerOptions, true>> = {
  ...{mode: true, port: true, partners: true, devices: true, keys: true, explain: true},
  ...{strict: true, extended: true, fail: true, now: true, latency: true, timeouts: true},
  ...{allowedHosts: true, nonces: true},
};

function throwing(): object {
  const get = () => {
    throw new Error('a trap');
  };
  return Object.defineProperty({}, 'mode', {get, enumerable: true});
}

/** The code of the refusal; else what came of it. */
async function refusal(options: unknown): Promise<unknown> {
  try {
    const server = await startServer(options as StartServerOptions);
    await server.close();
    return 'started';
  } catch (error) {
    return error instanceof PaylensError ? error.code : error;
  }
}

describe('startServer refuses, in words of options', () => {
  test.each<[string, object, number, string]>([
    ['another mode', {mode: 'real'}, 9001, 'mode: expected demo or mock'],
    ['an unknown option', {prot: 1}, 9001, 'unknown option: expected mode, port,'],
    ['a port', {port: 70_000}, 9001, 'port: expected'],
    ['a latency', {latency: -1}, 9001, 'latency: expected milliseconds'],
    ['a share', {fail: '200%'}, 9001, 'fail: expected a share'],
    ['a host', {allowedHosts: ['http://x']}, 9001, 'allowedHosts: expected'],
    ['no partner', {partners: []}, 9001, 'partners: expected at least one'],
    ['a partner twice', {partners: [OWN, OWN]}, 9001, 'two have the same partnerId'],
    ['a method without its key', {partners: [{...OWN, methods: ['rsa']}]}, 9015, 'rsaPublicKey'],
    ['a key', {keys: [{key: 'no hex'}]}, 9015, 'keys: expected a key in hex'],
    ['a short key', {keys: [{key: '0011'}]}, 9015, 'expected 16'],
    ['a device twice', {devices: [{serial: 'A'}, {serial: 'a'}]}, 9001, 'two have the same'],
    ['a device without serial', {devices: [{serial: ''}]}, 9001, 'devices: expected a serial'],
  ])('%s', async (_, options, code, why) => {
    const error: PaylensError = await startServer(options as StartServerOptions).then(
      () => new PaylensError(1),
      (caught) => caught,
    );
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(why)]);
    expect(error.message + error.hint).not.toMatch(/--|paylens help/);
  });

  test.each(Object.keys(NAMES) as (keyof StartServerOptions)[])(
    '%s of another form',
    async (name) => {
      const odd = [
        null,
        'x',
        -1,
        Number.NaN,
        5n,
        Symbol('s'),
        {},
        [null],
        [5],
        [{}],
        {a: 1},
        throwing(),
      ];
      const taken: unknown[] = [];
      for (const value of odd) {
        const found = await refusal({[name]: value});
        if (![9001, 9015].includes(found as number)) taken.push([value, found]);
      }
      expect(taken).toEqual([]);
    },
  );

  test.each<[string, unknown]>([
    ['null', null],
    ['a number', 5],
    ['an array', []],
    ['a getter that throws', throwing()],
    ['members of a partner', {partners: [{...OWN, key: 'x'}]}],
    ['methods of a partner', {partners: [{...OWN, methods: 'hmac'}]}],
    ['a kind of key', {keys: [{key: '00'.repeat(16), kind: 'kek'}]}],
    ['a firmware', {devices: [{serial: 'A', firmware: 'B'}]}],
    ['no time', {timeouts: {headers: 0, request: 1}}],
    ['a clock that stands still', {now: () => Number.NaN}],
    [
      'a clock that fails',
      {
        now: () => {
          throw new Error('x');
        },
      },
    ],
  ])('%s', async (_, options) => {
    expect([9001, 9015]).toContain(await refusal(options));
  });

  test('without a card number or a key in the error', async () => {
    const error = await startServer({partners: [{partnerId: PAN, sharedKey: ''}]}).catch(String);
    expect(error).not.toContain(PAN);
  });

  test('a filter and an answer that are none', async () => {
    const server = await start();
    for (const given of [null, 5, {states: 200}, throwing()]) {
      expect(() => server.requests(given as never)).toThrow(expect.objectContaining({code: 2005}));
      expect(() => server.answer(given as never)).toThrow(expect.objectContaining({code: 2005}));
    }
    expect(server.requests({status: undefined})).toEqual([]);
  });

  test('nothing that is undefined, and takes nothing from another server', async () => {
    const absent = {...Object.fromEntries(Object.keys(NAMES).map((name) => [name, undefined]))};
    const first = await start({...absent, unknown: undefined} as StartServerOptions);
    Object.assign(first.partner, {partnerId: 'changed'});
    expect((await start()).partner.partnerId).toBe('DEMO');
  });

  test('a port that is taken', async () => {
    const {url} = await start();
    const error = await startServer({port: Number(new URL(url).port)}).catch((caught) => caught);
    expect(error).toMatchObject({code: 9020, hint: expect.stringContaining('`port`')});
    expect(error.message + error.hint).not.toContain('--');
  });
});

describe('await using', () => {
  test('closes the server', async () => {
    let url = '';
    {
      await using server = await startServer();
      url = server.url;
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    }
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});
