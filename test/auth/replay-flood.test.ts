import {expect, test} from 'vitest';
import {MemoryReplayStore} from '../../src/auth/replay/memory-replay-store.js';

/** Ten times as many nonces as there is room for: ten million with SLOW=1. */
const CAPACITY = process.env.SLOW ? 1_000_000 : 30_000;
const OFFERED = 10 * CAPACITY;
const LIFETIME = 901_000;
/** Offered in 75 minutes: twice as many as can be live at once. */
const STEP = (75 * 60_000) / OFFERED;

const partnerOf = (i: number) => (i % 3 === 0 ? 'B' : 'A');

test(`${OFFERED} nonces: memory is bounded, and no live nonce is forgotten`, async () => {
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
