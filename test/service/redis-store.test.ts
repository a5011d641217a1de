import {connect, createServer, type Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import type {LaunchOptions} from '../../src/service/launch-options.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {parseRedisAddress} from '../../src/service/replay/redis-address.js';
import {openRedisStore} from '../../src/service/replay/redis-store.js';
import {answerDigest, digestNonce} from './digest-client.js';
import {hmacHeader} from './node-signature.js';
import {HAS_REDIS, type RedisServer, startRedis} from './redis-server.js';

const PATH = '/api/v1/partner/validate';

interface Serving extends LaunchedService {
  readonly log: LaunchedService['log'];
  readonly lines: readonly string[];
}

async function serve(url: string, options: Partial<LaunchOptions> = {}): Promise<Serving> {
  const lines: string[] = [];
  const service = await launch({
    mode: 'demo',
    registry: demoRegistry(),
    replayStore: parseRedisAddress(url),
    writeLog: (line) => lines.push(line),
    ...options,
  });
  onTestFinished(() => service.close());
  return {...service, lines};
}

async function send({url}: {url: string}, authorization = hmacHeader()) {
  const headers = {'content-type': 'application/json', authorization};
  const response = await fetch(url + PATH, {method: 'POST', headers, body: '{}'});
  const answer = (await response.json()) as {errCode?: number};
  return {status: response.status, retry: response.headers.get('retry-after'), ...answer};
}

const status = async (service: {url: string}, header?: string) =>
  (await send(service, header)).status;
const readiness = async ({url}: {url: string}) => (await fetch(`${url}/readyz`)).status;

async function until(what: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await what()); tries++) {
    if (tries > 1000) throw new Error('it did not come to that');
    await wait(50);
  }
}

const recovered = (service: {url: string}) => until(async () => (await readiness(service)) === 200);

describe.skipIf(!HAS_REDIS)('a replay store on Redis', () => {
  test('accepts a request once', async () => {
    const service = await serve((await startRedis()).url);
    const header = hmacHeader();
    expect([await status(service, header), await status(service, header)]).toEqual([200, 401]);
  });

  test('accepts a request once at two servers that share it', async () => {
    const {url} = await startRedis();
    const [one, other] = [await serve(url), await serve(url)];
    const header = hmacHeader();
    expect([await status(one, header), await status(other, header)]).toEqual([200, 401]);
  });

  test('accepts one of 200 copies sent at once to two servers', async () => {
    const {url} = await startRedis();
    const services = [await serve(url), await serve(url)];
    const header = hmacHeader();
    const copies = Array.from({length: 200}, (_, i) => services[i % 2] as Serving);
    const statuses = await Promise.all(copies.map((service) => status(service, header)));
    expect(statuses.filter((found) => found === 200)).toHaveLength(1);
    expect(statuses.filter((found) => found === 401)).toHaveLength(199);
  });

  test('remembers when the server is started again', async () => {
    const {url} = await startRedis();
    const header = hmacHeader();
    const first = await serve(url);
    await status(first, header);
    expect(await status(await serve(url), header)).toBe(401);
  });

  test('holds a key of 36 characters for 931 s, however long the nonce, and not the nonce', async () => {
    const redis = await startRedis();
    const service = await serve(redis.url);
    await status(service, hmacHeader({nonce: 'n'.repeat(128)}));
    const keys = (await redis.cli('KEYS', 'paylens:nonce:*')).split('\n');
    expect(keys).toEqual([expect.stringMatching(/^paylens:nonce:[\w-]{22}$/)]);
    const left = Number(await redis.cli('PTTL', keys[0] ?? ''));
    expect(left).toBeGreaterThan(920_000);
    expect(left).toBeLessThanOrEqual(932_000);
  });

  test('holds a nonce dated ahead until its time is over, and a challenge nonce as long', async () => {
    const redis = await startRedis();
    const service = await serve(redis.url);
    const left = async () => {
      const keys = (await redis.cli('KEYS', 'paylens:nonce:*')).split('\n');
      const lives = await Promise.all(keys.map((key) => redis.cli('PTTL', key)));
      await redis.cli('DEL', ...keys);
      return lives.map(Number);
    };
    const ahead = hmacHeader({timestamp: Math.floor(Date.now() / 1000) + 890});
    expect(await status(service, ahead)).toBe(200);
    const [signed = 0, ...more] = await left();
    expect(more).toEqual([]);
    expect(signed).toBeGreaterThan(1_810_000);
    expect(signed).toBeLessThanOrEqual(1_822_000);
    expect((await answerDigest(service, await digestNonce(service))).status).toBe(200);
    const [challenged = 0] = await left();
    expect(challenged).toBeGreaterThan(920_000);
    expect(challenged).toBeLessThanOrEqual(932_000);
  });

  test('gives servers one secret, so that a challenge of one is good at the other', async () => {
    const {url} = await startRedis();
    const services = [await serve(url), await serve(url)];
    const [nonce = ''] = await Promise.all(services.map(digestNonce));
    const found = await Promise.all(services.map((one, i) => answerDigest(one, nonce, i + 1)));
    expect(found.map((each) => each.status)).toEqual([200, 200]);
  });

  test('is asked for challenge nonces, too: each answer works once over two servers', async () => {
    const {url} = await startRedis();
    const [one, other] = [await serve(url), await serve(url)];
    const nonce = await digestNonce(one);
    const found = [await answerDigest(other, nonce), await answerDigest(one, nonce)];
    expect(found.map((each) => each.status)).toEqual([200, 401]);
  });
});

