import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {hmacHeader, type Signing} from './node-signature.js';

const PATH = '/api/v1/partner/validate';
/** Seconds since 1970; the server's clock stands here until a test sets it. */
const NOW = 1_900_000_000;
const HOUR = 3600;

let now = NOW;
let server: TestServer;

beforeEach(async () => {
  now = NOW;
  server = await startServer({now: () => now * 1000, nonces: 8});
});
afterEach(() => server.close());

async function send(authorization: string, body = '{}', {url} = server) {
  const headers = {'content-type': 'application/json', authorization};
  const response = await fetch(url + PATH, {method: 'POST', headers, body});
  return {response, answer: (await response.json()) as {errCode?: number}};
}

async function status(authorization: string, to = server): Promise<number> {
  return (await send(authorization, '{}', to)).response.status;
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

  test('when the clock steps to and fro: 401', async () => {
    const header = signed();
    await status(header);
    for (const step of [-600, 600, -HOUR, 900, 0]) {
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

describe('a clock that is set', () => {
  test('back an hour accepts what is dated by it, and no earlier request again', async () => {
    const used = signed();
    expect(await status(used)).toBe(200);
    now -= HOUR;
    expect(await status(signed())).toBe(401);
    expect(await status(signed({timestamp: NOW - HOUR}))).toBe(200);
    now = NOW;
    expect(await status(used)).toBe(401);
  });

  test('ahead an hour and back accepts correctly dated requests at once, and none twice', async () => {
    const [used, unused] = [signed(), signed()];
    expect(await status(used)).toBe(200);
    now = NOW + HOUR;
    expect([await status(used), await status(unused)]).toEqual([401, 401]);
    const ahead = signed({timestamp: NOW + HOUR});
    expect(await status(ahead)).toBe(200);
    now = NOW;
    expect([await status(used), await status(unused)]).toEqual([401, 200]);
    now = NOW + HOUR;
    expect(await status(ahead)).toBe(401);
  });

  test('is said by /readyz and counted in /metrics', async () => {
    const textOf = async (path: string) => (await fetch(server.url + path)).text();
    expect(await textOf('/readyz')).toBe('{"status":"ready"}');
    now += HOUR;
    expect(await textOf('/readyz')).toBe('{"status":"ready","clockJumps":1}');
    expect(await textOf('/readyz')).toBe('{"status":"ready","clockJumps":1}');
    now -= HOUR;
    expect(await textOf('/metrics')).toContain('\npaylens_clock_jumps_total 2\n');
  });

  test('at random accepts no nonce twice, and every request is answered', async () => {
    const step = fc.record({
      by: fc.constantFrom(0, 0, 1, 1, 60, 900, 901, HOUR, -1, -60, -900, -HOUR, 365 * 24 * HOUR),
      nonce: fc.nat(7).map(String),
      lag: fc.constantFrom(0, 0, 900, -900, 901),
    });
    const accepted = new Map<string, number>();
    let round = 0;
    const roomy = await startServer({now: () => now * 1000});
    await fc.assert(
      fc.asyncProperty(fc.array(step, {minLength: 20, maxLength: 40}), async (steps) => {
        round++;
        for (const {by, nonce, lag} of steps) {
          now = Math.max(0, now + by);
          const key = `${round} ${nonce}`;
          const header = hmacHeader({timestamp: Math.max(0, now - lag), nonce: key});
          const found = await status(header, roomy);
          expect([200, 401]).toContain(found);
          if (found === 200) accepted.set(key, (accepted.get(key) ?? 0) + 1);
        }
      }),
      {numRuns: 10},
    );
    await roomy.close();
    expect([...accepted.values()].filter((count) => count > 1)).toEqual([]);
    expect(accepted.size).toBeGreaterThan(0);
  });

  test.each([
    ['in 1970', 0],
    ['after 2038', 2 ** 31 + 5],
    ['after 2106', 2 ** 32 + 5],
  ])('%s serves', async (_, seconds) => {
    now = seconds;
    const other = await startServer({now: () => now * 1000});
    const header = hmacHeader({timestamp: seconds});
    const statuses = await Promise.all([status(header, other), status(header, other)]);
    await other.close();
    expect(statuses.sort()).toEqual([200, 401]);
  });
});
