import {workedMs} from '../src/platform/node/platform.js';

/** One program that does the same work as the others. */
export interface Contender {
  readonly name: string;
  /**
   * Does the operations with index `from` up to but excluding `to`, again and again for at least
   * `ms` milliseconds of CPU time.
   */
  readonly turn: (from: number, to: number, ms: number) => Turn;
  /** SHA-256 of all plaintexts, in hex. */
  readonly proof: () => string;
}

/** What was done, and the CPU time that it took. */
interface Turn {
  readonly done: number;
  readonly ms: number;
}

export interface Rate {
  readonly name: string;
  /** Operations per second: the median of the rounds. */
  readonly rate: number;
  /** How many times as fast as this one the first contender was: the median of the rounds. */
  readonly ratio: number;
}

const ROUNDS = 5;
const TURNS = 4;
/**
 * Long enough for a contender to collect its own garbage; after short turns the next one pays for
 * it.
 */
const SHORTEST_TURN_MS = 250;

/**
 * Measures the rates of `contenders` over `operations` operations. They take turns in each round,
 * so that a slow moment of the machine affects all of them. Throws if their plaintexts differ.
 */
export function compare(operations: number, contenders: readonly Contender[]): Rate[] {
  requireSameProof(contenders);
  const rounds = Array.from({length: ROUNDS}, () => round(operations, contenders));
  return contenders.map(({name}, i) => ({
    name,
    rate: median(rounds.map((rates) => rates[i] ?? 0)),
    ratio: median(rounds.map((rates) => (rates[0] ?? 0) / (rates[i] ?? 0))),
  }));
}

function requireSameProof(contenders: readonly Contender[]): void {
  const proofs = contenders.map(({proof}) => proof());
  if (new Set(proofs).size === 1) return;
  throw new Error(contenders.map(({name}, i) => `${name}: ${proofs[i]}`).join('\n'));
}

/** The rate of each contender over all operations. */
function round(operations: number, contenders: readonly Contender[]): number[] {
  const totals = contenders.map(() => ({done: 0, ms: 0}));
  const share = operations / TURNS;
  for (let turn = 0; turn < TURNS; turn++) {
    contenders.forEach((contender, i) => {
      const total = totals[i] ?? {done: 0, ms: 0};
      const {done, ms} = contender.turn(turn * share, (turn + 1) * share, SHORTEST_TURN_MS);
      total.done += done;
      total.ms += ms;
    });
  }
  return totals.map(({done, ms}) => (1000 * done) / ms);
}

/** The turns of a function that does the operations from one index up to but excluding another. */
export function timed(run: (from: number, to: number) => void): Contender['turn'] {
  return (from, to, least) => {
    const begin = workedMs();
    let done = 0;
    let ms = 0;
    for (; ms < least; ms = workedMs() - begin) {
      run(from, to);
      done += to - from;
    }
    return {done, ms};
  };
}

/** The median of `values`. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
