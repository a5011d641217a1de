import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {MemoryReplayStore} from '../../../src/auth/replay-store.js';

const MINUTE = 60_000;

function storeAt(capacity?: number) {
  const clock = {time: 0};
  const store = new MemoryReplayStore({
    elapsed: () => clock.time,
    ...(capacity !== undefined && {capacity}),
  });
  return {clock, store};
}

describe('the memory replay store', () => {
  it('accepts a nonce once', async () => {
    const {store} = storeAt();
    expect([await store.claim('A', 'n', MINUTE), await store.claim('A', 'n', MINUTE)]).toEqual([
      'fresh',
      'seen',
    ]);
  });

  it('keeps the nonces of partners apart', async () => {
    const {store} = storeAt();
    await store.claim('A', 'n', MINUTE);
    expect(await store.claim('B', 'n', MINUTE)).toBe('fresh');
  });

  it('does not join partner and nonce', async () => {
    const {store} = storeAt();
    await store.claim('A', 'b:c', MINUTE);
    expect(await store.claim('A:b', 'c', MINUTE)).toBe('fresh');
  });

  it('holds a nonce to the end of its lifetime', async () => {
    const {clock, store} = storeAt();
    clock.time = 999;
    await store.claim('A', 'n', MINUTE);
    clock.time = 999 + MINUTE;
    expect(await store.claim('A', 'n', MINUTE)).toBe('seen');
  });

  it('forgets a nonce in the second after its lifetime', async () => {
    const {clock, store} = storeAt();
    await store.claim('A', 'n', MINUTE);
    clock.time = MINUTE + 1000;
    expect(await store.claim('A', 'n', MINUTE)).toBe('fresh');
  });

  it('does not make a held nonce live longer when it comes again', async () => {
    const {clock, store} = storeAt();
    await store.claim('A', 'n', MINUTE);
    clock.time = MINUTE / 2;
    await store.claim('A', 'n', 10 * MINUTE);
    clock.time = MINUTE + 1000;
    expect(await store.claim('A', 'n', MINUTE)).toBe('fresh');
  });

  it('is full at its capacity, and forgets nothing for it', async () => {
    const {store} = storeAt(4);
    for (const [partner, nonce] of ['A1', 'A2', 'B1', 'B2']) {
      await store.claim(partner ?? '', nonce ?? '', MINUTE);
    }
    const answers = [await store.claim('C', '1', MINUTE), await store.claim('A', '1', MINUTE)];
    expect(answers).toEqual(['full', 'seen']);
  });

  it('gives one partner at most half of its room', async () => {
    const {store} = storeAt(4);
    await store.claim('A', '1', MINUTE);
    await store.claim('A', '2', MINUTE);
    expect([await store.claim('A', '3', MINUTE), await store.claim('B', '1', MINUTE)]).toEqual([
      'full',
      'fresh',
    ]);
  });

  it('has room again as soon as nonces have expired', async () => {
    const {clock, store} = storeAt(20_000);
    for (let i = 0; i < 10_000; i++) await store.claim('A', `${i}`, MINUTE);
    for (let i = 0; i < 10_000; i++) await store.claim('B', `${i}`, MINUTE);
    clock.time = MINUTE + 1000;
    expect([await store.claim('B', 'new', MINUTE), store.size <= 20_000]).toEqual(['fresh', true]);
  });

  it('clears what has expired while others are claimed', async () => {
    const {clock, store} = storeAt();
    for (let i = 0; i < 5000; i++) await store.claim('A', `${i}`, MINUTE);
    clock.time = 2 * MINUTE;
    for (let i = 0; i < 500; i++) await store.claim('A', `later ${i}`, MINUTE);
    expect(store.size).toBe(500);
  });

  it('works on after a rest of a day', async () => {
    const {clock, store} = storeAt();
    await store.claim('A', 'n', 30 * MINUTE);
    clock.time = 24 * 60 * MINUTE;
    const first = await store.claim('A', 'n', 30 * MINUTE);
    expect([first, await store.claim('A', 'n', MINUTE), store.size]).toEqual(['fresh', 'seen', 1]);
  });

  it('accepts exactly one of 200 copies at once', async () => {
    const {store} = storeAt();
    const claims = Array.from({length: 200}, () => store.claim('A', 'n', MINUTE));
    const fresh = (await Promise.all(claims)).filter((claim) => claim === 'fresh');
    expect(fresh).toHaveLength(1);
  });

  it('agrees with a plain map, whatever is claimed and however the time goes', async () => {
    const step = fc.record({
      partner: fc.constantFrom('A', 'B', 'C'),
      nonce: fc.nat(40).map(String),
      lifetime: fc.integer({min: 1, max: 30}).map((seconds) => seconds * 1000),
      pause: fc.oneof({weight: 9, arbitrary: fc.nat(4)}, fc.nat(9000)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, {maxLength: 200}), async (steps) => {
        const {clock, store} = storeAt(40);
        const model = new Map<string, number>();
        for (const {partner, nonce, lifetime, pause} of steps) {
          clock.time += pause * 1000;
          for (const [key, expiry] of model) if (expiry <= clock.time) model.delete(key);
          const key = `${partner}/${nonce}`;
          const own = [...model.keys()].filter((held) => held.startsWith(partner)).length;
          const full = model.size >= 40 || own >= 20;
          const expected = model.has(key) ? 'seen' : full ? 'full' : 'fresh';
          // It forgets by whole seconds, in the one after the lifetime.
          if (expected === 'fresh') model.set(key, clock.time + lifetime + 1000);
          expect(await store.claim(partner, nonce, lifetime)).toBe(expected);
        }
      }),
      {numRuns: process.env.SLOW ? 2000 : 150},
    );
  });
});

