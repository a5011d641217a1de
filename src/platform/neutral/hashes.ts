import {hmac as hmacOf} from '@noble/hashes/hmac.js';
import {md5, sha1} from '@noble/hashes/legacy.js';
import {sha224, sha256, sha384, sha512} from '@noble/hashes/sha2.js';
import {sha3_256} from '@noble/hashes/sha3.js';
import type {HashName} from '../hash-name.js';
import {hexOf, latin1Of} from './text.js';

// No spread, which would keep a bundler from leaving out what nobody asks for by name.
const HASHES = {
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  'sha3-256': sha3_256,
} as const satisfies Readonly<Record<HashName, unknown>>;

/** The hash of bytes, or of a text as UTF-8, in lower-case hex. */
export function hashHex(name: HashName, data: Uint8Array | string): string {
  return hexOf(hashBytes(name, data));
}

/** The same as a text of one byte a character. */
export function hashLatin1(name: HashName, data: Uint8Array | string): string {
  return latin1Of(hashBytes(name, data));
}

/** The HMAC of bytes. */
export function hmac(name: HashName, key: Uint8Array, data: Uint8Array): Uint8Array {
  return hmacOf(HASHES[name], key, data);
}

/** SHA-1 in lower-case hex; like the next two it does not bring the other hashes along. */
export function sha1Hex(data: Uint8Array | string): string {
  return hexOf(sha1(bytesIn(data)));
}

/** SHA-256 in lower-case hex. */
export function sha256Hex(data: Uint8Array | string): string {
  return hexOf(sha256(bytesIn(data)));
}

/** HMAC-SHA256 of bytes. */
export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
  return hmacOf(sha256, key, data);
}

function hashBytes(name: HashName, data: Uint8Array | string): Uint8Array {
  return HASHES[name](bytesIn(data));
}

function bytesIn(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? new TextEncoder().encode(data) : data;
}