describe.skipIf(!HAS_REDIS)('without its Redis a server', () => {
  const FAULTS: readonly [string, Fault, Fault][] = [
    ['killed', (redis) => redis.signal('SIGKILL'), (redis) => redis.start()],
    ['frozen', (redis) => redis.signal('SIGSTOP'), (redis) => redis.signal('SIGCONT')],
    [
      'made a read-only replica',
      (redis) => redis.cli('REPLICAOF', '127.0.0.1', '1'),
      (redis) => redis.cli('REPLICAOF', 'NO', 'ONE'),
    ],
    [
      'full',
      (redis) => redis.cli('CONFIG', 'SET', 'maxmemory', '1'),
      (redis) => redis.cli('CONFIG', 'SET', 'maxmemory', '0'),
    ],
  ];

  test.each(FAULTS)(
    '(%s) answers 503, is not ready, and recovers by itself',
    async (_, spoil, mend) => {
      const redis = await startRedis();
      const service = await serve(redis.url);
      const seen = hmacHeader();
      expect(await status(service, seen)).toBe(200);
      await spoil(redis);
      for (let sent = 0; sent < 3; sent++) {
        expect(await send(service)).toMatchObject({status: 503, errCode: 2, retry: '1'});
      }
      expect(await status(service, seen)).not.toBe(200);
      expect(await readiness(service)).toBe(503);
      expect(await metric(service, 'paylens_replay_store_up')).toBe(0);
      expect(await metric(service, 'paylens_replay_store_failures_total')).toBeGreaterThan(3);
      await mend(redis);
      await recovered(service);
      expect(await status(service)).toBe(200);
      expect(service.lines.join('')).toMatch(
        /replay store unavailable[\s\S]*replay store reconnected/,
      );
    },
  );

  test('still accepts what needs no nonce', async () => {
    const redis = await startRedis();
    const service = await serve(redis.url);
    await redis.signal('SIGKILL');
    const basic = `Basic ${btoa('DEMO:d3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0')}`;
    expect(await status(service, basic)).toBe(200);
  });

  test('starts all the same, not ready, and is ready when it comes', async () => {
    const redis = await startRedis();
    await redis.signal('SIGKILL');
    const service = await serve(redis.url);
    expect([await readiness(service), await status(service)]).toEqual([503, 503]);
    await redis.start();
    await recovered(service);
    expect(await status(service)).toBe(200);
  });

  test('never takes a first use for a replay when the answer of Redis is lost', async () => {
    const redis = await startRedis();
    const wire = await spoiledWire(redis);
    const service = await serve(wire.url);
    wire.loseAnswers(true);
    const header = hmacHeader();
    expect(await status(service, header)).toBe(503);
    expect(await redis.cli('KEYS', 'paylens:nonce:*')).toMatch(/^paylens:nonce:.{22}$/);
    wire.loseAnswers(false);
    await until(async () => service.lines.join('').includes('reconnected'));
    expect(await status(service, header)).toBe(401);
    expect(await status(service)).toBe(200);
  });
});

