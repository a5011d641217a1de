const CHUNK_BITS = 10;
const CHUNK = 1 << CHUNK_BITS;
/** An entry in words: digest (4), the next entry of its chain, expiry, partner. */
const WORDS = 7;
const NEXT = 4;
const EXPIRY = 5;
const PARTNER = 6;
const NONE = 0xffffffff;

/**
 * Number of chains, one per second: a power of two above the longest lifetime of a nonce (1,802 s).
 */
export const SECONDS = 4096;

/**
 * The entries of a replay store, numbered, in chunks of 1,024. Those that expire in the same second
 * hang in one chain, so that the expired are found without a search.
 */
export class NonceSlab {
  readonly #chunks: Uint32Array[] = [];
  readonly #chains = new Uint32Array(SECONDS).fill(NONE);
  #free = NONE;
  #used = 0;
  #size = 0;
  /** Entries that expired before this second have been removed. */
  #cleared = 0;

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return 4 * (this.#chunks.length * CHUNK * WORDS + SECONDS);
  }

  /** Stores a digest of four words that expires in the second `expiry`; returns its number. */
  add(digest: Uint32Array, expiry: number, partner: number): number {
    const entry = this.#take();
    this.#chunk(entry).set(digest, offsetOf(entry));
    this.#set(entry, EXPIRY, expiry);
    this.#set(entry, PARTNER, partner);
    this.#set(entry, NEXT, this.#chains[expiry % SECONDS] as number);
    this.#chains[expiry % SECONDS] = entry;
    this.#size += 1;
    return entry;
  }

  /** Takes an entry that expired in the second `now` or before out of its chain; -1 for none. */
  nextExpired(now: number): number {
    // After a long rest one round over all chains is enough.
    this.#cleared = Math.max(this.#cleared, now - SECONDS + 1);
    for (; this.#cleared <= now; this.#cleared++) {
      const entry = this.#unhang(this.#cleared % SECONDS, now);
      if (entry !== NONE) return entry;
    }
    return -1;
  }

  /** Gives the room of an entry free that `nextExpired` returned. */
  release(entry: number): void {
    this.#set(entry, NEXT, this.#free);
    this.#free = entry;
    this.#size -= 1;
  }

  isExpired(entry: number, now: number): boolean {
    return this.#get(entry, EXPIRY) <= now;
  }

  partner(entry: number): number {
    return this.#get(entry, PARTNER);
  }

  /** Word 0 to 3 of the digest of an entry. */
  digestWord(entry: number, word: 0 | 1 | 2 | 3): number {
    return this.#get(entry, word);
  }

  holds(entry: number, digest: Uint32Array): boolean {
    const chunk = this.#chunk(entry);
    const at = offsetOf(entry);
    return (
      chunk[at] === digest[0] &&
      chunk[at + 1] === digest[1] &&
      chunk[at + 2] === digest[2] &&
      chunk[at + 3] === digest[3]
    );
  }

  #take(): number {
    const entry = this.#free;
    if (entry !== NONE) {
      this.#free = this.#get(entry, NEXT);
      return entry;
    }
    if (this.#used % CHUNK === 0) this.#chunks.push(new Uint32Array(CHUNK * WORDS));
    this.#used += 1;
    return this.#used - 1;
  }

  // A chain may hold entries of a later round too, which must stay.
  #unhang(chain: number, now: number): number {
    let before = NONE;
    let entry = this.#chains[chain] as number;
    while (entry !== NONE && !this.isExpired(entry, now)) {
      before = entry;
      entry = this.#get(entry, NEXT);
    }
    if (entry === NONE) return NONE;
    if (before === NONE) this.#chains[chain] = this.#get(entry, NEXT);
    else this.#set(before, NEXT, this.#get(entry, NEXT));
    return entry;
  }

  #chunk(entry: number): Uint32Array {
    return this.#chunks[entry >>> CHUNK_BITS] as Uint32Array;
  }

  #get(entry: number, word: number): number {
    return this.#chunk(entry)[offsetOf(entry) + word] as number;
  }

  #set(entry: number, word: number, value: number): void {
    this.#chunk(entry)[offsetOf(entry) + word] = value;
  }
}

function offsetOf(entry: number): number {
  return (entry & (CHUNK - 1)) * WORDS;
}
