import {nextTurn} from '#platform';
import {NonceIndex} from './nonce-index.js';
import {NonceSlab, SECONDS} from './nonce-slab.js';
import {type Claim, nonceDigest, type ReplayStore} from './replay-store.js';

interface MemoryReplayStoreOptions {
  /** The clock of lifetimes in milliseconds: `elapsed` of the steady clock. */
  readonly elapsed: () => number;
  /** How many nonces are held at most; half of them for one partner. */
  readonly capacity?: number;
}

const DEFAULT_CAPACITY = 1_000_000;
/** Expired nonces that one claim clears away: more than it adds. */
const CLEARED_A_CLAIM = 16;
/** How many may be cleared before other work gets its turn. */
const CLEARED_A_TURN = 4096;

/**
 * The replay store of one process. A nonce is held as a 16-byte digest of partner and nonce, in
 * typed arrays that grow in small steps; only expired ones are forgotten. Below 60 bytes a nonce: a
 * million of them take 100 MB less than in a Map.
 */
export class MemoryReplayStore implements ReplayStore {
  readonly #elapsed: () => number;
  readonly #capacity: number;
  readonly #slab = new NonceSlab();
  readonly #index = new NonceIndex(this.#slab);
  readonly #partners = new Map<string, number>();
  /** Nonces held, by the number of the partner. */
  readonly #held: number[] = [];

  constructor({elapsed, capacity = DEFAULT_CAPACITY}: MemoryReplayStoreOptions) {
    this.#elapsed = elapsed;
    this.#capacity = capacity;
  }

  /** How many nonces are held. */
  get size(): number {
    return this.#slab.size;
  }

  /** How many bytes the nonces take. */
  get bytes(): number {
    return this.#slab.bytes + this.#index.bytes;
  }

  async claim(partnerId: string, nonce: string, lifetime: number): Promise<Claim> {
    const partner = this.#numberOf(partnerId);
    this.#clear(CLEARED_A_CLAIM);
    while (!this.#hasRoom(partner) && this.#clear(CLEARED_A_TURN) > 0) await nextTurn();
    // From here on nothing waits: the step is atomic, and the digest is the one of this claim.
    const digest = digestOf(partnerId, nonce);
    const elapsed = this.#elapsed();
    const now = Math.floor(elapsed / 1000);
    if (this.#index.find(digest, now) >= 0) return 'seen';
    if (!this.#hasRoom(partner)) return 'full';
    const expiry = Math.floor((elapsed + lifetime) / 1000) + 1;
    if (expiry - now >= SECONDS) throw new RangeError(`lifetime: at most ${SECONDS - 2} s`);
    this.#index.add(digest, this.#slab.add(digest, expiry, partner));
    this.#held[partner] = (this.#held[partner] ?? 0) + 1;
    return 'fresh';
  }

  #second(): number {
    return Math.floor(this.#elapsed() / 1000);
  }

  #numberOf(partnerId: string): number {
    const known = this.#partners.get(partnerId);
    if (known !== undefined) return known;
    this.#partners.set(partnerId, this.#held.length);
    return this.#held.push(0) - 1;
  }

  #hasRoom(partner: number): boolean {
    const held = this.#held[partner] ?? 0;
    return this.size < this.#capacity && held < Math.ceil(this.#capacity / 2);
  }

  /** Forgets at most `limit` expired nonces; returns how many. */
  #clear(limit: number): number {
    const now = this.#second();
    let cleared = 0;
    while (cleared < limit) {
      const entry = this.#slab.nextExpired(now);
      if (entry < 0) return cleared;
      const partner = this.#slab.partner(entry);
      this.#index.remove(entry);
      this.#slab.release(entry);
      this.#held[partner] = (this.#held[partner] ?? 1) - 1;
      cleared += 1;
    }
    return cleared;
  }
}

/** 16 bytes as four words. */
function digestOf(partnerId: string, nonce: string): Uint32Array {
  const bytes = nonceDigest(partnerId, nonce);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(4 * i, true);
  return words;
}

const words = new Uint32Array(4);
