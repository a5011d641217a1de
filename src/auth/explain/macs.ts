import {bytesFromLatin1, concatBytes} from '../../platform/bytes.js';
import {hmac, sha256, sha256Hex} from '../../platform/hash.js';
import {HmacKey} from '../partner/hmac-key.js';
import type {Variant} from '../partner/signing-keys.js';

/** Signs a message, one byte a character, with a key. */
export type Mac = (key: Uint8Array, message: string) => Uint8Array;
type BytesMac = (key: Uint8Array, message: Uint8Array) => Uint8Array;

const HASHED_BEFORE = 'the string to hash was hashed before it was signed';
const OTHER_HASHES = [
  ['SHA1', 'sha1'],
  ['SHA512', 'sha512'],
  ['SHA384', 'sha384'],
  ['SHA224', 'sha224'],
  ['MD5', 'md5'],
  ['SHA3-256', 'sha3-256'],
] as const;

/** The ways to sign with a shared key; the first is the right one. */
export const MACS: readonly Variant<Mac>[] = [
  {value: (key, message) => preparedKey(key).sign(message)},
  ...OTHER_HASHES.map(([name, algorithm]) =>
    instead(`it was signed with HMAC-${name}`, (key, message) => hmac(algorithm, key, message)),
  ),
  plain('of key and string to hash', (key, message) => sha256(concatBytes(key, message))),
  plain('of string to hash and key', (key, message) => sha256(concatBytes(message, key))),
  plain('without a key', (_, message) => sha256(message)),
  mistaken("key and string to hash were used in each other's place", (key, message) =>
    hmac('sha256', message, key),
  ),
  mistaken(HASHED_BEFORE, (key, message) => hmac('sha256', key, sha256(message))),
  mistaken(HASHED_BEFORE, (key, message) =>
    hmac('sha256', key, bytesFromLatin1(sha256Hex(message))),
  ),
];

const preparedKeys = new WeakMap<Uint8Array, HmacKey>();

/** A search tries the same keys with many messages. */
function preparedKey(bytes: Uint8Array): HmacKey {
  const key = preparedKeys.get(bytes) ?? new HmacKey(bytes);
  preparedKeys.set(bytes, key);
  return key;
}

function plain(how: string, mac: BytesMac): Variant<Mac> {
  return instead(`SHA-256 ${how} was used`, mac);
}

function instead(what: string, mac: BytesMac): Variant<Mac> {
  return mistaken(`${what} instead of HMAC-SHA256`, mac);
}

function mistaken(mistake: string, mac: BytesMac): Variant<Mac> {
  return {mistake, value: (key, message) => mac(key, bytesFromLatin1(message))};
}
