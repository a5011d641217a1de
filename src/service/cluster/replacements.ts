/** Milliseconds before a dead worker is replaced: doubled for each that died young. */
const SHORTEST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
const GROWN_UP = 10_000;

/** When workers that have died are started again, so that one that cannot live is no storm. */
export class Replacements {
  readonly #fork: (number: number) => void;
  readonly #waiting = new Set<NodeJS.Timeout>();
  #deaths = 0;
  #diedYoung = 0;

  constructor(fork: (number: number) => void) {
    this.#fork = fork;
  }

  /** How many have died. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Replaces a worker, which served since then or never; returns the pause before that. */
  replace(number: number, servingSince: number | undefined): number {
    this.#deaths += 1;
    const young = servingSince === undefined || performance.now() - servingSince < GROWN_UP;
    this.#diedYoung = young ? this.#diedYoung + 1 : 0;
    const pause = Math.min(SHORTEST_PAUSE * 2 ** this.#diedYoung, LONGEST_PAUSE);
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      this.#fork(number);
    }, pause);
    this.#waiting.add(timer);
    return pause;
  }

  /** Starts none any more. */
  stop(): void {
    for (const timer of this.#waiting) clearTimeout(timer);
  }
}
