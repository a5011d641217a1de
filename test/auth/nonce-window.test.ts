import {createPrivateKey} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {signDigest} from '../../src/auth/methods/digest.js';
import {signDigestPreemptive} from '../../src/auth/methods/digest-preemptive.js';
import {signHmac} from '../../src/auth/methods/hmac.js';
import {DigestKey} from '../../src/auth/partner/digest-key.js';
import {HmacKey} from '../../src/auth/partner/hmac-key.js';
import type {ReplayStore} from '../../src/auth/replay-store.js';
import {MemoryReplayStore} from '../../src/auth/replay-store.js';
import type {RedisCommand} from '../../src/service/replay/redis-link.js';
import {claimInRedis} from '../../src/service/replay/redis-store.js';
import {NOW, PARTNER_KEY, SHARED_KEY, TARGET, testServer, VECTORS} from './auth-fixture.js';
import {rsaHeader} from './rsa-header.js';

const BODY = Buffer.from('{"reference":"r-1"}');
const REQUEST = {method: 'POST', target: TARGET, body: BODY};
const SIGNER = {partnerId: 'WATERFORD', nonce: 'n-1'};
const DIGEST_KEY = new DigestKey('WATERFORD', Buffer.from(PARTNER_KEY));
const PRIVATE_KEY = createPrivateKey(VECTORS.rsaKeys['test-rsa-2048']?.privateKey ?? '');

/** All clocks of a test are this far from the beginning, in milliseconds, plus their own error. */
interface Time {
  now: number;
}

type Store = (time: Time) => ReplayStore;

const STORES: Readonly<Record<string, Store>> = {
  memory: (time) => new MemoryReplayStore({elapsed: () => time.now}),
  'memory of another beginning': (time) =>
    new MemoryReplayStore({elapsed: () => time.now + 123_456.789}),
  Redis: (time) => redisOn(time),
};

/** The answer to a claim of each method: when it can first and last be given, and the header. */
interface Window {
  readonly first: number;
  readonly last: number;
  readonly header: string;
}

const SIGNED = 1000 * NOW + 1_000_000;

/** A request whose time is `SIGNED` and so many milliseconds of its second. */
const WINDOWS: Readonly<Record<string, (fraction: number) => Window>> = {
  hmac: () => signedWindow((timestamp) => signHmac(REQUEST, {...SIGNER, timestamp}, hmacKey())),
  rsa: () => signedWindow((timestamp) => rsaHeader(REQUEST, {...SIGNER, timestamp}, PRIVATE_KEY)),
  'digest SHA-256': (fraction) => digestWindow('SHA-256', fraction),
  'digest MD5': (fraction) => digestWindow('MD5', fraction),
};

describe.each(Object.entries(STORES))('a nonce that is claimed in %s', (_, store) => {
  describe.each(Object.entries(WINDOWS))('by %s', (_, windowOf) => {
    it.each([0, 1, 500, 999])('is taken from the first to the last moment (+%i ms)', async (ms) => {
      const {first, last, header} = windowOf(ms);
      const answers: string[] = [];
      for (const at of [first - 1, first, last, last + 1]) {
        answers.push(await serverOn(store, at).answer(header));
      }
      expect(answers.map((answer) => answer === 'accepted')).toEqual([false, true, true, false]);
    });

    it.each([0, 1, 500, 999])('cannot be used again while it lasts (+%i ms)', async (ms) => {
      const {first, last, header} = windowOf(ms);
      for (const claimed of [first, first + 1, SIGNED, last - 1000, last - 1, last]) {
        const server = serverOn(store, claimed);
        expect(await server.answer(header)).toBe('accepted');
        let tried = 0;
        for (const again of [claimed, (claimed + last) / 2, last - 1000, last - 0.5, last]) {
          if (again < server.time.now) continue;
          tried += 1;
          server.time.now = again;
          expect([claimed, again, await server.answer(header)]).toEqual([claimed, again, 'replay']);
        }
        expect(tried).toBeGreaterThanOrEqual(3);
        server.time.now = last + 1;
        expect(['time', 'stale']).toContain(await server.answer(header));
      }
    });
  });

  it('by pre-emptive Digest is held 15 minutes', async () => {
    const header = signDigestPreemptive(REQUEST, SIGNER, DIGEST_KEY);
    const server = serverOn(store, SIGNED);
    const answers: string[] = [];
    for (const later of [0, 1, 899_999, 900_000, 900_999]) {
      server.time.now = SIGNED + later;
      answers.push(await server.answer(header));
    }
    expect(answers).toEqual(['accepted', ...Array(4).fill('replay')]);
  });
});

describe('a nonce in a Redis that two servers share, their clocks 10 s apart', () => {
  it.each(Object.entries(WINDOWS))('by %s works at one of them', async (_, windowOf) => {
    const {first, last, header} = windowOf(0);
    const [ahead, behind] = [5_000, -5_000];
    for (const claimed of [Math.max(first, SIGNED - 890_000), SIGNED, last]) {
      const time = {now: claimed - ahead};
      const redis = redisOn(time);
      const [one, other] = [ahead, behind].map((off) => serverOn(() => redis, 0, time, off));
      expect(await one?.answer(header)).toBe('accepted');
      time.now = last - behind;
      expect(await other?.answer(header)).toBe('replay');
    }
  });
});

function serverOn(store: Store, now: number, time: Time = {now}, off = 0) {
  const {context, answer, setTime} = testServer(undefined, {replay: store(time)});
  // The signature of the challenges is that of every server of the fixture.
  expect(context.digestNonces.issuedAt(digestNonceAt(SIGNED))).toBe(SIGNED);
  return {
    time,
    answer: (header: string) => {
      setTime((time.now + off) / 1000);
      return answer({body: BODY, authorization: [header]});
    },
  };
}

/** A Redis that knows `SET key value PX milliseconds NX` and forgets a key in its millisecond. */
function redisOn(time: Time): ReplayStore {
  const expiry = new Map<string, number>();
  const command: RedisCommand = async (name, key, value, px, milliseconds, nx) => {
    expect([name, value, px, nx]).toEqual(['SET', '1', 'PX', 'NX']);
    if ((expiry.get(String(key)) ?? Number.NEGATIVE_INFINITY) > time.now) return null;
    expiry.set(String(key), time.now + Number(milliseconds));
    return 'OK';
  };
  return {claim: (id, nonce, lifetime) => claimInRedis(command, id, nonce, lifetime)};
}

/** Seconds are whole: 15 minutes old lasts through the whole 901st second. */
function signedWindow(sign: (timestamp: number) => string): Window {
  return {first: SIGNED - 900_000, last: SIGNED + 900_999, header: sign(SIGNED / 1000)};
}

/** No answer is older than its challenge; here another server may have issued it. */
function digestWindow(algorithm: 'MD5' | 'SHA-256', fraction: number): Window {
  const answer = {username: 'WATERFORD', nonce: digestNonceAt(SIGNED + fraction), algorithm};
  const header = signDigest(REQUEST, {...answer, cnonce: 'c', count: 1}, DIGEST_KEY);
  return {first: SIGNED - 900_000, last: SIGNED + 900_999, header};
}

function digestNonceAt(now: number): string {
  return testServer().context.digestNonces.issue(now);
}

function hmacKey(): HmacKey {
  return new HmacKey(Buffer.from(SHARED_KEY));
}
