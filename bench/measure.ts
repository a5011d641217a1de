/** One program at the same work as the others. */
export interface Contender {
  readonly name: string;
  /** Does the operations from index `from` to before `to`. */
  readonly run: (from: number, to: number) => void;
  /** SHA-256 of all plaintexts, in hex. */
  readonly proof: () => string;
}

export interface Rate {
  readonly name: string;
  /** Operations a second: the median of the rounds. */
  readonly rate: number;
  /** How many times as fast as this one the first contender was: the median of the rounds. */
  readonly ratio: number;
}

const ROUNDS = 5;
const TURNS = 4;
/** So long that a contender collects its own garbage: in short turns the next one pays for it. */
const SHORTEST_TURN_MS = 250;

/**
 * The rates of `contenders` at `operations` operations. In each round they take turns, so
 * that a slow moment of the machine meets them all. Throws when they do not all give the same
 * plaintexts.
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

/** The rate of each contender over all the operations. */
function round(operations: number, contenders: readonly Contender[]): number[] {
  const totals = contenders.map(() => ({done: 0, ms: 0}));
  const share = operations / TURNS;
  for (let turn = 0; turn < TURNS; turn++) {
    contenders.forEach(({run}, i) => {
      const total = totals[i] ?? {done: 0, ms: 0};
      const begin = performance.now();
      let ms = 0;
      for (; ms < SHORTEST_TURN_MS; ms = performance.now() - begin) {
        run(turn * share, (turn + 1) * share);
        total.done += share;
      }
      total.ms += ms;
    });
  }
  return totals.map(({done, ms}) => (1000 * done) / ms);
}

/** The middle of `values` in their order. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
