import {bytesFromUtf8, concatBytes} from '../../platform/bytes.js';
import {md5Hex, sha256Hex} from '../../platform/hash.js';

/** The realm of every challenge, and of the hashes under it (docs/contract.md#digest). */
export const REALM = 'Users';

export type DigestAlgorithm = 'SHA-256' | 'MD5';

export const DIGEST_HASHES: Readonly<
  Record<DigestAlgorithm, (data: string | Uint8Array) => string>
> = {'SHA-256': sha256Hex, MD5: md5Hex};

/**
 * H(user:realm:key) of a partner for both algorithms. It is equivalent to the key and therefore
 * does not print.
 */
export class DigestKey {
  readonly #ha1: Readonly<Record<DigestAlgorithm, string>>;

  /** `key` is the partnerKey as UTF-8. */
  constructor(username: string, key: Uint8Array) {
    const a1 = concatBytes(bytesFromUtf8(`${username}:${REALM}:`), key);
    this.#ha1 = {'SHA-256': sha256Hex(a1), MD5: md5Hex(a1)};
    a1.fill(0);
  }

  ha1(algorithm: DigestAlgorithm): string {
    return this.#ha1[algorithm];
  }
}
