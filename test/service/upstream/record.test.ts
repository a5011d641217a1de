import {createHash, createHmac, randomUUID} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {ExchangeRecord} from '../../../src/contract/control/exchange-record.js';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {RecordedAnswers} from '../../../src/service/operations/recorded-answers.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {readSamples} from '../../engine/samples.js';
import {exchange, post} from '../raw-http.js';
import {proxyTo, rawUpstream} from './raw-upstream.js';

const {partnerId, partnerKey, sharedKey} = DEMO_PARTNER;
const PATH = '/api/v1/decrypt/parser';
const JSON_TYPE = 'Content-Type: application/json';
const BASIC = Buffer.from(`${partnerId}:${partnerKey}`).toString('base64');
const SWIPE = JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8'));
/** A published test card that no sample of the endpoint has; the one of the swipe fails Luhn's check. */
const PAN = '4111111111111111';
const CLEAR = {deviceType: 'magtek', devicePayload: `;${PAN}=28121010000000000?`};
const SAMPLES = readdirSync('test/samples')
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => readSamples(name.replace('.json', '')))
  .filter(({request}) => request.devicePayload !== undefined);

/** What is no payload of its type, and shows a card number. */
const UNREADABLE = [
  {deviceType: 'miura', devicePayload: `card ${PAN} exp 12/28`},
  {deviceType: 'idtech', devicePayload: JSON.stringify({pan: PAN, expiry: '2812'})},
  {deviceType: 'verifone', devicePayload: `E10F5A08${PAN}5F2403281231`},
  {deviceType: 'generic', devicePayload: `5711${PAN}D28121010000000000000`},
];

let endpoint: LaunchedService;
const started: {close: () => unknown}[] = [];

beforeAll(async () => {
  endpoint = await launch({mode: 'demo', registry: demoRegistry(), extended: true});
  started.push(endpoint);
});
afterAll(async () => {
  for (const one of started.reverse()) await one.close();
});

/** A service in front of the endpoint, and the lines of its record. */
async function recording(keepsCards = false, origin = new URL(endpoint.url)) {
  const lines: string[] = [];
  const append = async (line: string) => void lines.push(line);
  const proxy = await proxyTo(origin, {record: {append, keepsCards}});
  started.push(proxy);
  return {
    url: proxy.url,
    lines,
    records: async (count: number): Promise<ExchangeRecord[]> => {
      await expect.poll(() => lines.length, {timeout: 20_000}).toBe(count);
      return lines.map((line) => JSON.parse(line));
    },
  };
}

/** Sends a body to a path; without a header its own credentials count. */
async function send(url: string, body: object | string, header?: string, path = PATH) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const lines = [JSON_TYPE, ...(header === undefined ? [] : [`Authorization: ${header}`])];
  const [answer] = await exchange(url, post(path, lines, text));
  return {...answer, object: JSON.parse(answer?.body ?? '{}')};
}

/** Signed by node:crypto. */
function hmac(body: string, path = PATH) {
  const [nonce, timestamp] = [randomUUID(), Math.floor(Date.now() / 1000)];
  const hash = createHash('sha256').update(body).digest('hex');
  const text = `POST ${path}\n${nonce}\n${timestamp}\n\n${hash}`;
  const response = createHmac('sha256', sharedKey).update(text).digest('hex');
  return {
    response,
    header: `Hmac username="${partnerId}", nonce="${nonce}", timestamp=${timestamp}, response="${response}"`,
  };
}

/** A replaying service. */
async function replaying(lines: readonly string[]) {
  const service = await launch({
    mode: 'mock',
    registry: demoRegistry(),
    recorded: new RecordedAnswers(lines),
  });
  started.push(service);
  return service.url;
}