/** Ten times as many nonces as there is room for: ten million with SLOW=1. */
const CAPACITY = process.env.SLOW ? 1_000_000 : 30_000;
const OFFERED = 10 * CAPACITY;
const LIFETIME = 901_000;
/** Offered in 75 minutes: twice as many as can be live at once. */
const STEP = (75 * 60_000) / OFFERED;

const partnerOf = (i: number) => (i % 3 === 0 ? 'B' : 'A');

it(`${OFFERED} nonces: memory is bounded, and no live nonce is forgotten`, async () => {
  let time = 0;
  const store = new MemoryReplayStore({elapsed: () => time, capacity: CAPACITY});
  const claim = (i: number) => store.claim(partnerOf(i), `nonce ${i}`, LIFETIME);
  const takenAt = new Float64Array(OFFERED).fill(Number.NEGATIVE_INFINITY);
  const isLive = (i: number) => time - (takenAt[i] ?? 0) <= LIFETIME;
  const answers = {fresh: 0, full: 0, seen: 0};
  let [most, forgotten, asked] = [0, 0, 0];
  for (let i = 0; i < OFFERED; i++) {
    time = i * STEP;
    const answer = await claim(i);
    answers[answer] += 1;
    if (answer === 'fresh') takenAt[i] = time;
    const earlier = Math.floor(i * Math.random());
    if (i % 8 === 0 && isLive(earlier)) {
      asked += 1;
      if ((await claim(earlier)) !== 'seen') forgotten += 1;
    }
    most = Math.max(most, store.size);
  }
  for (let i = 0; i < OFFERED; i++) {
    if (!isLive(i)) continue;
    asked += 1;
    if ((await claim(i)) !== 'seen') forgotten += 1;
  }
  expect({forgotten, twice: answers.seen, bounded: most <= CAPACITY}).toEqual({
    forgotten: 0,
    twice: 0,
    bounded: true,
  });
  // Nobody is starved: what has expired makes room for others.
  expect(answers.fresh).toBeGreaterThan(4 * CAPACITY);
  expect(asked).toBeGreaterThan(CAPACITY);
  if (process.env.SLOW) console.log({...answers, most, asked, forgotten});
}, 600_000);
