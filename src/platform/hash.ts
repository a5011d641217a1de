import {hash, timingSafeEqual} from 'node:crypto';

/** SHA-256 of bytes, or of a text as UTF-8: 32 bytes. */
export function sha256(data: Uint8Array | string): Buffer {
  return Buffer.from(sha256Latin1(data), 'latin1');
}

/** SHA-256 as a text of one byte a character: Node takes three times as long to make a Buffer. */
export function sha256Latin1(data: Uint8Array | string): string {
  return hash('sha256', data, 'binary');
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
