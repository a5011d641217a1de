import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {IS_LONG, tenthOf} from '../long.js';
import {bundle} from './bundle.js';
import {type Answers, answerAll} from './cases/answer-all.js';
import {SIMULATED, TERMINAL_TYPES} from './cases/payloads.js';
import {RUNTIMES} from './runtimes.js';

/** How many cases of each kind there are; those of the vectors follow from the files. */
const COUNTS: Readonly<Record<string, number>> = {
  'TDES DUKPT': 1076,
  'AES DUKPT': 673,
  'key check values': 20,
  'key blocks': 60,
  authentication: 131,
  signatures: 22,
  diagnoses: IS_LONG ? 38 : 10,
  ...Object.fromEntries(TERMINAL_TYPES.map((type) => [`simulated ${type}`, SIMULATED])),
};

const folder = mkdtempSync(path.join(tmpdir(), 'paylens-runtimes-'));
const fileOf = (condition: string) => path.join(folder, `${condition}.mjs`);
let expected: Answers = {};

beforeAll(async () => {
  for (const condition of ['node', 'default'] as const) {
    await bundle('cases/print-answers.ts', condition, fileOf(condition));
  }
  expected = await answerAll();
}, 300_000);

afterAll(() => rmSync(folder, {recursive: true, force: true}));

describe('the cases', () => {
  it('are all of the vectors and samples, and simulated payloads of every terminal', () => {
    const {samples, ...others} = Object.fromEntries(
      Object.entries(expected).map(([kind, lines]) => [kind, lines.length]),
    );
    expect(others).toEqual(COUNTS);
    expect(samples).toBeGreaterThan(100);
  });

  it('have the published answers, and different ones', () => {
    const lines = Object.values(expected).flat();
    expect(lines.filter((line) => !/ [0-9a-f]{64}$/.test(line))).toEqual([]);
    const payloads = lines.filter((line) => /^[a-z-]+\d? \d+ /.test(line));
    const answers = new Set(payloads.map((line) => line.slice(-64)));
    expect(answers.size).toBeGreaterThan(0.6 * SIMULATED * TERMINAL_TYPES.length);
  });
});

/** Between the oldest and the newest version of one engine, of which a long run tries each. */
const BETWEEN = ['Node', 'Node 22', 'Node 24'];
const tried = tenthOf(BETWEEN, (name) => name);

const RUNS = RUNTIMES.filter(({name}) => !BETWEEN.includes(name) || tried.includes(name)).flatMap(
  (runtime) => runtime.conditions.map((condition) => ({...runtime, condition})),
);

describe('the same bytes', () => {
  for (const {name, version, condition, run} of RUNS) {
    const what = version === undefined ? `${name}, which is not installed` : `${name} (${version})`;
    it.skipIf(version === undefined)(
      `come from ${what} with the condition ${condition}`,
      {timeout: IS_LONG ? 3_000_000 : 300_000},
      async () => {
        const answers: Answers = JSON.parse(await run(fileOf(condition)));
        expect(Object.keys(answers)).toEqual(Object.keys(expected));
        for (const [kind, lines] of Object.entries(expected)) {
          const others = answers[kind]?.filter((line, i) => line !== lines[i]);
          expect([kind, others]).toEqual([kind, []]);
        }
      },
    );
  }
});
