import {hash, timingSafeEqual} from 'node:crypto';

/** SHA-256 of bytes, or of a text as UTF-8: 32 bytes. */
export function sha256(data: Uint8Array | string): Buffer {
  return hash('sha256', data, 'buffer');
}

/** SHA-256 in lower-case hex. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data);
}

/** MD5 in lower-case hex: only for Digest, which clients speak that know nothing better. */
export function md5Hex(data: Uint8Array | string): string {
  return hash('md5', data);
}

/** Compares in constant time; arrays of different lengths are never equal. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
