import {describe, expect, it} from 'vitest';
import {diagnosisSteps} from '../../src/diagnosis/diagnose.js';
import {KNOWN_TERMINALS} from '../../src/engine/families/registry.js';
import {parseCase} from '../../src/input/case.js';
import {clueSteps} from '../../src/input/clues.js';
import {lengthFieldSlices} from '../../src/input/slices.js';
import {runDiagnosis} from '../../src/library/run-diagnosis.js';

/** What is found in a long input before the first key is tried: in steps, as the search is. */

const LINE =
  '2026-11-23 04:00:00 INFO request received id=12345 status: OK, waiting for the next\n';
const LONG = {
  text: LINE.repeat(700),
  digits: '40128888123456789'.repeat(3600),
  hex: '3FA9C40217B8D65E0A91'.repeat(3000),
  members: JSON.stringify({log: LINE.repeat(700)}),
};

const caseOf = (payload: string) => parseCase(JSON.stringify({payload}));

function stepsOf(payload: string): number {
  const steps = clueSteps(caseOf(payload));
  for (let count = 1; ; count++) if (steps.next().done) return count;
}

/** A signal that is aborted after so many checks of it. */
function abortedAfter(questions: number) {
  let asked = 0;
  const reason = new Error('no longer wanted');
  const abort = {
    reason,
    get aborted() {
      return ++asked > questions;
    },
  };
  return {abort, reason, asked: () => asked};
}

describe.each(Object.entries(LONG))('the clues in long %s', (_, payload) => {
  it('are collected in steps', () => {
    expect(stepsOf(payload)).toBeGreaterThan(20);
  });

  it('are abandoned when the signal is aborted', async () => {
    const {abort, reason, asked} = abortedAfter(10);
    const given = {json: JSON.stringify({payload}), expected: [], terminals: KNOWN_TERMINALS};
    await expect(runDiagnosis(given, {budgetMs: 1e9, usualOnly: true}, abort)).rejects.toBe(reason);
    expect(asked()).toBe(11);
  });

  it('are abandoned when the time is over, after progress was reported', () => {
    let time = 0;
    const stages: string[] = [];
    const steps = diagnosisSteps(caseOf(payload), {
      now: () => (time += 300),
      budgetMs: 3000,
      onProgress: (stage) => stages.push(stage),
    });
    let count = 1;
    let result = steps.next();
    while (!result.done) {
      result = steps.next();
      count++;
    }
    expect(count).toBeLessThan(15);
    expect(stages.length).toBeGreaterThan(5);
    expect(result.value).toMatchObject({solved: false, isComplete: false, tried: 0});
  });
});

it('more bytes are more steps', () => {
  const count = (length: number) => {
    const steps = lengthFieldSlices(new Uint8Array(length));
    for (let found = 1; ; found++) if (steps.next().done) return found;
  };
  expect(count(100_000)).toBeGreaterThan(count(20_000) + 10);
});
