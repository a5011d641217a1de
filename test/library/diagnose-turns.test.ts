import {describe, expect, it} from 'vitest';
import {diagnose} from '../../src/index.js';
import {MAX_DIAGNOSED_CHARS} from '../../src/input/case.js';
import {threadMilliseconds} from '../cpu-time.js';
import {Draw} from '../diagnosis/draw.js';

/**
 * What one turn of the event loop may take, and an end that was asked for, in milliseconds of CPU time:
 * the goal of a turn is 20 on an idle machine.
 */
const MAX_TURN_MS = 40;
const MAX_END_MS = 50;
/** The compiler and the collector take more in the first runs: the best of so many counts. */
const RUNS = 8;
const BUDGET_MS = 150;
const MEGABYTE = 2 ** 20;

const random = new Draw('turns').bytes(MEGABYTE);
const UNITS: Readonly<Record<string, string>> = {
  hex: random.toString('hex'),
  base64: random.toString('base64'),
  latin1: random.toString('latin1'),
  escapes: '\\"',
  'percent signs': '%25',
  comments: '/*',
  decimals: '1,',
  'TLV objects': 'DFAE030AFFFF9876543210E00001DFAE021000112233445566778899AABBCCDDEEFF',
};
const SIZES = [MEGABYTE, MAX_DIAGNOSED_CHARS, MAX_DIAGNOSED_CHARS / 2];
const CASES = Object.entries(UNITS).flatMap(([name, unit]) =>
  SIZES.map((size) => ({
    title: `${size} characters of ${name}`,
    payload: unit.repeat(Math.ceil(size / unit.length)).slice(0, size),
  })),
);

/** The longest turn of the event loop, and how long the end took from when it was due, by CPU time. */
async function turnsOf(payload: string, end: 'signal' | 'budget') {
  const controller = new AbortController();
  const begun = performance.now();
  let [last, longest, due, isOver] = [threadMilliseconds(), 0, Number.NaN, false];
  const tick = () => {
    const now = threadMilliseconds();
    longest = Math.max(longest, now - last);
    last = now;
    if (Number.isNaN(due) && performance.now() - begun >= BUDGET_MS) {
      due = now;
      if (end === 'signal') controller.abort('enough');
    }
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const limits = end === 'signal' ? {signal: controller.signal} : {budgetMs: BUDGET_MS};
  const outcome = await diagnose({payload}, limits).catch((error: unknown) => error);
  isOver = true;
  const now = threadMilliseconds();
  const late = now - (Number.isNaN(due) ? now : due);
  return {turn: Math.max(longest, now - last), late, outcome};
}

describe.each(['signal', 'budget'] as const)('others have their turn, and a %s ends it', (end) => {
  it.each(CASES)('$title', async ({payload}) => {
    const best = {turn: Number.POSITIVE_INFINITY, late: Number.POSITIVE_INFINITY};
    for (let run = 0; run < RUNS; run++) {
      const {turn, late, outcome} = await turnsOf(payload, end);
      best.turn = Math.min(best.turn, turn);
      best.late = Math.min(best.late, late);
      if (outcome !== 'enough') expect(outcome).toMatchObject({solved: false});
      if (best.turn < MAX_TURN_MS && best.late < MAX_END_MS) return;
    }
    expect(best.turn).toBeLessThan(MAX_TURN_MS);
    expect(best.late).toBeLessThan(MAX_END_MS);
  });
});
