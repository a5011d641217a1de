// Prints how many trials `diagnose` makes a second on every runtime, in turns, and their share of
// those of this Node: in Chromium in a worker. The figures of a busy machine vary. Arguments are the
// names of runtimes, by default all.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {bundle, type Condition} from './bundle.js';
import {RUNTIMES, type Runtime} from './runtimes.js';

const ROUNDS = 5;
const WANTED = ['Node', ...process.argv.slice(2)];

const folder = mkdtempSync(path.join(tmpdir(), 'paylens-speed-'));
const fileOf = (condition: Condition) => path.join(folder, `${condition}.mjs`);
try {
  await measure();
} finally {
  rmSync(folder, {recursive: true, force: true});
}

async function measure(): Promise<void> {
  for (const condition of ['node', 'default'] as const) {
    await bundle('cases/diagnose-speed.ts', condition, fileOf(condition));
  }
  const runs = RUNTIMES.filter(isWanted).flatMap((runtime) =>
    runtime.conditions.map((condition) => ({runtime, condition, rates: [] as number[]})),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const {runtime, condition, rates} of runs) rates.push(await rateOf(runtime, condition));
  }
  const [own] = runs;
  for (const {runtime, condition, rates} of runs) {
    const shares = rates.map((rate, i) => rate / (own?.rates[i] ?? rate));
    const figure = `${Math.round(median(rates))} trials/s, ${median(shares).toFixed(2)} x this Node`;
    console.log(`${`${runtime.name}, ${condition}`.padEnd(20)} ${figure}`);
  }
}

function isWanted({name, version}: Runtime): boolean {
  return version !== undefined && (WANTED.length === 1 || WANTED.includes(name));
}

async function rateOf({run}: Runtime, condition: Condition): Promise<number> {
  return Number(await run(fileOf(condition)));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
