import {setTimeout as wait} from 'node:timers/promises';

/** Pause after a view was made, in units of its duration: it gets at most 10 % of the CPU time. */
const REST = 9;
/** Limit of the pause: under load the duration includes waiting. */
const MAX_REST_MS = 250;

/**
 * Makes a view of the state once for all concurrent callers. A call never gets a view that was begun
 * before it; calls while one is being made, or during the pause, share the next.
 */
export class SharedView<T> {
  readonly #make: () => Promise<T>;
  #next: Promise<T> | undefined;
  #rested: Promise<unknown> = Promise.resolve();

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  ask(): Promise<T> {
    this.#next ??= this.#makeNext();
    return this.#next;
  }

  async #makeNext(): Promise<T> {
    await this.#rested;
    this.#next = undefined;
    const begun = performance.now();
    const made = this.#make();
    const rest = () =>
      wait(Math.min(REST * (performance.now() - begun), MAX_REST_MS), undefined, {ref: false});
    this.#rested = made.then(rest, rest);
    return made;
  }
}
