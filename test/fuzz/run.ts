// The long run: `npm run fuzz -- --target reader-idtech --executions 1000000 --seed 7 --save`.
// Without a target it runs all of them, one after the other. Prints figures for each; exits with
// code
// 1 on a finding and saves its input in the corpus. `--save` also keeps inputs with new behaviour.
import {performance} from 'node:perf_hooks';
import {parseArgs} from 'node:util';
import {readCorpus, writeCorpus} from './corpus.js';
import {fuzz} from './fuzz.js';
import type {FuzzInput, FuzzTarget} from './fuzz-target.js';
import {TARGETS} from './targets/index.js';

const {values} = parseArgs({
  options: {
    target: {type: 'string', multiple: true},
    executions: {type: 'string', default: '1000000'},
    seed: {type: 'string', default: '1'},
    save: {type: 'boolean', default: false},
  },
});
const executions = Number(values.executions);
const seed = Number(values.seed);

/** The corpus stays small: short inputs, and only a few. */
const LONGEST_KEPT = 1_000;
const MOST_KEPT = 100;

for (const target of chosen()) await runOne(target);

function chosen(): readonly FuzzTarget[] {
  const names = values.target ?? TARGETS.map(({name}) => name);
  const unknown = names.find((name) => !TARGETS.some((target) => target.name === name));
  if (unknown === undefined) return TARGETS.filter(({name}) => names.includes(name));
  console.error(`no target ${unknown}: expected ${TARGETS.map(({name}) => name).join(', ')}`);
  process.exit(2);
}

async function runOne(target: FuzzTarget): Promise<void> {
  const {name} = target;
  const corpus = readCorpus(name);
  const start = performance.now();
  const rate = (done: number) => Math.round((1000 * done) / (performance.now() - start));
  const onProgress = (done: number, features: number) =>
    progress(`${name}: ${done} of ${executions}, ${rate(done)}/s, ${features} features`);
  const result = await fuzz(target, {executions, seed, corpus, onProgress});
  const {features, added, finding} = result;
  progress('');
  console.log(
    `${name}: ${result.executions} executions, ${rate(result.executions)}/s, seed ${seed}, ` +
      `${features} features, ${added.length} new inputs, ${finding ? 'BROKEN' : 'no finding'}`,
  );
  if (finding) return report(target, corpus, finding);
  if (values.save) writeCorpus(name, await kept(target, [...corpus, ...added]));
}

/** Those of `inputs` that show most behaviour not shown by the others and the seeds. */
async function kept(target: FuzzTarget, inputs: readonly FuzzInput[]): Promise<FuzzInput[]> {
  const shown = new Set(await featuresOf(target, target.seeds()).then((all) => all.flat()));
  const small = inputs.filter((input) => JSON.stringify(input).length <= LONGEST_KEPT);
  const features = await featuresOf(target, small);
  const richest = [...small.entries()].sort(([a], [b]) => count(features[b]) - count(features[a]));
  return richest
    .flatMap(([i, input]) => (addsTo(shown, features[i]) ? [input] : []))
    .slice(0, MOST_KEPT);
}

function count(features: readonly string[] = []): number {
  return new Set(features).size;
}

function addsTo(shown: Set<string>, features: readonly string[] = []): boolean {
  const before = shown.size;
  for (const feature of features) shown.add(feature);
  return shown.size > before;
}

async function featuresOf(target: FuzzTarget, inputs: readonly FuzzInput[]): Promise<string[][]> {
  const all: string[][] = [];
  for (const input of inputs) all.push([...(await target.run(input)).features]);
  return all;
}

function report(
  {name}: FuzzTarget,
  corpus: readonly FuzzInput[],
  {input, broken}: {input: FuzzInput; broken: string},
): never {
  writeCorpus(name, [...corpus, input]);
  console.log(`${broken}\n${JSON.stringify(input)}`);
  process.exit(1);
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
