import {createHash, createHmac, randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {call, tell} from '../control/control-client.js';
import {hmacHeader} from '../node-signature.js';
import {act, detailOf, raw, rowsIn, rowsOf, watch} from './inspector-client.js';

const PARTNER = '/api/v1/partner/validate';
const PARSER = '/api/v1/decrypt/parser';
const {partnerId, partnerKey, sharedKey} = DEMO_PARTNER;

let demo: LaunchedService;

beforeAll(async () => {
  demo = await launch({mode: 'demo', registry: demoRegistry()});
});
afterAll(() => demo.close());
beforeEach(() => tell(demo.url, 'POST /_reset'));

async function send(authorization: string, body = '{}', path = PARTNER) {
  const headers = {'content-type': 'application/json', authorization};
  return (await fetch(demo.url + path, {method: 'POST', headers, body})).status;
}

async function latest() {
  const row = (await rowsOf(demo.url, 1)).at(-1);
  if (!row) throw new Error('no row');
  return row;
}

describe('the list', () => {
  test('tells what /_requests tells, and what was refused before', async () => {
    await call(demo.url, {reference: 'r-1', clientId: 'c-1'});
    await fetch(`${demo.url}/api/v1/decrypt/parser?x=1`, {method: 'POST', body: 'x'});
    await fetch(`${demo.url}/nowhere`, {method: 'POST', body: 'x'});
    await fetch(`${demo.url}/favicon.ico`);
    const rows = await rowsOf(demo.url, 3);
    const [listed] = (await tell(demo.url, 'GET /_requests')).body;
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject(listed);
    expect(rows[1]).toMatchObject({
      method: 'POST',
      target: `${PARSER}?x=1`,
      status: 415,
      errCode: 2007,
    });
    expect(rows[2]).toMatchObject({method: 'POST', target: '/nowhere', status: 404, errCode: 2008});
    expect(rows.map(({process}) => process)).toEqual([process.pid, process.pid, process.pid]);
    const numbers = rows.map(({sequence}) => sequence);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  test('resumes after a sequence number, and says how many are no longer kept', async () => {
    for (let i = 0; i < 3; i++) await call(demo.url, {reference: `r-${i}`});
    const [first] = await rowsOf(demo.url, 3);
    const after = `${process.pid}:${first?.sequence}`;
    const lines = await watch(demo.url, (all) => rowsIn(all).length >= 2, {after});
    expect(rowsIn(lines).map(({reference}) => reference)).toEqual(['r-1', 'r-2']);
    expect(lines.some(({missed}) => missed !== undefined)).toBe(false);
    for (let i = 0; i < 1010; i++) await call(demo.url, {}, PARTNER);
    const late = await watch(demo.url, (all) => rowsIn(all).length > 0, {after});
    expect(rowsIn(late)).toHaveLength(1000);
    expect(late.find(({missed}) => missed !== undefined)?.missed).toBe(12);
  });

  test('comes in at most four batches a second', async () => {
    const begin = performance.now();
    const sent = (async () => {
      for (let i = 0; i < 200; i++) await call(demo.url, {reference: 'x'}, PARTNER);
    })();
    const lines = await watch(demo.url, (all) => rowsIn(all).length >= 200);
    await sent;
    const seconds = (performance.now() - begin) / 1000;
    expect(lines.filter(({requests}) => requests).length).toBeLessThanOrEqual(4 * seconds + 2);
  });

  test('says hello, with another server after a restart', async () => {
    const [hello] = await watch(demo.url, (all) => all.length > 0);
    const next = await launch({mode: 'mock', registry: demoRegistry()});
    const [other] = await watch(next.url, (all) => all.length > 0);
    await next.close();
    expect(hello?.hello).toMatchObject({mode: 'demo', kept: 1000, version: expect.any(String)});
    expect(other?.hello?.mode).toBe('mock');
    expect(other?.hello?.server).not.toBe(hello?.hello?.server);
  });

  test('is cleared for everybody', async () => {
    await call(demo.url);
    const row = await latest();
    const {sequence} = row;
    const seen = watch(
      demo.url,
      (all) => all.some(({cleared}) => cleared?.[process.pid] === sequence),
      {after: `${process.pid}:${sequence}`},
    );
    expect((await act(demo.url, 'clear', {})).status).toBe(200);
    expect((await seen).length).toBeGreaterThan(0);
    expect((await tell(demo.url, 'GET /_requests')).body).toEqual([]);
    expect((await detailOf(demo.url, row)).status).toBe(404);
  });
});

describe('queued answers', () => {
  test('are queued, seen, used and removed', async () => {
    const {object} = await act(demo.url, 'queue', {answer: {error: 2601}});
    await act(demo.url, 'queue', {answer: {fault: '500'}, times: 2});
    const lines = await watch(demo.url, (all) => all.some(({answers}) => answers));
    expect(lines.find(({answers}) => answers)?.answers).toMatchObject([
      {id: object.id, answer: {error: 2601}, times: 1},
      {answer: {fault: '500'}, times: 2},
    ]);
    expect((await act(demo.url, 'unqueue', {id: object.id})).object).toEqual({removed: 'true'});
    expect((await call(demo.url, {}, PARTNER)).status).toBe(500);
    expect((await act(demo.url, 'queue', {answer: {}})).object.errCode).toBe(2005);
  });
});

describe('the steps of a signature', () => {
  const states = async () => {
    const {detail} = await detailOf(demo.url, await latest());
    return Object.fromEntries(
      detail.steps.map(({name, state}: {name: string; state: string}) => [name, state]),
    );
  };

  test('a body that was hashed without its line end: hash and signature are marked', async () => {
    await send(hmacHeader({body: '{}'}), '{}\n');
    const {detail} = await detailOf(demo.url, await latest());
    expect(detail.faults).toEqual(['the body was trimmed before it was hashed']);
    const found = await states();
    expect(found).toMatchObject({'Body hash': 'failed', Signature: 'failed', Nonce: 'not reached'});
    expect(detail.stringToHash.split('\n')[0]).toBe(`POST ${PARTNER}`);
    const hash = detail.steps.find(({name}: {name: string}) => name === 'Body hash');
    expect(hash.text).toMatch(/^[\da-f]{12}…[\da-f]{4} as received, 3 bytes, ends in 0A$/);
  });

  test.each([
    ['no partnerId', {}, 1101],
    ['no partnerKey', {partnerId}, 1102],
    ['a partnerKey that is no text', {partnerId, partnerKey: 5}, 2005],
    ['no JSON', undefined, 2004],
  ])('with %s, nobody was looked for: nothing is passed', async (_, body, errCode) => {
    const headers = {'content-type': 'application/json'};
    const sent = body ? JSON.stringify(body) : 'x';
    await fetch(demo.url + PARTNER, {method: 'POST', headers, body: sent});
    expect((await latest()).errCode).toBe(errCode);
    expect(await states()).toEqual({
      ...{Header: 'failed', Partner: 'not reached', 'Partner key': 'not reached'},
    });
  });

  test('a 1003 that was asked for: everything was passed', async () => {
    await act(demo.url, 'queue', {answer: {error: 1003}});
    await call(demo.url, {}, PARTNER);
    expect((await latest()).errCode).toBe(1003);
    expect(new Set(Object.values(await states()))).toEqual(new Set(['passed']));
  });

  const HASH = createHash('sha256').update('{}').digest('hex');
  test.each([
    ['another path', `POST /api/partner/validate\n{nonce}\n{time}\n\n${HASH}`],
    ['CR LF', `POST ${PARTNER}\r\n{nonce}\r\n{time}\r\n\r\n${HASH}`],
    ['the body in place of its hash', `POST ${PARTNER}\n{nonce}\n{time}\n\n{}`],
    ['a string of its own', 'nothing usual', false],
  ])('what a client signed, with %s', async (_, form, isExplained = true) => {
    const [nonce, time] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
    const signed = form.replace('{nonce}', nonce).replace('{time}', time);
    const response = createHmac('sha256', sharedKey).update(signed).digest('hex');
    await send(
      `Hmac username="${partnerId}", nonce="${nonce}", timestamp=${time}, response="${response}"`,
    );
    const row = await latest();
    const {detail} = await detailOf(demo.url, row);
    expect(detail.stringToHash).toBe(`POST ${PARTNER}\n${nonce}\n${time}\n\n${HASH}`);
    expect(detail.signedString).toBe(isExplained ? signed : undefined);
    expect(detail.unexplained).toBe(isExplained ? undefined : true);
    // The row names the known partner, so that a filter finds it.
    expect([row.partnerId, row.namedPartner]).toEqual([undefined, partnerId]);
  });

  // Of ten nonces one makes a number with the timestamp below it that passes Luhn.
  test('nonce and timestamp as they are, whatever their digits', async () => {
    for (let last = 10; last < 20; last++) {
      const [nonce, time] = [`${randomUUID()}-${last}`, String(Math.floor(Date.now() / 1000))];
      const beforeHash = `POST ${PARTNER}\n${nonce}\n${time}\n\n`;
      const response = createHmac('sha256', sharedKey).update(`${beforeHash}{}`).digest('hex');
      await send(
        `Hmac username="${partnerId}", nonce="${nonce}", timestamp=${time}, response="${response}"`,
      );
      const {detail} = await detailOf(demo.url, await latest());
      expect(detail.stringToHash).toBe(beforeHash + HASH);
      expect(detail.signedString).toBe(`${beforeHash}{}`);
    }
  });

  test('a nonce that was used', async () => {
    const header = hmacHeader();
    expect([await send(header), await send(header)]).toEqual([200, 401]);
    await rowsOf(demo.url, 2);
    expect(await states()).toMatchObject({Signature: 'passed', Time: 'passed', Nonce: 'failed'});
  });

  test('credentials in the body', async () => {
    await call(demo.url, {partnerKey: 'wrong'}, PARTNER);
    expect(await states()).toEqual({Header: 'passed', Partner: 'passed', 'Partner key': 'failed'});
  });
});

describe('the detail', () => {
  test('has error, hint and clause, headers, body and payload, and no secret', async () => {
    const {devicePayload} = JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8'));
    await call(demo.url, {deviceType: 'idtech', devicePayload, reference: 'r'});
    const {detail} = await detailOf(demo.url, await latest());
    expect(detail.payload).toMatchObject({deviceType: 'idtech', text: devicePayload, unit: 'byte'});
    expect(detail.payload.parts.length).toBeGreaterThan(10);
    expect(detail.payload.encrypted.length).toBeGreaterThan(0);
    expect(JSON.parse(detail.body)).toMatchObject({
      partnerId,
      partnerKey: '*'.repeat(32),
      devicePayload,
    });
    expect(detail.headers).toContainEqual(['content-type', 'application/json']);
    await call(demo.url, {deviceType: 'idtech', devicePayload: devicePayload.slice(0, 100)});
    const failed = (await detailOf(demo.url, await latest())).detail;
    expect(failed.error).toMatchObject({
      title: expect.any(String),
      hint: expect.any(String),
      clause: 'docs/contract.md#errors',
    });
    expect(failed.payload.failure.errCode).toBe(failed.error.errCode);
    expect(JSON.parse(failed.response.body)).toMatchObject({errCode: failed.error.errCode});
    expect(JSON.stringify(failed)).not.toContain(partnerKey);
  });

  test('has no body with card data that its payload has in clear', async () => {
    const pan = '4111111111111111';
    const devicePayload = `E10B5A08${pan}9F3501`;
    const payloads = [
      {deviceType: 'miura', devicePayload: `E10A5A08${pan}`, shown: 'E10A5A08411111******1111'},
      {deviceType: 'nonsense', devicePayload, shown: '*'.repeat(devicePayload.length)},
    ];
    for (const {shown, ...payload} of payloads) {
      await call(demo.url, payload);
      const {detail} = await detailOf(demo.url, await latest());
      expect(JSON.parse(detail.body).devicePayload).toBe(shown);
    }
    await call(demo.url, {deviceType: 'miura', devicePayload});
    const {detail} = await detailOf(demo.url, await latest());
    expect(detail.body).not.toContain(pan);
    expect(JSON.parse(detail.body).devicePayload).toMatch(/^E10B5A08[\d*]{16}[\d*]?9F3501$/);
  });

  test('is kept in bounded memory: large bodies give way, their rows stay', async () => {
    const reference = 'x'.repeat(60_000);
    for (let i = 0; i < 300; i++) await call(demo.url, {reference}, PARTNER);
    const rows = await rowsOf(demo.url, 300);
    const details = [rows[0], rows.at(-1)].map((row) => row && detailOf(demo.url, row));
    const [old, young] = (await Promise.all(details)).map((each) => each?.detail);
    expect([old.line, old.body]).toEqual([undefined, undefined]);
    expect(young.body.length).toBeGreaterThan(60_000);
  });
});

describe('sending again', () => {
  const idOf = (row: {process: number; sequence: number}) => `${row.process}-${row.sequence}`;

  test('as it was: a signature is used once', async () => {
    await send(hmacHeader());
    const {object} = await act(demo.url, 'replay', {request: idOf(await latest())});
    expect(object).toEqual({messageId: expect.any(String), status: 401});
    const rows = await rowsOf(demo.url, 2);
    expect(rows.at(-1)).toMatchObject({messageId: object.messageId, reason: 'replay'});
  });

  test('as it was: with a target whose secret no list shows', async () => {
    const target = `${PARTNER}?access_token=s3cret-of-the-query`;
    expect(await send(hmacHeader({target, body: '{}'}), '{}', target)).toBe(200);
    const request = idOf(await latest());
    const {object} = await act(demo.url, 'replay', {request});
    const rows = await rowsOf(demo.url, 2);
    // The signature is of the true target: right, and refused for being used again.
    expect(rows.at(-1)).toMatchObject({messageId: object.messageId, reason: 'replay'});
    const detail = await (await fetch(`${demo.url}/_inspector/detail?id=${request}`)).text();
    expect(JSON.stringify(rows) + detail).not.toContain('s3cret');
  });

  test('as it was: credentials in the body are right again', async () => {
    await call(demo.url, {reference: 'again'}, PARTNER);
    const {object} = await act(demo.url, 'replay', {request: idOf(await latest())});
    expect(object.status).toBe(200);
    expect((await rowsOf(demo.url, 2)).at(-1)).toMatchObject({reference: 'again', status: 200});
  });

  test('edited and signed again', async () => {
    await send(hmacHeader({body: 'x'}), '{"reference":"first"}');
    const edit = {target: PARTNER, body: '{"reference":"second"}'};
    const {object} = await act(demo.url, 'replay', {request: idOf(await latest()), edit});
    expect(object.status).toBe(200);
    expect((await rowsOf(demo.url, 2)).at(-1)).toMatchObject({reference: 'second', status: 200});
  });

  test('a copy is signed anew, and works from elsewhere', async () => {
    await send(hmacHeader({key: 'wrong'}), '{"reference":"copied"}');
    const {object} = await act(demo.url, 'copy', {request: idOf(await latest())});
    expect(object).toMatchObject({method: 'POST', url: demo.url + PARTNER, isMasked: false});
    const {status} = await fetch(object.url, object);
    expect(status).toBe(200);
    expect(JSON.stringify(object)).not.toContain(sharedKey);
  });

  test('what is no longer kept', async () => {
    const {status, object} = await act(demo.url, 'replay', {request: '1-1'});
    expect([status, object.errCode]).toEqual([404, 2008]);
    expect((await act(demo.url, 'replay', {request: 'x'})).status).toBe(400);
  });
});

test('a real service without --inspector has none of it', async () => {
  const real = await launch({mode: 'real', registry: demoRegistry()});
  const routes = ['GET /', 'GET /explore', 'GET /_inspector/stream', 'POST /_inspector/clear'];
  const found = await Promise.all(routes.map((route) => raw(real.url, route)));
  await real.close();
  expect(found.map(({status}) => status)).toEqual([404, 404, 404, 404]);
});
