import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {hmacHeader} from './node-signature.js';

/** Seconds since 1970. */
const NOW = 1_900_000_000;
const HOUR = 3600;

let clock = NOW;
let server: TestServer;

beforeEach(async () => {
  clock = NOW;
  server = await startServer({now: () => clock * 1000});
});
afterEach(() => server.close());

async function status(authorization: string): Promise<number> {
  const headers = {'content-type': 'application/json', authorization};
  const url = `${server.url}/api/v1/partner/validate`;
  return (await fetch(url, {method: 'POST', headers, body: '{}'})).status;
}

describe('a clock that is set back an hour', () => {
  it('opens no nonce again', async () => {
    const header = hmacHeader({timestamp: NOW});
    expect(await status(header)).toBe(200);
    clock -= HOUR;
    expect(await status(header)).toBe(401);
    clock += HOUR;
    expect(await status(header)).toBe(401);
  });

  it('makes no request of before old or new', async () => {
    clock -= HOUR;
    expect(await status(hmacHeader({timestamp: NOW}))).toBe(200);
    expect(await status(hmacHeader({timestamp: NOW - HOUR}))).toBe(401);
  });
});

describe('a clock that is set ahead an hour', () => {
  it('makes the requests of before too old, for good', async () => {
    const [used, fresh] = [hmacHeader({timestamp: NOW}), hmacHeader({timestamp: NOW})];
    expect(await status(used)).toBe(200);
    clock += HOUR;
    expect([await status(used), await status(fresh)]).toEqual([401, 401]);
    clock -= HOUR;
    expect([await status(used), await status(fresh)]).toEqual([401, 401]);
  });

  it('takes the requests of the new time', async () => {
    clock += HOUR;
    expect(await status(hmacHeader({timestamp: NOW + HOUR}))).toBe(200);
  });
});

describe('a clock that is set at random', () => {
  it('accepts no nonce twice, and every request is answered', async () => {
    const step = fc.record({
      by: fc.constantFrom(0, 0, 1, 1, 60, 900, 901, HOUR, -1, -60, -900, -HOUR, 365 * 24 * HOUR),
      nonce: fc.nat(7).map(String),
      lag: fc.constantFrom(0, 0, 900, -900, 901),
    });
    const accepted = new Map<string, number>();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, {minLength: 20, maxLength: 40}), async (steps) => {
        round++;
        for (const {by, nonce, lag} of steps) {
          clock = Math.max(0, clock + by);
          const header = hmacHeader({
            timestamp: Math.max(0, clock - lag),
            nonce: `${round} ${nonce}`,
          });
          const found = await status(header);
          expect([200, 401]).toContain(found);
          const key = `${round} ${nonce}`;
          if (found === 200) accepted.set(key, (accepted.get(key) ?? 0) + 1);
        }
      }),
      {numRuns: 10},
    );
    expect([...accepted.values()].filter((count) => count > 1)).toEqual([]);
    expect(accepted.size).toBeGreaterThan(0);
  });

  it.each([
    ['in 1970', 0],
    ['behind 2038', 2 ** 31 + 5],
    ['behind 2106', 2 ** 32 + 5],
  ])('serves %s', async (_, seconds) => {
    clock = seconds;
    const other = await startServer({now: () => clock * 1000});
    try {
      const headers = {
        'content-type': 'application/json',
        authorization: hmacHeader({timestamp: seconds}),
      };
      const url = `${other.url}/api/v1/partner/validate`;
      const answers = [0, 0].map(() => fetch(url, {method: 'POST', headers, body: '{}'}));
      const statuses = (await Promise.all(answers)).map((answer) => answer.status);
      expect(statuses.sort()).toEqual([200, 401]);
    } finally {
      await other.close();
    }
  });
});
