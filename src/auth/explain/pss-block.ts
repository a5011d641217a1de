import {bytesOfHex, concatBytes, isSameBytes} from '../../platform/bytes.js';
import {hashHex} from '../../platform/hash.js';
import type {HashName} from '../../platform/hash-name.js';

/** The last byte of every PSS block (RFC 8017, 9.1.1). */
export const PSS_TRAILER = 0xbc;

/**
 * Whether `block`, as long as the modulus, is what EMSA-PSS makes of a message with a salt of any
 * length; MGF1 uses the same hash (RFC 8017, 9.1.2).
 */
export function isPssBlock(
  block: Uint8Array,
  name: HashName,
  message: Uint8Array,
  modulus: Uint8Array,
): boolean {
  const unused = unusedBits(modulus);
  // With 8 bits unused the block is one byte shorter, and that byte is zero.
  const encoded = unused === 8 ? block.subarray(1) : block;
  const first = unused === 8 ? 0xff : 0xff >> unused;
  const digest = hashOf(name, message);
  const split = encoded.length - digest.length - 1;
  const isFilled = encoded.at(-1) === PSS_TRAILER && ((encoded[0] as number) & ~first) === 0;
  if (split < 1 || !isFilled || (unused === 8 && block[0] !== 0)) return false;
  const blockDigest = encoded.subarray(split, -1);
  const mask = maskOf(blockDigest, name, split);
  const opened = encoded.subarray(0, split).map((byte, i) => byte ^ (mask[i] as number));
  opened[0] = (opened[0] as number) & first;
  const one = opened.findIndex((byte) => byte !== 0);
  if (opened[one] !== 1) return false;
  const salted = concatBytes(new Uint8Array(8), digest, opened.subarray(one + 1));
  return isSameBytes(blockDigest, hashOf(name, salted));
}

/** The bits of the first byte that a block leaves zero: one more than the modulus does. */
function unusedBits(modulus: Uint8Array): number {
  return Math.clz32(modulus[0] ?? 0) - 24 + 1;
}

/** MGF1 (RFC 8017, B.2.1). */
function maskOf(seed: Uint8Array, name: HashName, length: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let counter = 0, made = 0; made < length; counter++) {
    const part = hashOf(name, concatBytes(seed, Uint8Array.of(0, 0, counter >> 8, counter & 0xff)));
    parts.push(part);
    made += part.length;
  }
  return concatBytes(...parts);
}

function hashOf(name: HashName, data: Uint8Array): Uint8Array {
  return bytesOfHex(hashHex(name, data));
}
