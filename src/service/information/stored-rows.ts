import {charsIn, type StoredRow} from './request-row.js';

/** The rows of the latest requests, by sequence number: the oldest give way to more, and to longer ones. */
export class StoredRows {
  readonly #maxRows: number;
  readonly #maxChars: number;
  readonly #rows: (StoredRow | undefined)[] = [];
  #chars = 0;

  constructor(maxRows: number, maxChars: number) {
    this.#maxRows = maxRows;
    this.#maxChars = maxChars;
  }

  add(row: StoredRow): void {
    const {sequence} = row;
    this.#remove(sequence);
    this.#chars += charsIn(row);
    this.#rows[sequence % this.#maxRows] = row;
    const end = sequence + this.#maxRows;
    for (let oldest = sequence + 1; this.#chars > this.#maxChars && oldest < end; oldest++)
      this.#remove(oldest);
  }

  get(sequence: number): StoredRow | undefined {
    const row = this.#rows[sequence % this.#maxRows];
    return row?.sequence === sequence ? row : undefined;
  }

  clear(): void {
    this.#rows.length = 0;
    this.#chars = 0;
  }

  /** Removes what stands in the place of a sequence number. */
  #remove(sequence: number): void {
    const slot = sequence % this.#maxRows;
    const row = this.#rows[slot];
    if (row) this.#chars -= charsIn(row);
    this.#rows[slot] = undefined;
  }
}
