/** One program at the same work as the others. */
export interface Contender {
  readonly name: string;
  /** Does the whole work once. */
  readonly run: () => void;
  /** SHA-256 of all plaintexts, in hex. */
  readonly proof: () => string;
}

export interface Rate {
  readonly name: string;
  /** Operations a second of processor time: the median of the rounds. */
  readonly rate: number;
}

const ROUNDS = 5;
const SHORTEST_ROUND_MS = 300;

/**
 * The rates of `contenders` at `operations` operations a run, measured in turns so that a slow
 * moment of the machine meets them all. Throws when they do not all give the same plaintexts.
 */
export function compare(operations: number, contenders: readonly Contender[]): Rate[] {
  requireSameProof(contenders);
  const rates = contenders.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    contenders.forEach(({run}, i) => {
      rates[i]?.push(rateOf(operations, run));
    });
  }
  return contenders.map(({name}, i) => ({name, rate: median(rates[i] ?? [])}));
}

function requireSameProof(contenders: readonly Contender[]): void {
  const proofs = contenders.map(({proof}) => proof());
  if (new Set(proofs).size === 1) return;
  throw new Error(contenders.map(({name}, i) => `${name}: ${proofs[i]}`).join('\n'));
}

function rateOf(operations: number, run: () => void): number {
  const begin = process.cpuUsage();
  let runs = 0;
  let ms = 0;
  for (; ms < SHORTEST_ROUND_MS; ms = milliseconds(process.cpuUsage(begin))) {
    run();
    runs++;
  }
  return (1000 * runs * operations) / ms;
}

/** Processor time of all threads: other work of the machine does not count. */
function milliseconds({user, system}: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
