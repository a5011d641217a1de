import {createHash, createHmac} from 'node:crypto';
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
  hmac('HMAC-SHA1', 'sha1'),
  hmac('HMAC-SHA512', 'sha512'),
  hmac('HMAC-SHA384', 'sha384'),
  hmac('HMAC-SHA224', 'sha224'),
  hmac('HMAC-MD5', 'md5'),
  hmac('HMAC-SHA3-256', 'sha3-256'),
  plain('SHA-256 of key and string to hash', (key, message) => [key, message]),
  plain('SHA-256 of string to hash and key', (key, message) => [message, key]),
  plain('SHA-256 without a key', (_, message) => [message]),
  {
    mistake: "key and string to hash were used in each other's place",
    value: (key) => (message) => digest('sha256', key, Buffer.from(message, 'latin1')),
  },
  {
    mistake: 'the string to hash was hashed before it was signed',
    value: (key) => (message) => digest('sha256', hashOf('sha256', message), key),
  },
  {
    mistake: 'the string to hash was hashed before it was signed',
    value: (key) => (message) =>
      digest('sha256', Buffer.from(hashOf('sha256', message).toString('hex')), key),
  },
];

function hmac(name: string, algorithm: string): Variant<Mac> {
  return {
    mistake: `it was signed with ${name} instead of HMAC-SHA256`,
    value: (key) => (message) => digest(algorithm, Buffer.from(message, 'latin1'), key),
  };
}

function plain(
  what: string,
  order: (key: Uint8Array, message: Uint8Array) => readonly Uint8Array[],
): Variant<Mac> {
  return {
    mistake: `${what} was used instead of HMAC-SHA256`,
    value: (key) => (message) =>
      createHash('sha256')
        .update(Buffer.concat(order(key, Buffer.from(message, 'latin1'))))
        .digest(),
  };
}

function digest(algorithm: string, message: Uint8Array, key: Uint8Array): Buffer {
  return createHmac(algorithm, key).update(message).digest();
}

function hashOf(algorithm: string, message: string): Buffer {
  return createHash(algorithm).update(message, 'latin1').digest();
}
