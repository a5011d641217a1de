import {sha256} from '../../platform/hash.js';

/** `fresh`: recorded now, for the first time; `seen`: held already; `full`: no room, not recorded. */
export type Claim = 'fresh' | 'seen' | 'full';

/** Remembers nonces, so that a request works once. */
export interface ReplayStore {
  /**
   * Records a nonce of a partner in one atomic step and holds it for at least `lifetime`
   * milliseconds. Rejects when the store cannot be reached; then nothing may be accepted.
   */
  claim(partnerId: string, nonce: string, lifetime: number): Promise<Claim>;
}

/**
 * What a replay store keeps of a nonce: 16 bytes, whatever its length. The length of the partnerId
 * in front keeps (`A`, `b:c`) apart from (`A:b`, `c`).
 */
export function nonceDigest(partnerId: string, nonce: string): Buffer {
  return sha256(`${partnerId.length}:${partnerId}${nonce}`).subarray(0, 16);
}
