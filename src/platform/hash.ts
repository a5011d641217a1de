import {hashHex, hashLatin1} from '#platform';
import {bytesFromLatin1} from './bytes.js';

export {equalBytes, hashHex, hmac, hmacSha256, sha1Hex, sha256Hex} from '#platform';

/** SHA-256 of bytes, or of a text as UTF-8: 32 bytes. */
export function sha256(data: Uint8Array | string): Uint8Array {
  return bytesFromLatin1(sha256Latin1(data));
}

/** SHA-256 as a text of one byte a character. */
export function sha256Latin1(data: Uint8Array | string): string {
  return hashLatin1('sha256', data);
}

/** MD5 in lower-case hex: only for Digest, which clients speak that know nothing better. */
export function md5Hex(data: Uint8Array | string): string {
  return hashHex('md5', data);
}
