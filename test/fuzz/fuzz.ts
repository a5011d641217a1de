import {performance} from 'node:perf_hooks';
import fc from 'fast-check';
import type {Behaviour, FuzzInput, FuzzTarget} from './fuzz-target.js';
import {type Finding, minimise} from './minimise.js';
import {mutate, PLANS} from './mutate.js';

interface Options {
  readonly executions: number;
  readonly seed: number;
  /** Inputs of earlier runs. */
  readonly corpus?: readonly FuzzInput[];
  readonly onProgress?: (done: number, features: number) => void;
}

/** The result of a fuzzer run. */
export interface FuzzResult {
  readonly executions: number;
  /** Kinds of behaviour seen. */
  readonly features: number;
  /** Mutated inputs that showed a new behaviour. */
  readonly added: readonly FuzzInput[];
  readonly finding?: Finding;
}

/** Generous, because only quadratic time or worse is a defect. */
const LONGEST_MS = 1000;
const BATCH = 1000;
/** One in this many inputs is run a second time. */
const REPEATED = 8;
const STACK = 10;

/**
 * Feeds a target with its seeds, the corpus, and mutations of both. Mutations are plans that
 * fast-check draws from `seed`; one that shows a new behaviour joins the inputs to mutate, so that
 * the run goes where the code answers differently. Ends at the first broken promise.
 */
export async function fuzz(target: FuzzTarget, options: Options): Promise<FuzzResult> {
  const {stackTraceLimit} = Error;
  // The stacks of a million errors would take most of the time.
  Error.stackTraceLimit = 0;
  try {
    return await feed(target, options);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function feed(target: FuzzTarget, options: Options): Promise<FuzzResult> {
  const {executions, seed, corpus = [], onProgress} = options;
  const pool: FuzzInput[] = [...target.seeds(), ...corpus];
  const known = pool.length;
  const seen = new Set<string>();
  let done = 0;
  const result = () => ({executions: done, features: seen.size, added: pool.slice(known)});
  for (const input of inputs(target, pool, executions, seed)) {
    done++;
    if (done % BATCH === 0) onProgress?.(done, seen.size);
    const outcome = await attempt(target, input, done % REPEATED === 0);
    if ('broken' in outcome) return {...result(), finding: await found(target, input)};
    const before = seen.size;
    for (const feature of outcome.features) seen.add(feature);
    if (seen.size > before && done > known) pool.push(input);
  }
  return result();
}

/** First the existing inputs, then mutations of them; `pool` may grow meanwhile. */
function* inputs(
  target: FuzzTarget,
  pool: readonly FuzzInput[],
  executions: number,
  seed: number,
): Generator<FuzzInput> {
  yield* [...pool];
  for (let done = 0; done < executions; done += BATCH) {
    const numRuns = Math.min(BATCH, executions - done);
    const plans = fc.sample(PLANS, {seed: seed + done, numRuns});
    for (const plan of plans) yield mutate(pool, plan, target);
  }
}

type Outcome = Behaviour | {readonly broken: string};

/** Runs an input, twice if `again`; returns its behaviour, or the promise that it broke. */
async function attempt(target: FuzzTarget, input: FuzzInput, again: boolean): Promise<Outcome> {
  const start = performance.now();
  try {
    const first = await target.run(input);
    const taken = performance.now() - start;
    if (!again && taken < LONGEST_MS) return first;
    return repeated(first, taken, await timed(target, input));
  } catch (error) {
    return {broken: String(error instanceof Error ? (error.stack ?? error) : error)};
  }
}

async function timed(target: FuzzTarget, input: FuzzInput): Promise<Behaviour & {taken: number}> {
  const start = performance.now();
  const before = process.cpuUsage();
  const behaviour = await target.run(input);
  const {user, system} = process.cpuUsage(before);
  return {...behaviour, taken: Math.min(performance.now() - start, (user + system) / 1000)};
}

/** Another process may have used the CPU the first time, so the second counts CPU time. */
function repeated(first: Behaviour, taken: number, second: Behaviour & {taken: number}): Outcome {
  const least = Math.round(Math.min(taken, second.taken));
  if (least > LONGEST_MS) return {broken: `takes ${least} ms`};
  if (JSON.stringify(first.answer) === JSON.stringify(second.answer)) return first;
  return {broken: 'answers differently the second time'};
}

/** The finding, minimised, with its stack. */
async function found(target: FuzzTarget, input: FuzzInput): Promise<Finding> {
  Error.stackTraceLimit = STACK;
  return minimise(input, async (shorter) => {
    const outcome = await attempt(target, shorter, true);
    return 'broken' in outcome ? outcome.broken : undefined;
  });
}
