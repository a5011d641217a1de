import {describe, expect, it} from 'vitest';
import {diagnosisSteps} from '../../src/diagnosis/diagnose.js';
import {report} from '../../src/diagnosis/report.js';
import {diagnose} from '../../src/index.js';
import {MAX_DIAGNOSED_CHARS} from '../../src/input/case.js';
import {IS_LONG, seedOf, tenthOf} from '../long.js';
import {SWEEP_TEXTS} from '../sweep/texts.js';
import {Draw} from './draw.js';

/** Between two steps others have a turn: no text may make one step long. */

const MEGABYTE = 1_048_576;
/**
 * 20 ms are meant. The collection of garbage and the compiler work in threads of their own, and are
 * counted with the step in which they run; on a machine that does other work all take up to three times
 * as long. So the step of the best of sixteen runs counts, and three times as much is allowed.
 */
const MAX_STEP_CPU_MS = 3 * 20;
const RUNS = 16;
const BUDGET_MS = 300;

const draw = new Draw('long steps');
const random = draw.bytes(MEGABYTE);
const hex = random.toString('hex').slice(0, MEGABYTE).toUpperCase();
const tlv = 'DFAE0210'.concat(hex.slice(0, 32), 'DFAE030AFFFF9876543210E00001');
const UNITS: Readonly<Record<string, string>> = {
  hex,
  'odd hex': hex.slice(1),
  base64: random.toString('base64'),
  latin1: random.toString('latin1'),
  digits: Array.from(random, (byte) => byte % 10).join(''),
  text: 'The quick brown fox jumps over the lazy dog. ',
  json: `{"a":1,"data":"${hex.slice(0, 32)}"},`,
  'TLV objects': tlv,
  'TLV before zeros': `DFAE030AFFFF9876543210E00001${'00'.repeat(3000)}`,
  'nested TLV': 'FF8100',
  'hex in lines': `${hex.slice(0, 32)}\n`,
  'labelled keys': `key ${hex.slice(0, 32)} `,
  'labelled KSNs': 'ksn=FFFF9876543210E00001 ',
};
/** The units of the sweep, without what may be before or behind. */
const SWEPT = SWEEP_TEXTS.filter(({title}) => /^\["",.*,""\]$/.test(title));

function textOf(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** The CPU time of each step, what is reported in the end included, in milliseconds. */
function stepsOf(payload: string): number[] {
  const given = {payload, ciphertexts: [], writtenKeys: [], keys: []};
  const limits = {budgetMs: BUDGET_MS, now: () => performance.now()};
  const steps = diagnosisSteps(given, limits);
  for (const all: number[] = []; ; ) {
    const before = process.cpuUsage();
    const {done, value} = steps.next();
    if (done) report(value);
    const {user, system} = process.cpuUsage(before);
    all.push((user + system) / 1000);
    if (done) return all;
  }
}

/** The longest step, of the run in which it was shortest. */
function longestStep(payload: string): number {
  let longest = Infinity;
  for (let run = 0; run < RUNS && longest > MAX_STEP_CPU_MS; run++)
    longest = Math.min(longest, Math.max(...stepsOf(payload)));
  return longest;
}

const LENGTHS = [MAX_DIAGNOSED_CHARS, MAX_DIAGNOSED_CHARS / 2 - 1];

describe.each(LENGTHS)('%i characters', (length) => {
  // Of each unit one length, by the seed; both in a long run.
  const units = Object.entries(UNITS).filter(
    ([name]) => IS_LONG || LENGTHS[seedOf(name) & 1] === length,
  );
  it.each(units)('of %s are diagnosed in short steps', (_, unit) => {
    expect(longestStep(textOf(unit, length))).toBeLessThan(MAX_STEP_CPU_MS);
  });
});

it.each(tenthOf(SWEPT, ({title}) => title))(
  '128 Ki characters of $title are diagnosed in short steps',
  ({ofSize}) => {
    expect(longestStep(ofSize(MAX_DIAGNOSED_CHARS))).toBeLessThan(MAX_STEP_CPU_MS);
  },
);

it('a megabyte of anything is refused at once, and it is said why', async () => {
  const swept = SWEPT.map(({ofSize}) => ofSize(MEGABYTE));
  for (const payload of [...Object.values(UNITS).map((unit) => textOf(unit, MEGABYTE)), ...swept]) {
    expect(stepsOf(payload).length).toBe(1);
    const {verdicts, solved} = await diagnose({payload});
    expect([solved, verdicts.length]).toEqual([false, 1]);
    expect(verdicts[0]?.detail).toContain(`${MAX_DIAGNOSED_CHARS} characters`);
  }
});
