import {nextTurn} from '#platform';
import {latin1Of} from '../platform/bytes.js';
import {sha256} from '../platform/hash.js';

/** A timestamp may be this many seconds old, or ahead (docs/contract.md#replay-protection). */
const WINDOW = 900;

/**
 * Whether a timestamp in seconds can be accepted at `now` in milliseconds. Seconds are whole, so
 * that exactly 15 minutes old lasts through the whole 901st second.
 */
export function isFresh(timestamp: number, now: number): boolean {
  const seconds = Math.floor(now / 1000);
  return seconds - timestamp <= WINDOW && timestamp - seconds <= WINDOW;
}

/**
 * How many milliseconds a nonce claimed at `now` must be stored: until its timestamp (in
 * seconds) can no longer be accepted, and at least 15 minutes.
 */
export function nonceLifetime(timestamp: number, now: number): number {
  return Math.max(timestamp * 1000 - now, 0) + (WINDOW + 1) * 1000;
}

/** `fresh`: recorded now, for the first time; `seen`: stored already; `full`: at capacity, not recorded. */
export type Claim = 'fresh' | 'seen' | 'full';

/** Stores used nonces, so that each request is accepted once. */
export interface ReplayStore {
  /**
   * Records a nonce of a partner in one atomic step and stores it for at least `lifetime`
   * milliseconds. Rejects when the store cannot be reached, or may have forgotten a request with this
   * timestamp (seconds); then nothing may be accepted.
   */
  claim(partnerId: string, nonce: string, lifetime: number, timestamp?: number): Promise<Claim>;
}

/**
 * The digest of a nonce that replay stores keep: 16 bytes. The length of the partnerId as a prefix
 * distinguishes (`A`, `b:c`) from (`A:b`, `c`).
 */
export function nonceDigest(partnerId: string, nonce: string): Uint8Array {
  return sha256(`${partnerId.length}:${partnerId}${nonce}`).subarray(0, 16);
}

interface MemoryReplayStoreOptions {
  /** The clock of lifetimes in milliseconds: `elapsed` of the steady clock. */
  readonly elapsed: () => number;
  /** How many nonces are stored at most; half of them for one partner. */
  readonly capacity?: number | undefined;
}

const DEFAULT_CAPACITY = 1_000_000;
/** Expired nonces that one claim removes: more than it adds. */
const REMOVED_PER_CLAIM = 16;
/** Expired nonces removed at a time when there is no room. */
const REMOVED_PER_TURN = 4096;
/** A Map of a million entries would take long to grow: these grow one at a time. */
const SHARD_COUNT = 256;
/** Longer than the lifetime of any nonce. */
const MAX_GAP_SECONDS = 4096;

/**
 * The replay store of one process: a Map from the digest of partner and nonce to the second of its
 * expiry, and a queue of digests by this second. Only expired nonces are removed.
 */
export class MemoryReplayStore implements ReplayStore {
  readonly #elapsed: () => number;
  readonly #capacity: number;
  readonly #expiries = Array.from({length: SHARD_COUNT}, () => new Map<string, number>());
  /** Digests by second of expiry, then by partner. */
  readonly #queue = new Map<number, Map<string, string[]>>();
  /** Number of nonces by partner. */
  readonly #counts = new Map<string, number>();
  #size = 0;
  /** Nonces that expired before this second were removed. */
  #removedBefore = 0;

  constructor({elapsed, capacity = DEFAULT_CAPACITY}: MemoryReplayStoreOptions) {
    this.#elapsed = elapsed;
    this.#capacity = capacity;
  }

  /** How many nonces are stored. */
  get size(): number {
    return this.#size;
  }

  async claim(partnerId: string, nonce: string, lifetime: number): Promise<Claim> {
    this.#removeExpired(REMOVED_PER_CLAIM);
    while (!this.#hasRoom(partnerId) && this.#removeExpired(REMOVED_PER_TURN) > 0) await nextTurn();
    // From here on nothing is awaited, so that the step is atomic.
    const digest = latin1Of(nonceDigest(partnerId, nonce));
    const elapsed = this.#elapsed();
    const expiries = this.#mapOf(digest);
    const known = expiries.get(digest);
    if (known !== undefined && known > Math.floor(elapsed / 1000)) return 'seen';
    if (!this.#hasRoom(partnerId)) return 'full';
    const second = Math.floor((elapsed + lifetime) / 1000) + 1;
    expiries.set(digest, second);
    this.#enqueue(second, partnerId, digest);
    this.#count(partnerId, 1);
    return 'fresh';
  }

  #hasRoom(partnerId: string): boolean {
    const own = this.#counts.get(partnerId) ?? 0;
    return this.#size < this.#capacity && own < Math.ceil(this.#capacity / 2);
  }

  #mapOf(digest: string): Map<string, number> {
    return this.#expiries[digest.charCodeAt(0) % SHARD_COUNT] as Map<string, number>;
  }

  #enqueue(second: number, partnerId: string, digest: string): void {
    const byPartner = this.#queue.get(second) ?? new Map<string, string[]>();
    this.#queue.set(second, byPartner);
    const digests = byPartner.get(partnerId);
    if (digests) digests.push(digest);
    else byPartner.set(partnerId, [digest]);
  }

  #count(partnerId: string, nonces: 1 | -1): void {
    this.#size += nonces;
    this.#counts.set(partnerId, (this.#counts.get(partnerId) ?? 0) + nonces);
  }

  /** Removes at most `limit` expired nonces; returns how many. */
  #removeExpired(limit: number): number {
    const now = Math.floor(this.#elapsed() / 1000);
    if (now - this.#removedBefore > MAX_GAP_SECONDS)
      this.#removedBefore = Math.min(now, ...this.#queue.keys());
    let removed = 0;
    for (; this.#removedBefore <= now; this.#removedBefore++) {
      removed += this.#removeSecond(this.#removedBefore, limit - removed);
      if (removed === limit) return removed;
    }
    return removed;
  }

  #removeSecond(second: number, limit: number): number {
    let removed = 0;
    for (const [partnerId, digests] of this.#queue.get(second) ?? [])
      for (; removed < limit && digests.length > 0; removed++) {
        const digest = digests.pop() ?? '';
        // It may have been claimed again after its expiry.
        if (this.#mapOf(digest).get(digest) === second) this.#mapOf(digest).delete(digest);
        this.#count(partnerId, -1);
      }
    if (removed < limit) this.#queue.delete(second);
    return removed;
  }
}
