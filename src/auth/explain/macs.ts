import {bytesFromLatin1, concatBytes} from '../../platform/bytes.js';
import {hmac, sha256, sha256Hex} from '../../platform/hash.js';
import {HmacKey} from '../partner/hmac-key.js';
import {type MistakeRow, type Variant, variantsOf} from '../partner/variant.js';

/** Signs a message, one byte a character, with a key. */
export type Mac = (key: Uint8Array, message: string) => Uint8Array;
type BytesMac = (key: Uint8Array, message: Uint8Array) => Uint8Array;

const OTHER_HASHES = [
  ['SHA1', 'sha1'],
  ['SHA512', 'sha512'],
  ['SHA384', 'sha384'],
  ['SHA224', 'sha224'],
  ['MD5', 'md5'],
  ['SHA3-256', 'sha3-256'],
] as const;

const MISTAKES: readonly MistakeRow<BytesMac>[] = [
  ...OTHER_HASHES.map(
    ([name, algorithm]): MistakeRow<BytesMac> => [
      instead(`it was signed with HMAC-${name}`),
      (key, message) => hmac(algorithm, key, message),
    ],
  ),
  [
    instead('SHA-256 of key and string to hash was used'),
    (key, message) => sha256(concatBytes(key, message)),
  ],
  [
    instead('SHA-256 of string to hash and key was used'),
    (key, message) => sha256(concatBytes(message, key)),
  ],
  [instead('SHA-256 without a key was used'), (_, message) => sha256(message)],
  [
    "key and string to hash were used in each other's place",
    (key, message) => hmac('sha256', message, key),
  ],
  [
    'the string to hash was hashed before it was signed',
    (key, message) => hmac('sha256', key, sha256(message)),
    (key, message) => hmac('sha256', key, bytesFromLatin1(sha256Hex(message))),
  ],
];

/** The ways to sign with a shared key; the first is the right one. */
export const MACS: readonly Variant<Mac>[] = [
  {value: (key, message) => preparedKey(key).sign(message)},
  ...variantsOf(MISTAKES).map(({mistake = '', value}) => ({
    mistake,
    value: (key: Uint8Array, message: string) => value(key, bytesFromLatin1(message)),
  })),
];

function instead(what: string): string {
  return `${what} instead of HMAC-SHA256`;
}

const preparedKeys = new WeakMap<Uint8Array, HmacKey>();

/** A search tries the same keys with many messages. */
function preparedKey(bytes: Uint8Array): HmacKey {
  const key = preparedKeys.get(bytes) ?? new HmacKey(bytes);
  preparedKeys.set(bytes, key);
  return key;
}
