import {bytesFromLatin1, concatBytes} from '../../platform/bytes.js';
import {hmac, sha256, sha256Hex} from '../../platform/hash.js';
import type {HashName} from '../../platform/hash-name.js';
import {HmacKey} from '../partner/hmac-key.js';
import type {Variant} from '../partner/signing-keys.js';

/** Makes the function that signs a message (one byte a character) with a key. */
export type Mac = (key: Uint8Array) => (message: string) => Uint8Array;

/** The ways to sign with a shared key; the first is the right one. */
export const MACS: readonly Variant<Mac>[] = [
  {
    value: (bytes) => {
      const key = new HmacKey(bytes);
      return (message) => key.sign(message);
    },
  },
  other('HMAC-SHA1', 'sha1'),
  other('HMAC-SHA512', 'sha512'),
  other('HMAC-SHA384', 'sha384'),
  other('HMAC-SHA224', 'sha224'),
  other('HMAC-MD5', 'md5'),
  other('HMAC-SHA3-256', 'sha3-256'),
  plain('SHA-256 of key and string to hash', (key, message) => [key, message]),
  plain('SHA-256 of string to hash and key', (key, message) => [message, key]),
  plain('SHA-256 without a key', (_, message) => [message]),
  {
    mistake: "key and string to hash were used in each other's place",
    value: (key) => (message) => hmac('sha256', bytesFromLatin1(message), key),
  },
  {
    mistake: 'the string to hash was hashed before it was signed',
    value: (key) => (message) => hmac('sha256', key, sha256(bytesFromLatin1(message))),
  },
  {
    mistake: 'the string to hash was hashed before it was signed',
    value: (key) => (message) =>
      hmac('sha256', key, bytesFromLatin1(sha256Hex(bytesFromLatin1(message)))),
  },
];

function other(name: string, algorithm: HashName): Variant<Mac> {
  return {
    mistake: `it was signed with ${name} instead of HMAC-SHA256`,
    value: (key) => (message) => hmac(algorithm, key, bytesFromLatin1(message)),
  };
}

function plain(
  what: string,
  order: (key: Uint8Array, message: Uint8Array) => readonly Uint8Array[],
): Variant<Mac> {
  return {
    mistake: `${what} was used instead of HMAC-SHA256`,
    value: (key) => (message) => sha256(concatBytes(...order(key, bytesFromLatin1(message)))),
  };
}
