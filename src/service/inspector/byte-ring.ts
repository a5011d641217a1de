/** What is known of an entry; `start` counts all bytes ever written. */
interface Entry {
  readonly key: number;
  readonly start: number;
  readonly length: number;
}

/**
 * The byte strings put in last, within a fixed number of bytes: each new one takes the place of the
 * oldest. Nothing is allocated for an entry, so that keeping every request does not bring
 * collections on.
 */
export class ByteRing {
  readonly #size: number;
  readonly #most: number;
  #bytes: Buffer | undefined;
  #written = 0;
  readonly #keys: Float64Array;
  readonly #starts: Float64Array;
  readonly #lengths: Float64Array;

  /** `most` entries in `size` bytes. */
  constructor(most: number, size: number) {
    this.#most = most;
    this.#size = size;
    this.#keys = new Float64Array(most).fill(-1);
    this.#starts = new Float64Array(most);
    this.#lengths = new Float64Array(most);
  }

  /**
   * Reserves `length` bytes under a number, which is one more than the last; undefined: they do not
   * fit. The bytes are to be written at once.
   */
  reserve(key: number, length: number): Buffer | undefined {
    if (length > this.#size) return undefined;
    const at = this.#written % this.#size;
    if (at + length > this.#size) this.#written += this.#size - at;
    const slot = key % this.#most;
    this.#keys[slot] = key;
    this.#starts[slot] = this.#written;
    this.#lengths[slot] = length;
    const begin = this.#written % this.#size;
    this.#written += length;
    // Memory that was never written takes no room.
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#size);
    return this.#bytes.subarray(begin, begin + length);
  }

  /** A copy of the bytes under a number; undefined when they are no longer kept. */
  get(key: number): Buffer | undefined {
    const entry = this.#entryOf(key);
    if (!entry || this.#written - entry.start > this.#size) return undefined;
    const begin = entry.start % this.#size;
    return Buffer.from(this.#bytes?.subarray(begin, begin + entry.length) ?? []);
  }

  /** Forgets all entries, and their bytes. */
  clear(): void {
    this.#keys.fill(-1);
    this.#bytes?.fill(0, 0, Math.min(this.#written, this.#size));
    this.#written = 0;
  }

  #entryOf(key: number): Entry | undefined {
    const slot = key % this.#most;
    if (this.#keys[slot] !== key) return undefined;
    return {key, start: this.#starts[slot] ?? 0, length: this.#lengths[slot] ?? 0};
  }
}
