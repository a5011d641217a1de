import {sha256} from '../../platform/hash.js';

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
