import type {NonceSlab} from './nonce-slab.js';

const TABLES = 256;
const SMALLEST = 16;

/**
 * Finds the entries of a slab by their digest: 256 open-addressed tables with linear probing. Each
 * grows by itself, so that no growth takes long. A slot holds the entry's number plus one.
 */
export class NonceIndex {
  readonly #slab: NonceSlab;
  readonly #tables: Uint32Array[] = Array.from({length: TABLES}, () => new Uint32Array(SMALLEST));
  readonly #counts = new Uint32Array(TABLES);

  constructor(slab: NonceSlab) {
    this.#slab = slab;
  }

  get bytes(): number {
    return this.#tables.reduce((sum, table) => sum + table.byteLength, 4 * TABLES);
  }

  /** The entry with this digest that has not expired in the second `now`; -1 for none. */
  find(digest: Uint32Array, now: number): number {
    const table = this.#tables[tableOf(digest[0] as number)] as Uint32Array;
    const mask = table.length - 1;
    for (let slot = (digest[1] as number) & mask; ; slot = (slot + 1) & mask) {
      const entry = (table[slot] as number) - 1;
      if (entry < 0) return -1;
      if (this.#slab.holds(entry, digest) && !this.#slab.isExpired(entry, now)) return entry;
    }
  }

  /** Adds the entry of this digest. */
  add(digest: Uint32Array, entry: number): void {
    const number = tableOf(digest[0] as number);
    const count = (this.#counts[number] as number) + 1;
    this.#counts[number] = count;
    let table = this.#tables[number] as Uint32Array;
    if (4 * count > 3 * table.length) {
      table = this.#grown(table);
      this.#tables[number] = table;
    }
    this.#place(table, entry);
  }

  /** Takes an entry out and closes the gap, so that no probe ends too early. */
  remove(entry: number): void {
    const number = tableOf(this.#slab.digestWord(entry, 0));
    const table = this.#tables[number] as Uint32Array;
    const mask = table.length - 1;
    let gap = this.#home(entry, mask);
    while (table[gap] !== entry + 1) gap = (gap + 1) & mask;
    for (let slot = (gap + 1) & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.#home((table[slot] as number) - 1, mask);
      // It may move back only when the gap lies between its home and its slot.
      if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
      table[gap] = table[slot] as number;
      gap = slot;
    }
    table[gap] = 0;
    this.#counts[number] = (this.#counts[number] as number) - 1;
  }

  #grown(table: Uint32Array): Uint32Array {
    const larger = new Uint32Array(2 * table.length);
    for (const held of table) {
      if (held > 0) this.#place(larger, held - 1);
    }
    return larger;
  }

  #place(table: Uint32Array, entry: number): void {
    const mask = table.length - 1;
    let slot = this.#home(entry, mask);
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = entry + 1;
  }

  #home(entry: number, mask: number): number {
    return this.#slab.digestWord(entry, 1) & mask;
  }
}

function tableOf(word: number): number {
  return word & (TABLES - 1);
}