describe.skipIf(!HAS_REDIS)('a server does not start on a Redis', () => {
  test.each(['allkeys-lru', 'volatile-ttl'])('that may evict nonces (%s): 9020', async (policy) => {
    const {url} = await startRedis('--maxmemory-policy', policy);
    await expect(serve(url)).rejects.toMatchObject({
      code: 9020,
      message: expect.stringContaining(`maxmemory-policy is ${policy}, expected noeviction`),
    });
  });

  test.each([
    ['without the password that it wants', '', 'NOAUTH'],
    ['with a wrong password', ':not-the-password@localhost', 'WRONGPASS'],
  ])('%s: 9020, and the password is not repeated', async (_, login, why) => {
    const {url} = await startRedis('--requirepass', 'right');
    const error = await serve(url.replace('unix://', `unix://${login}`)).catch((each) => each);
    expect(error).toMatchObject({code: 9020, message: expect.stringContaining(why)});
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('not-the-password');
  });
});

describe.skipIf(!HAS_REDIS)('a Redis whose clock is another', () => {
  const open = (url: string, wall: () => number, onLost = (_why: string) => {}) =>
    openRedisStore({
      address: parseRedisAddress(url),
      wall,
      onLost,
      onFound: () => {},
      onEmptied: () => {},
      onSecret: () => {},
    });

  test.each([-6_000, 6_000])('by %i ms is refused: 9020', async (off) => {
    const {url} = await startRedis();
    await expect(open(url, () => Date.now() + off)).rejects.toMatchObject({
      code: 9020,
      message: expect.stringContaining('its clock is 6 s off'),
    });
  });

  test.each([-4_000, 4_000])('by %i ms is taken', async (off) => {
    const {url} = await startRedis();
    const store = await open(url, () => Date.now() + off);
    expect(await store.claim('A', '1', 1000)).toBe('fresh');
    store.close();
  });

  test('since our clock was set back takes no claims any more', async () => {
    const {url} = await startRedis();
    let off = 0;
    const reasons: string[] = [];
    const store = await open(
      url,
      () => Date.now() + off,
      (why) => reasons.push(why),
    );
    off = -600_000;
    expect(await store.isReady()).toBe(false);
    await expect(store.claim('A', '1', 1000)).rejects.toThrow('clock');
    expect(reasons).toEqual(['its clock is 600 s off; at most 5 s is allowed']);
    store.close();
  });
});

describe.skipIf(!HAS_REDIS)('a Redis that comes back empty', () => {
  test('is logged as an error, and no old challenge is good any more', async () => {
    const redis = await startRedis();
    const service = await serve(redis.url);
    const nonce = await digestNonce(service);
    expect((await answerDigest(service, nonce)).status).toBe(200);
    await redis.signal('SIGKILL');
    await redis.start();
    await until(async () => service.lines.join('').includes('reconnected'));
    expect(service.lines.join('')).toContain('replay store was emptied');
    const again = await answerDigest(service, nonce);
    expect([again.status, again.challenge]).toEqual([401, expect.stringContaining('stale=true')]);
  });
});

