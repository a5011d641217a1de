import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {authenticate} from '../../../src/auth/authenticate.js';
import {signHmac} from '../../../src/auth/methods/hmac.js';
import {HmacKey} from '../../../src/auth/partner/hmac-key.js';
import {MemoryReplayStore} from '../../../src/auth/replay/memory-replay-store.js';
import {createSteadyClock} from '../../../src/auth/steady-clock.js';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {answerClaims, SharedReplayStore} from '../../../src/service/cluster/shared-replay-store.js';
import {NOW, SHARED_KEY, TARGET, testServer} from '../../auth/auth-fixture.js';

const REQUEST = {method: 'POST', target: TARGET, body: Buffer.from('{}')};
const KEY = new HmacKey(Buffer.from(SHARED_KEY));

/** Workers of one service on one machine, whose system clock is set at will; times in seconds. */
function serviceOf(count: number) {
  const system = {wall: NOW, real: 0};
  const newClock = () =>
    createSteadyClock(
      () => 1000 * system.wall,
      () => 1000 * system.real,
    );
  const clock = newClock();
  const nonces = {clock, store: new MemoryReplayStore({elapsed: clock.elapsed})};
  const workers = Array.from({length: count}, () => {
    const own = newClock();
    const replay: SharedReplayStore = new SharedReplayStore(own, async (batch) =>
      replay.answer(await answerClaims(nonces, batch)),
    );
    return {...testServer().context, now: own.now, replay};
  });
  const ask = async (worker: number, nonce: string, timestamp: number) => {
    const signer = {partnerId: 'WATERFORD', nonce, timestamp};
    const authorization = [signHmac(REQUEST, signer, KEY)];
    const context = workers[worker % count];
    if (!context) throw new Error('no such worker');
    try {
      await authenticate({...REQUEST, authorization}, context);
      return 'accepted';
    } catch (error) {
      if (error instanceof PaylensError) return 'refused';
      throw error;
    }
  };
  const pass = (wall: number, real = Math.max(0, wall)) => {
    system.wall += wall;
    system.real += real;
  };
  return {ask, pass, system};
}

describe('a nonce is taken once by all workers together', () => {
  it('when a worker saw the clock ahead and the primary did not', async () => {
    const {ask, pass} = serviceOf(2);
    pass(3600, 1);
    expect(await ask(0, 'old', NOW)).toBe('refused');
    pass(-3600, 1);
    expect(await ask(0, 'n', NOW + 3600)).toBe('accepted');
    pass(1000);
    expect(await ask(0, 'n', NOW + 3600)).toBe('refused');
  });

  it('when the primary saw the clock ahead and a worker did not', async () => {
    const {ask, pass} = serviceOf(2);
    expect(await ask(0, 'n', NOW)).toBe('accepted');
    pass(1000);
    expect(await ask(1, 'later', NOW + 1000)).toBe('accepted');
    pass(-900, 1);
    expect(await ask(0, 'n', NOW)).toBe('refused');
  });

  it('however the clock is set, and whoever sees it', async () => {
    const step = fc.record({
      wall: fc.constantFrom(0, 0, 1, 60, 450, 900, 901, 3600, -1, -450, -900, -3600),
      real: fc.constantFrom(undefined, 0, 1, 901),
      worker: fc.nat(2),
      nonce: fc.nat(5),
      lag: fc.constantFrom(0, 0, 900, -900, 3600),
    });
    let accepted = 0;
    const property = fc.asyncProperty(
      fc.array(step, {minLength: 10, maxLength: 40}),
      async (steps) => {
        const {ask, pass, system} = serviceOf(3);
        const times = new Map<number, number>();
        const taken = new Set<number>();
        for (const {wall, real, worker, nonce, lag} of steps) {
          pass(wall, real);
          const timestamp = times.get(nonce) ?? Math.max(1, system.wall - lag);
          times.set(nonce, timestamp);
          if ((await ask(worker, String(nonce), timestamp)) === 'refused') continue;
          accepted++;
          expect(taken.has(nonce)).toBe(false);
          taken.add(nonce);
        }
      },
    );
    await fc.assert(property, {numRuns: 300});
    expect(accepted).toBeGreaterThan(300);
  });
});
