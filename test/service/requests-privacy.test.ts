import {readFileSync} from 'node:fs';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../src/service/registry/demo-registry.js';
import {hmacHeader} from './node-signature.js';

const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const PARSER = '/api/v1/decrypt/parser';
const {partnerId, partnerKey, sharedKey} = DEMO_PARTNER;
const SWIPE = JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8'));
/** Published test numbers of the card brands; the last is the one inside SWIPE. */
const PANS = ['4111111111111111', '378282246310005', '5555-5555-5555-4444', '4266841088889999'];
const PAN = '4111111111111111';

let service: LaunchedService;
let log = '';

beforeEach(async () => {
  log = '';
  const writeLog = (lines: string) => {
    log += lines;
  };
  service = await launch({mode: 'demo', registry: demoRegistry(), explain: true, writeLog});
});
afterEach(() => service.close());

async function send(path: string, body: object | string, headers: Record<string, string> = {}) {
  return fetch(service.url + path, {
    method: 'POST',
    headers: {'content-type': 'application/json', ...headers},
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const credentials = {partnerId, partnerKey};

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

/** Card numbers wherever a caller can put a text. */
const REQUESTS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['reference', () => send(PARTNER, {...credentials, reference: `order ${PAN}`})],
  ['partnerId', () => send(PARTNER, {partnerId: PAN, partnerKey: 'x'})],
  ['partnerKey', () => send(PARTNER, {partnerId, partnerKey: PAN})],
  ['serial', () => send(DEVICE, {...credentials, serial: PAN, firmware: '1'})],
  ['firmware', () => send(DEVICE, {...credentials, serial: 'DEMO0001', firmware: PAN})],
  ['clientId', () => send(DEVICE, {...credentials, serial: 'x', firmware: '1', clientId: PAN})],
  ['deviceType', () => send(PARSER, {...credentials, deviceType: PAN, devicePayload: 'x'})],
  ['devicePayload', () => send(PARSER, {...credentials, deviceType: 'miura', devicePayload: PAN})],
  ['deviceSerial', () => send(PARSER, {...credentials, ...SWIPE, deviceSerial: PAN})],
  ['ksn', () => send(PARSER, {...credentials, ...SWIPE, ksn: PAN})],
  ['iv', () => send(PARSER, {...credentials, ...SWIPE, iv: PAN})],
  ['an unknown member', () => send(PARTNER, {...credentials, [PAN]: PAN})],
  ['a body that is no JSON', () => send(PARTNER, `%B${PAN}^`)],
  ['the target', () => send(`${PARTNER}?pan=${PAN}`, credentials)],
  [
    'the target, percent-encoded',
    () => send(`${PARTNER}?pan=${PAN.replace(/./g, '%3$&')}`, credentials),
  ],
  ['hex of it', () => send(PARTNER, {...credentials, reference: hexOf(PAN), serial: hexOf(PAN)})],
  [
    'hex of it, refused',
    () => send(DEVICE, {...credentials, serial: hexOf(PAN), firmware: hexOf(PAN)}),
  ],
  ['the nonce in hex', () => send(PARTNER, '{}', {authorization: hmacHeader({nonce: hexOf(PAN)})})],
  ['a key in the target', () => send(`${PARTNER}?partnerKey=${partnerKey}`, credentials)],
  [
    'a key in a target that is signed wrongly',
    () => send(`${PARTNER}?key=${sharedKey}`, '{}', {authorization: hmacHeader({key: 'x'})}),
  ],
  [
    'a key in place of a property',
    () => send(PARTNER, '{}', {authorization: `${hmacHeader()}, ${sharedKey}="x"`}),
  ],
  ['a card number behind a blank', () => send(`${PARTNER}?pan=%20${PAN}`, credentials)],
  ['an unknown path', () => send(`/${PAN}`, credentials)],
  ['a header', () => send(PARTNER, credentials, {'x-card': PAN})],
  ['the username', () => send(PARTNER, '{}', {authorization: hmacHeader({partnerId: PAN})})],
  ['the nonce', () => send(PARTNER, '{}', {authorization: hmacHeader({nonce: PAN, key: 'x'})})],
  ['a scheme', () => send(PARTNER, '{}', {authorization: `Bearer ${PAN}`})],
  ['the payload of a swipe', () => send(PARSER, {...credentials, ...SWIPE})],
  ['an error asked for', () => send(PARTNER, {...credentials, reference: 'error:1'})],
];

const SECRETS = [...PANS, partnerKey, sharedKey, SWIPE.devicePayload.slice(0, 60)];

function found(text: string): string[] {
  const spelled = [hexOf(PAN), PAN.replace(/./g, '%3$&')];
  return [...SECRETS, ...spelled].filter((secret) => text.includes(secret));
}

describe('card numbers and keys', () => {
  test.each(REQUESTS)('in %s do not get into the log', async (_name, request) => {
    await request();
    await service.close();
    expect(log).not.toBe('');
    expect(found(log)).toEqual([]);
  });

  test('get neither into /metrics nor into /_requests', async () => {
    for (const [, request] of REQUESTS) await request();
    for (const path of ['/metrics', '/_requests']) {
      const text = await (await fetch(service.url + path)).text();
      expect([path, text.length > 0, found(text)]).toEqual([path, true, []]);
    }
  });

  test('do not come back in an error message', async () => {
    for (const [, request] of REQUESTS.slice(0, -2)) {
      const answer = (await ((await request()) as Response).json()) as {errMessage?: string};
      expect(found(answer.errMessage ?? '')).toEqual([]);
    }
  });
});

describe('/metrics', () => {
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();

  test('has no partner, serial or reference in its labels', async () => {
    await send(PARTNER, {...credentials, reference: 'ref-1'});
    await send(DEVICE, {...credentials, serial: 'DEMO0001', firmware: '1.0'});
    expect(await metrics()).not.toMatch(/DEMO|ref-1/);
  });

  test('counts errors by code', async () => {
    await send(PARTNER, {partnerId: 'x', partnerKey: 'y'});
    expect(await metrics()).toMatch(
      /paylens_errors_total\{operation="validate-partner",errCode="1003"\} 1/,
    );
  });

  test('tells the nonces held', async () => {
    await send(PARTNER, '{}', {authorization: hmacHeader()});
    expect(await metrics()).toMatch(/^paylens_replay_store_nonces 1$/m);
  });

  test('tells how long requests took', async () => {
    await send(PARTNER, credentials);
    expect(await metrics()).toMatch(
      /paylens_request_duration_seconds_count\{operation="validate-partner"\} 1/,
    );
  });
});

describe('requests that no operation sees', () => {
  test.each<[string, () => Promise<Response>, number, number]>([
    ['an unknown path', () => send('/x', credentials), 404, 2008],
    ['another media type', () => send(PARTNER, '{}', {'content-type': 'text/plain'}), 415, 2007],
    ['a large body', () => send(PARTNER, ' '.repeat(70_000)), 413, 2006],
  ])('%s: is counted, and has its line in the log', async (_name, request, status, errCode) => {
    await request();
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain(`paylens_errors_total{operation="none",errCode="${errCode}"} 1`);
    expect(JSON.parse(log)).toMatchObject({status, errCode, msg: 'refused'});
  });
});

describe('the log', () => {
  const lines = () =>
    log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('has one JSON line a request, with who, what and how long', async () => {
    const response = await send(PARTNER, '{}', {authorization: hmacHeader()});
    const {messageId} = (await response.json()) as {messageId: string};
    await service.close();
    expect(lines()).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        messageId,
        operation: 'validate-partner',
        status: 200,
        partnerId,
        authentication: 'hmac',
        ms: expect.any(Number),
        msg: 'request',
      },
    ]);
  });

  test('names the errCode of a refused request, and nobody as its sender', async () => {
    await send(PARTNER, {partnerId, partnerKey: 'wrong'});
    await service.close();
    const line = lines().find(({msg}) => msg === 'request');
    expect([line?.status, line?.errCode, line?.partnerId]).toEqual([401, 1003, undefined]);
  });
});