describe('a record of exchanges', () => {
  test('has no key, no signature and no card number, whatever was sent', async () => {
    const {url, lines, records} = await recording();
    const secrets = [partnerKey, sharedKey, BASIC];
    const pans = new Set<string>();
    for (const {request} of SAMPLES) {
      const {object} = await send(url, {...request, partnerId, partnerKey});
      // MagTek readers mask with zeros: their masked copy of this card is its number.
      const {PAN: pan = ''} = object.extracted ?? {};
      if (pan !== '' && !/^\d{6}0+\d{4}$/.test(pan)) pans.add(pan);
    }
    const body = JSON.stringify(SWIPE);
    const {header, response} = hmac(body);
    secrets.push(response);
    await send(url, body, header);
    await send(url, body, `Basic ${BASIC}`);
    await send(
      url,
      {...CLEAR, reference: PAN},
      `Basic ${BASIC}`,
      `${PATH}?partnerKey=${partnerKey}&pan=${PAN}`,
    );
    await send(url, {...CLEAR, sharedKey, note: partnerKey}, `Basic ${BASIC}`);
    await send(url, `{"devicePayload": "${CLEAR.devicePayload}`, `Basic ${BASIC}`);
    await send(url, body, `Bearer ${partnerKey}`);
    for (const read of UNREADABLE) await send(url, read, `Basic ${BASIC}`);
    await send(url, `partnerId=${partnerId}&partnerKey=${partnerKey}`);
    await send(url, `{'partnerKey': '${partnerKey}'}`);
    await records(SAMPLES.length + UNREADABLE.length + 8);
    pans.add(PAN);
    expect(pans.size).toBeGreaterThan(5);
    const text = lines.join('').toLowerCase();
    for (const secret of secrets)
      expect(text.includes(secret.toLowerCase()), secret.toLowerCase()).toBe(false);
    for (const pan of pans)
      for (const form of [
        pan,
        Buffer.from(pan).toString('hex'),
        Buffer.from(pan).toString('base64').slice(0, 20),
      ])
        expect(text.includes(form.toLowerCase()), form.toLowerCase()).toBe(false);
  });

  test('keeps encrypted payloads as they are, and says what it masked', async () => {
    const {url, records} = await recording();
    const body = JSON.stringify(SWIPE);
    await send(url, body, hmac(body).header);
    await send(url, CLEAR, `Basic ${BASIC}`);
    await send(url, {reference: 'r'}, `Basic ${BASIC}`, '/api/v1/partner/validate');
    const [swipe, clear, partner] = await records(3);
    expect(swipe?.request.body).toBe(body);
    expect([swipe?.masked, swipe?.request.masked, swipe?.response.masked]).toEqual([
      true,
      undefined,
      true,
    ]);
    const masked: string = JSON.parse(clear?.request.body ?? '').devicePayload;
    expect(masked).toHaveLength(CLEAR.devicePayload.length);
    expect(masked).toContain('411111******1111');
    expect([clear?.masked, clear?.request.masked, clear?.response.masked]).toEqual([
      true,
      true,
      undefined,
    ]);
    expect([partner?.masked, partner?.response.status]).toEqual([undefined, 200]);
  });

  test('keeps cards of the published test keys alone, if it is told to', async () => {
    const {url, lines, records} = await recording(true);
    const {object} = await send(url, {...SWIPE, reference: PAN}, `Basic ${BASIC}`);
    await send(url, CLEAR, `Basic ${BASIC}`);
    const [swipe, clear] = await records(2);
    const said = JSON.parse(swipe?.response.body ?? '');
    expect(said.extracted).toEqual(object.extracted);
    expect(said.track2).toEqual(object.track2);
    expect(said.reference).toBe('411111******1111');
    expect(clear?.masked).toBe(true);
    expect(lines[1]?.includes(PAN)).toBe(false);
  });

  test('does not keep a card that the payload does not hold', async () => {
    const upstream = await rawUpstream((socket) => {
      const body = JSON.stringify({success: true, extracted: {PAN}});
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    started.push(upstream);
    const {url, lines, records} = await recording(true, upstream.origin);
    await send(url, SWIPE, `Basic ${BASIC}`);
    await records(1);
    expect(lines[0]?.includes(PAN)).toBe(false);
  });

  test('has a compressed answer as text, masked', async () => {
    const zipped = gzipSync(JSON.stringify({success: true, extracted: {PAN}, note: PAN}));
    const upstream = await rawUpstream((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`,
      );
      socket.end(zipped);
    });
    started.push(upstream);
    const {url, lines, records} = await recording(false, upstream.origin);
    await exchange(url, post(PATH, [JSON_TYPE, `Authorization: Basic ${BASIC}`], '{}'));
    const [record] = await records(1);
    expect(JSON.parse(record?.response.body ?? '')).toMatchObject({success: true});
    expect(lines[0]?.includes(PAN)).toBe(false);
  });
});

describe('a service that replays a record', () => {
  test('answers as the endpoint did, whoever signed the request', async () => {
    const {url, lines, records} = await recording(true);
    const first = await send(url, {...SWIPE, reference: 'one'}, `Basic ${BASIC}`);
    await send(url, {...SWIPE, devicePayload: 'FFFF'}, `Basic ${BASIC}`);
    await send(url, {serial: '12345'}, `Basic ${BASIC}`, '/api/v1/device/validate');
    await records(3);
    const replay = await replaying(lines);
    const again = await send(
      replay,
      {...SWIPE, reference: 'two'},
      'Hmac of somebody else',
      '/api/decrypt/parser',
    );
    expect(again.headers?.get('paylens-replay')).toEqual(['recorded']);
    const {messageId, ...said} = again.object;
    const {messageId: recordedId, ...wanted} = first.object;
    expect(said).toEqual({...wanted, reference: 'two'});
    expect(messageId).not.toBe(recordedId);
    const {object} = await send(replay, {...SWIPE, devicePayload: 'FFFF'});
    expect(object).toMatchObject({success: false, errCode: 2100});
    const device = await send(replay, {serial: '12345'}, undefined, '/api/v1/device/validate');
    expect(device.object).toMatchObject({errCode: 1204});
    expect(object).not.toHaveProperty('reference');
  });

  test('answers in the order recorded, then the last again, and leaves the rest to the mock', async () => {
    const record = (status: number, body: object) =>
      JSON.stringify({
        time: '',
        request: {method: 'POST', target: PATH, headers: [], body: JSON.stringify(SWIPE)},
        response: {status, headers: [], body: JSON.stringify(body)},
      });
    const replay = await replaying([
      record(503, {success: false, errCode: 2}),
      '',
      record(200, {success: true}),
    ]);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await send(replay, SWIPE)).status);
    expect(statuses).toEqual([503, 200, 200]);
    const other = await send(replay, {
      ...SWIPE,
      devicePayload: `${SWIPE.devicePayload}0`,
      partnerId,
      partnerKey,
    });
    expect([other.status, other.headers?.get('paylens-replay')]).toEqual([200, ['mock']]);
  });

  test('answers a masked record with 9002, though the request is not masked', async () => {
    const {url, lines, records} = await recording();
    await send(url, SWIPE, `Basic ${BASIC}`);
    await send(url, CLEAR, `Basic ${BASIC}`);
    await records(2);
    const replay = await replaying(lines);
    for (const body of [SWIPE, CLEAR]) {
      const {object, headers} = await send(replay, body);
      expect(object).toMatchObject({success: false, errCode: 9002});
      expect(object.errMessage).toContain('card data in this record is masked');
      expect(headers?.get('paylens-replay')).toEqual(['recorded']);
    }
  });

  test.each([
    '{',
    '[]',
    '{"request": {}}',
    '{"request": {"target": "/"}, "response": {"status": 200}}',
  ])('refuses the line %s with its number', (line) => {
    expect(() => new RecordedAnswers(['', line])).toThrow(
      expect.objectContaining({code: 9002, detail: expect.stringContaining('line 2')}),
    );
  });
});

test('an exchange that is not read in time is left out, and the log says so', async () => {
  const endless = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import {parentPort} from 'node:worker_threads';
      parentPort.on('message', () => {});
      parentPort.postMessage('ready');`)}`,
  );
  const lines: string[] = [];
  const append = async (line: string) => void lines.push(line);
  const record = {append, keepsCards: false};
  const proxy = await proxyTo(new URL(endpoint.url), {record, readingWorker: endless});
  started.push(proxy);
  await send(proxy.url, SWIPE, `Basic ${BASIC}`);
  const said = expect.objectContaining({
    msg: 'exchange not recorded',
    why: 'stopped after 3000 ms',
  });
  await expect.poll(proxy.log, {timeout: 20_000}).toContainEqual(said);
  expect(lines).toEqual([]);
});
