import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {hmacHeader, type Signing} from './node-signature.js';

const PATH = '/api/v1/partner/validate';
/** Seconds since 1970; the server's clock stands here until a test sets it. */
const NOW = 1_900_000_000;

let now = NOW;
let server: TestServer;

beforeEach(async () => {
  now = NOW;
  server = await startServer({now: () => now * 1000, nonces: 8});
});
afterEach(() => server.close());

async function send(authorization: string, body = '{}') {
  const headers = {'content-type': 'application/json', authorization};
  const response = await fetch(server.url + PATH, {method: 'POST', headers, body});
  return {response, answer: (await response.json()) as {errCode?: number}};
}

async function status(authorization: string): Promise<number> {
  return (await send(authorization)).response.status;
}

const signed = (signing: Signing = {}) => hmacHeader({timestamp: NOW, ...signing});

describe('time-to-live', () => {
  test.each([
    [-900, 200],
    [-901, 401],
    [0, 200],
    [900, 200],
    [901, 401],
  ])('a timestamp %i s from the clock: %i', async (offset, expected) => {
    expect(await status(signed({timestamp: NOW + offset}))).toBe(expected);
  });

  test.each([
    [899.9, 200],
    [900, 200],
    [900.9, 200],
    [901, 401],
  ])('a request that arrives %d s after its timestamp: %i', async (late, expected) => {
    now = NOW + late;
    expect(await status(signed())).toBe(expected);
  });
});

describe('replay', () => {
  test('the same request twice: 200, 401', async () => {
    const header = signed();
    expect([await status(header), await status(header)]).toEqual([200, 401]);
  });

  test('the same nonce with another time: 401', async () => {
    const nonce = 'n-1';
    const second = signed({nonce, timestamp: NOW + 1});
    expect([await status(signed({nonce})), await status(second)]).toEqual([200, 401]);
  });

  test.each([899.9, 900, 901, 1800])('of a request after %d s: 401', async (later) => {
    const header = signed();
    await status(header);
    now = NOW + later;
    expect(await status(header)).toBe(401);
  });

  test('of a request dated 900 s ahead, 1,000 s later: 401', async () => {
    const header = signed({timestamp: NOW + 900});
    expect(await status(header)).toBe(200);
    now = NOW + 1000;
    expect(await status(header)).toBe(401);
  });

  test('when the clock steps back: 401', async () => {
    const header = signed();
    await status(header);
    now = NOW - 600;
    expect(await status(header)).toBe(401);
  });

  test('when the clock steps to and fro: 401', async () => {
    const header = signed();
    await status(header);
    for (const step of [600, -600, 900, 0]) {
      now = NOW + step;
      expect(await status(header)).toBe(401);
    }
  });

  test('a wrong signature does not use up its nonce', async () => {
    const nonce = 'n-1';
    expect(await status(signed({nonce, key: 'wrong'}))).toBe(401);
    expect(await status(signed({nonce}))).toBe(200);
  });

  test('a request that fails for its parameters has used up its nonce', async () => {
    const body = '{"reference":1}';
    const header = signed({body});
    const codes = [(await send(header, body)).answer.errCode, (await send(header, body)).answer];
    expect(codes).toEqual([2005, expect.objectContaining({errCode: 1003})]);
  });

  test('200 copies of one request at a time: exactly one 200', async () => {
    const header = signed();
    const statuses = await Promise.all(Array.from({length: 200}, () => status(header)));
    expect(statuses.filter((found) => found === 200)).toHaveLength(1);
    expect(statuses.filter((found) => found === 401)).toHaveLength(199);
  });

  test('reset() forgets nonces', async () => {
    const header = signed();
    await status(header);
    server.reset();
    expect(await status(header)).toBe(200);
  });
});

describe('a full replay store', () => {
  // Half of its eight nonces is for one partner.
  const fill = () => Promise.all(Array.from({length: 4}, () => status(signed())));

  test('takes all that it has room for', async () => {
    expect(await fill()).toEqual([200, 200, 200, 200]);
  });

  test('answers 503, code 2, and says when to try again', async () => {
    await fill();
    const {response, answer} = await send(signed());
    expect([response.status, answer.errCode]).toEqual([503, 2]);
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  test('still refuses what it holds', async () => {
    const header = signed();
    await status(header);
    await fill();
    expect(await status(header)).toBe(401);
  });

  test('still accepts what needs no nonce', async () => {
    await fill();
    const {partnerId, partnerKey} = server.partner;
    expect(await status(`Basic ${btoa(`${partnerId}:${partnerKey}`)}`)).toBe(200);
  });

  test('forgets nothing as long as a request could be repeated', async () => {
    await fill();
    now = NOW + 900;
    expect(await status(signed({timestamp: now}))).toBe(503);
  });
});