describe.skipIf(!HAS_REDIS)('a Redis that forgot nonces', () => {
  const BEGINNING = 'paylens:beginning';
  const FORGETS: readonly [string, (redis: RedisServer) => Promise<unknown>][] = [
    ['flushed', (redis) => redis.cli('FLUSHALL')],
    [
      'whose keys expired with a clock ahead',
      async (redis) => {
        const keys = (await redis.cli('KEYS', 'paylens:*')).split('\n');
        for (const key of keys) await redis.cli('PEXPIRE', key, '1');
      },
    ],
    [
      'that failed over to an older copy',
      async (redis) => {
        const nonces = (await redis.cli('KEYS', 'paylens:nonce:*')).split('\n');
        const [second = ''] = (await redis.cli('GET', BEGINNING)).split(':');
        await redis.cli('DEL', ...nonces);
        await redis.cli('SET', BEGINNING, `${second}:anotherserver:new`, 'PX', '20000');
      },
    ],
    [
      'restarted',
      async (redis) => {
        await redis.signal('SIGKILL');
        await redis.start();
      },
    ],
  ];

  test('accepts no replay, however it forgot them: 503 with the reason', async () => {
    const tried = FORGETS.map(async ([how, forget]) => {
      const redis = await startRedis();
      const service = await serve(redis.url);
      const used = Array.from({length: 5}, () => hmacHeader());
      for (const header of used) expect([how, await status(service, header)]).toEqual([how, 200]);
      await forget(redis);
      const refuses = async (header?: string) => [401, 503].includes(await status(service, header));
      const at = performance.now();
      while (performance.now() - at < 3000) {
        for (const header of used) expect([how, await refuses(header)]).toEqual([how, true]);
        await wait(20);
      }
      await recovered(service);
      expect([how, await refuses(used[0])]).toEqual([how, true]);
      expect([how, await status(service)]).toEqual([how, 200]);
    });
    await Promise.all(tried);
  });

  test('refuses what was dated ahead and used before, too', async () => {
    const redis = await startRedis();
    const service = await serve(redis.url);
    const ahead = hmacHeader({timestamp: Math.floor(Date.now() / 1000) + 100});
    expect(await status(service, ahead)).toBe(200);
    await redis.cli('FLUSHALL');
    await wait(2500);
    expect(await status(service, ahead)).toBe(503);
  });

  test('refuses what is dated before its beginning when a service starts', async () => {
    const redis = await startRedis();
    const old = hmacHeader({timestamp: Math.floor(Date.now() / 1000) - 5});
    const service = await serve(redis.url);
    expect(await send(service, old)).toMatchObject({status: 503, errCode: 2});
    expect(await status(service)).toBe(200);
  });
});

describe.skipIf(!HAS_REDIS)('a Redis that forbids questions', () => {
  const few = ['ACL', 'SETUSER', 'few', 'on', '>pw', '~paylens:*', '+set', '+get'] as const;

  test('such as whether it evicts keys is refused', async () => {
    const redis = await startRedis('--maxmemory-policy', 'allkeys-lru');
    await redis.cli(...few);
    const url = redis.url.replace('unix://', 'unix://few:pw@localhost');
    await expect(serve(url)).rejects.toMatchObject({
      code: 9020,
      message: expect.stringContaining('NOPERM'),
    });
  });

  test('other than that is used all the same', async () => {
    const redis = await startRedis();
    await redis.cli(...few, '+info');
    const service = await serve(redis.url.replace('unix://', 'unix://few:pw@localhost'));
    const header = hmacHeader();
    expect([await status(service, header), await status(service, header)]).toEqual([200, 401]);
    expect(service.lines.join('')).not.toContain('unavailable');
  });
});

/** A way to Redis on which answers can get lost. */
async function spoiledWire(redis: RedisServer) {
  let losing = false;
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(redis.path);
    near.on('data', (data) => far.write(data)).on('error', () => far.destroy());
    far.on('data', (data) => losing || near.write(data)).on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    ends.add(near);
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const {port} = server.address() as {port: number};
  return {
    url: `redis://127.0.0.1:${port}`,
    loseAnswers: (lose: boolean) => {
      losing = lose;
      // What was lost stays lost: only a new connection has answers again.
      if (!lose) for (const end of ends) end.destroy();
    },
  };
}

type Fault = (redis: RedisServer) => Promise<unknown>;

async function metric({url}: {url: string}, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
