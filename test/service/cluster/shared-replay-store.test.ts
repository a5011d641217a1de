import {setTimeout as wait} from 'node:timers/promises';
import {describe, expect, test, vi} from 'vitest';
import {MemoryReplayStore} from '../../../src/auth/replay/memory-replay-store.js';
import {createSteadyClock} from '../../../src/auth/steady-clock.js';
import type {ClaimBatch} from '../../../src/service/cluster/messages.js';
import {answerClaims, SharedReplayStore} from '../../../src/service/cluster/shared-replay-store.js';

/** A system clock that stands at zero. */
const standingClock = () =>
  createSteadyClock(
    () => 0,
    () => 0,
  );

/** A store whose primary answers only when a test says so. */
function pair() {
  const clock = standingClock();
  const primary = new MemoryReplayStore({elapsed: clock.elapsed, capacity: 4});
  const batches: ClaimBatch[] = [];
  const store = new SharedReplayStore(standingClock(), (batch) => {
    batches.push(batch);
  });
  const answer = async () => {
    for (const batch of batches.splice(0))
      store.answer(await answerClaims({store: primary, clock}, batch));
  };
  return {store, batches, answer};
}

describe('the replay store of a worker', () => {
  test('sends the claims of one turn in one message', async () => {
    const {store, batches, answer} = pair();
    const claims = [store.claim('A', '1', 1000), store.claim('A', '1', 1000)];
    await wait(5);
    expect(batches.map(({claims: sent}) => sent.length)).toEqual([2]);
    await answer();
    expect(await Promise.all(claims)).toEqual(['fresh', 'seen']);
  });

  test('tells that the store is full', async () => {
    const {store, answer} = pair();
    const claims = ['1', '2', '3'].map((nonce) => store.claim('A', nonce, 1000));
    await wait(5);
    await answer();
    expect(await Promise.all(claims)).toEqual(['fresh', 'fresh', 'full']);
  });

  test('rejects a claim that the primary could not take, and counts it', async () => {
    const {store, answer} = pair();
    const claim = store.claim('A', '1', 1e9);
    await wait(5);
    await answer();
    await expect(claim).rejects.toThrow('could not store');
    expect(store.failures).toBe(1);
  });

  test.each(['', 'x', '?', 'toString'])(
    'takes the answer %o for no permission',
    async (letters) => {
      const {store, batches} = pair();
      const claim = store.claim('A', '1', 1000);
      await wait(5);
      store.answer({batch: batches[0]?.batch ?? -1, letters, now: 0});
      await expect(claim).rejects.toThrow('could not store');
    },
  );

  test('rejects what is not answered within two seconds', async () => {
    vi.useFakeTimers();
    const {store} = pair();
    const claim = expect(store.claim('A', '1', 1000)).rejects.toThrow(
      'response of the primary timed out',
    );
    await vi.advanceTimersByTimeAsync(2100);
    await claim;
    vi.useRealTimers();
  });

  test('rejects at once when the primary is gone', async () => {
    const store = new SharedReplayStore(standingClock(), () => {
      throw new Error('gone');
    });
    await expect(store.claim('A', '1', 1000)).rejects.toThrow('gone');
    expect(await store.isReady()).toBe(false);
  });

  test('holds no more than 10,000 claims back', async () => {
    const {store, answer} = pair();
    const claims = Array.from({length: 10_001}, (_, i) => store.claim('A', String(i), 1000));
    await expect(claims.at(-1)).rejects.toThrow('too many');
    await wait(5);
    await answer();
    const taken = await Promise.all(claims.slice(0, -1));
    expect(taken.filter((claim) => claim === 'fresh')).toHaveLength(2);
  });

  test('is ready when the primary answers', async () => {
    const {store, answer} = pair();
    const ready = store.isReady();
    await answer();
    expect(await ready).toBe(true);
  });
});
