import {hash} from 'node:crypto';

const BLOCK = 64;
const DIGEST = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * 32 bytes of HKDF-SHA256 (RFC 5869) for a salt of at most 64 bytes and an `info` of Latin-1. Four
 * one-shot hashes: `hkdfSync` makes a key object first, and takes ten times as long.
 */
export function hkdfSha256(secret: Uint8Array, salt: Uint8Array, info: string): Buffer {
  const extracted = hmac(salt, secret);
  const key = hmac(extracted, Buffer.from(`${info}\x01`, 'latin1'));
  extracted.fill(0);
  return key;
}

/** HMAC-SHA256 (RFC 2104) under a key of at most one block. */
function hmac(key: Uint8Array, message: Uint8Array): Buffer {
  const inner = Buffer.alloc(BLOCK + message.length, INNER_PAD);
  inner.set(message, BLOCK);
  const outer = Buffer.alloc(BLOCK + DIGEST, OUTER_PAD);
  for (let i = 0; i < key.length; i++) {
    inner[i] = INNER_PAD ^ (key[i] ?? 0);
    outer[i] = OUTER_PAD ^ (key[i] ?? 0);
  }
  outer.write(hash('sha256', inner, 'binary'), BLOCK, 'latin1');
  const digest = Buffer.from(hash('sha256', outer, 'binary'), 'latin1');
  inner.fill(0);
  outer.fill(0);
  return digest;
}
