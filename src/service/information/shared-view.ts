import {setTimeout as wait} from 'node:timers/promises';

/** Times as long as a making took nobody makes again: a tenth of the processor at most goes there. */
const REST = 9;
/** Milliseconds: under load a making takes long because it waits. */
const LONGEST_REST = 250;

/**
 * Makes a view of the state for all who ask at once. Nobody gets one that was begun before they
 * asked; who asks while one is made, or too soon after, shares the next.
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
      wait(Math.min(REST * (performance.now() - begun), LONGEST_REST), undefined, {ref: false});
    this.#rested = made.then(rest, rest);
    return made;
  }
}
