import {sha256} from '../../platform/hash.js';

/**
 * What a replay store keeps of a nonce: 16 bytes, whatever its length. The length of the partnerId
 * in front keeps (`A`, `b:c`) apart from (`A:b`, `c`).
 */
export function nonceDigest(partnerId: string, nonce: string): Buffer {
  return sha256(`${partnerId.length}:${partnerId}${nonce}`).subarray(0, 16);
}
