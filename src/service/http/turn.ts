/** A turn of the event loop: the requests that came in together. */
export class Turn {
  #began: number | undefined;
  #end: Promise<void> | undefined;
  #resolve = () => {};
  readonly #finish = () => {
    this.#began = undefined;
    this.#end = undefined;
    this.#resolve();
  };

  /** Milliseconds since the first of them was begun; `now` of a monotonic clock. */
  age(now: number): number {
    if (this.#began === undefined) {
      this.#began = now;
      if (!this.#end) setImmediate(this.#finish);
    }
    return now - this.#began;
  }

  /**
   * Waits until all of them have been worked on. Their answers then leave together: each that leaves
   * alone wakes its reader, and a request costs the processor 20 % more.
   */
  end(): Promise<void> {
    if (this.#end) return this.#end;
    if (this.#began === undefined) setImmediate(this.#finish);
    this.#end = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#end;
  }
}
