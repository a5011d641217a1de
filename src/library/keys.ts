import {PaylensError} from '../contract/paylens-error.js';
import {Secret} from '../contract/secret.js';
import {KeyRing, testKeys} from '../engine/dukpt/key-ring.js';
import {checkRingKey, type RingKey} from '../engine/dukpt/ring-key.js';
import {bytesFromHex, isSameBytes} from '../platform/bytes.js';
import {
  bytesOf,
  flagOf,
  listOf,
  type Members,
  membersOf,
  oneOf,
  textOf,
  wrong,
} from './arguments.js';

/** Hex of any case, spaces allowed, or the bytes themselves, which are copied. */
export type KeyMaterial = string | Uint8Array;

interface KeyTerms {
  /** For messages and explanations. */
  readonly name?: string | undefined;
  /** Absent: a key of 16 bytes has the algorithm of the KSN, a longer one is AES. */
  readonly algorithm?: 'tdes' | 'aes' | undefined;
  /** An AES key that also serves KSNs of 10 bytes (ANSI X9.24-3:2017, KSN compatibility mode). */
  readonly compatibility?: boolean | undefined;
}

/** A base derivation key: 16 bytes for TDES, 16, 24 or 32 for AES (ANSI X9.24-1 and X9.24-3). */
export interface Bdk extends KeyTerms {
  readonly bdk: KeyMaterial;
  /** Hex of any case, 2 to 16 digits; absent: every KSN. */
  readonly ksnPrefix?: string | undefined;
}

/** The initial key (IPEK) of one device, of the same lengths. */
export interface InitialKey extends KeyTerms {
  readonly ik: KeyMaterial;
  /** Hex of any case: 14 to 16 digits or the initial KSN (20 or 24); absent: every KSN. */
  readonly ksnPrefix?: string | undefined;
}

/** A key as a value: nothing is read from files or the environment. */
export type Key = Bdk | InitialKey;

/** Where the keys of an operation come from. */
export interface KeyOptions {
  /** The KSN chooses among them: the one with the longest matching prefix serves it. */
  readonly keys?: Key | readonly Key[] | undefined;
  /** Also use the published test keys of ANSI X9.24-1 and X9.24-3. */
  readonly testKeys?: boolean | undefined;
}

/** The names of those options. */
export const KEY_OPTIONS = ['keys', 'testKeys'] as const;

/** Calls `use` with the ring of the keys given, and wipes it afterwards. Throws 2005 and 9015. */
export function withKeys<T>(options: Members, use: (ring: KeyRing) => T): T {
  const ring = ringOf(options);
  try {
    return use(ring);
  } finally {
    ring.wipe();
  }
}

/** The ring of the keys given; the caller wipes it. Throws 2005 and 9015. */
export function ringOf({keys, testKeys: test}: Members): KeyRing {
  const given = listOf(keys).map((key, i) =>
    ringKeyOf(key, Array.isArray(keys) ? `keys[${i}]` : 'keys'),
  );
  return new KeyRing([...given, ...(flagOf(test, 'testKeys') ? testKeys() : [])]);
}

const KEY_MEMBERS = ['bdk', 'ik', 'ksnPrefix', 'name', 'algorithm', 'compatibility'];

function ringKeyOf(value: unknown, where: string): RingKey {
  if (value === undefined) throw wrong(where, 'a key', value);
  const {bdk, ik, ksnPrefix, name, algorithm, compatibility} = membersOf(value, where, KEY_MEMBERS);
  if ((bdk === undefined) === (ik === undefined))
    throw new PaylensError(2005, `${where}: expected one of bdk and ik`);
  const kind = bdk === undefined ? 'ik' : 'bdk';
  const prefix = textOf(ksnPrefix, `${where}.ksnPrefix`)?.replaceAll(/\s/g, '');
  const key: RingKey = {
    name: textOf(name, `${where}.name`) ?? where,
    kind,
    secret: secretOf(bdk ?? ik, `${where}.${kind}`),
    ...definedPrefix(kind, prefix),
    ...definedAlgorithm(oneOf(algorithm, `${where}.algorithm`, ['tdes', 'aes'])),
    ...(flagOf(compatibility, `${where}.compatibility`) ? {compatibility: true} : {}),
  };
  checkRingKey(key);
  demandTwoKeys(key, where);
  return key;
}

function definedPrefix(kind: 'bdk' | 'ik', prefix: string | undefined): {ksnPrefix?: string} {
  if (prefix !== undefined) return {ksnPrefix: prefix};
  return kind === 'ik' ? {ksnPrefix: ''} : {};
}

function definedAlgorithm(algorithm: 'tdes' | 'aes' | undefined): Pick<RingKey, 'algorithm'> {
  return algorithm === undefined ? {} : {algorithm};
}

/** Key bytes in a `Secret`. Throws 2005 for another type, 9015 for what is no hex. */
export function secretOf(value: unknown, where: string): Secret {
  const bytes = typeof value === 'string' ? undefined : bytesOf(value, where);
  if (typeof value !== 'string' && !bytes) throw wrong(where, 'hex or a Uint8Array', value);
  const key = bytes ?? keyFromHex(String(value), where);
  const secret = new Secret(key);
  key.fill(0);
  return secret;
}

/** Longer than any key: what is longer is not even parsed. */
const LONGEST_HEX = 256;

function keyFromHex(text: string, where: string): Uint8Array {
  const digits = text.length <= LONGEST_HEX ? text.replaceAll(/\s/g, '') : text;
  const bytes = digits.length <= LONGEST_HEX ? bytesFromHex(digits) : undefined;
  if (bytes) return bytes;
  throw new PaylensError(9015, `${where}: expected whole bytes of hex`);
}

/** TDES with equal halves is single DES: no terminal has such a key. */
function demandTwoKeys({secret, algorithm, compatibility}: RingKey, where: string): void {
  if (secret.length !== 16 || algorithm === 'aes' || compatibility) return;
  const bytes = secret.reveal();
  if (!isSameBytes(bytes.subarray(0, 8), bytes.subarray(8))) return;
  throw new PaylensError(9015, `${where}: its halves are equal, which makes TDES single DES`);
}
