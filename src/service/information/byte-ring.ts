/**
 * The latest byte strings that fit into a fixed number of bytes: each new one replaces the oldest.
 * Nothing is allocated per entry, so that storing every request causes no garbage collection.
 */
export class ByteRing {
  readonly #size: number;
  readonly #maxEntries: number;
  #bytes: Buffer | undefined;
  /** Counts all bytes ever written, so that a start shows whether its bytes were overwritten. */
  #written = 0;
  readonly #keys: Float64Array;
  readonly #starts: Float64Array;
  readonly #lengths: Float64Array;

  /** At most `maxEntries` entries in `size` bytes. */
  constructor(maxEntries: number, size: number) {
    this.#maxEntries = maxEntries;
    this.#size = size;
    this.#keys = new Float64Array(maxEntries).fill(-1);
    this.#starts = new Float64Array(maxEntries);
    this.#lengths = new Float64Array(maxEntries);
  }

  /**
   * Reserves `length` bytes under a number, which is one more than the last; undefined if they do
   * not fit. The caller writes the bytes at once.
   */
  reserve(key: number, length: number): Buffer | undefined {
    if (length > this.#size) return undefined;
    const at = this.#written % this.#size;
    if (at + length > this.#size) this.#written += this.#size - at;
    const slot = key % this.#maxEntries;
    this.#keys[slot] = key;
    this.#starts[slot] = this.#written;
    this.#lengths[slot] = length;
    const begin = this.#written % this.#size;
    this.#written += length;
    // The system assigns memory pages when they are first written.
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#size);
    return this.#bytes.subarray(begin, begin + length);
  }

  /** A copy of the bytes under a number; undefined if they were overwritten. */
  get(key: number): Buffer | undefined {
    const slot = key % this.#maxEntries;
    const start = this.#starts[slot] ?? 0;
    if (this.#keys[slot] !== key || this.#written - start > this.#size) return undefined;
    const begin = start % this.#size;
    return Buffer.from(this.#bytes?.subarray(begin, begin + (this.#lengths[slot] ?? 0)) ?? []);
  }

  /** Removes all entries, and their bytes. */
  clear(): void {
    this.#keys.fill(-1);
    this.#bytes?.fill(0, 0, Math.min(this.#written, this.#size));
    this.#written = 0;
  }
}
