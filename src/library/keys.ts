import {PaylensError} from '../contract/paylens-error.js';
import {Secret} from '../contract/secret.js';
import {KeyRing, testKeys} from '../engine/dukpt/key-ring.js';
import {
  checkRingKey,
  RING_KEY_KINDS,
  type RingKey,
  type RingKeyKind,
} from '../engine/dukpt/ring-key.js';
import {bytesFromHex, isSameBytes} from '../platform/bytes.js';
import {
  bytesOf,
  flagOf,
  isArray,
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

/**
 * The cipher key itself, from which nothing is derived (`docs/keys.md`): 8 bytes for DES, where a
 * format has it, 16 or 24 for TDES, 16, 24 or 32 for AES; without `algorithm` that of the format.
 */
export interface WorkingKey extends Pick<KeyTerms, 'name' | 'algorithm'> {
  readonly working: KeyMaterial;
  /** Hex of any case: 2 to 16 digits or a whole KSN; absent: every KSN, and data without one. */
  readonly ksnPrefix?: string | undefined;
}

/** A key from which DUKPT derives others. */
export type BaseKey = Bdk | InitialKey;

/** A key as a value: nothing is read from files or the environment. */
export type Key = BaseKey | WorkingKey;

/** Where the keys of an operation come from. */
export interface KeyOptions {
  /** The KSN chooses among them: the one with the longest matching prefix serves it. */
  readonly keys?: Key | readonly Key[] | undefined;
  /** Also use the published test keys of ANSI X9.24-1 and X9.24-3. */
  readonly testKeys?: boolean | undefined;
}

/** The names of those options. */
export const KEY_OPTIONS = ['keys', 'testKeys'] as const;

/**
 * Calls `use` with the ring of the keys given, of `kinds`, and wipes it afterwards. Throws 2005 and
 * 9015.
 */
export function withKeys<T>(options: Members, use: (ring: KeyRing) => T, kinds?: Kinds): T {
  const ring = ringOf(options, kinds);
  try {
    return use(ring);
  } finally {
    ring.wipe();
  }
}

type Kinds = readonly RingKeyKind[];

/** The ring of the keys given, of `kinds`; the caller wipes it. Throws 2005 and 9015. */
export function ringOf({keys, testKeys: test}: Members, kinds?: Kinds): KeyRing {
  const all = [...ringKeysOf(keys, kinds), ...(flagOf(test, 'testKeys') ? testKeys() : [])];
  return new KeyRing(all, {cache: false});
}

/** The keys given, of `kinds`; the caller wipes them. Throws 2005 and 9015. */
export function ringKeysOf(keys: unknown, kinds: Kinds = RING_KEY_KINDS): RingKey[] {
  return listOf(keys, 'keys').map((key, i) =>
    ringKeyOf(key, isArray(keys) ? `keys[${i}]` : 'keys', kinds),
  );
}

const KEY_TERMS = ['ksnPrefix', 'name', 'algorithm', 'compatibility'];

function ringKeyOf(value: unknown, where: string, kinds: Kinds): RingKey {
  if (value === undefined) throw wrong(where, 'a key', value);
  const members = membersOf(value, where, [...kinds, ...KEY_TERMS]);
  const {ksnPrefix, name, algorithm, compatibility} = members;
  const [kind, ...others] = kinds.filter((one) => members[one] !== undefined);
  if (kind === undefined || others.length > 0)
    throw new PaylensError(2005, `${where}: expected one of ${kinds.join(', ')}`);
  const prefix = textOf(ksnPrefix, `${where}.ksnPrefix`)?.replaceAll(/\s/g, '');
  // Without a prototype: members added to Object.prototype are not attributes of the key.
  const key: RingKey = Object.assign(Object.create(null), {
    name: textOf(name, `${where}.name`) ?? where,
    kind,
    secret: secretOf(members[kind], `${where}.${kind}`),
    ...definedPrefix(kind, prefix),
    ...definedAlgorithm(oneOf(algorithm, `${where}.algorithm`, ['tdes', 'aes'])),
    ...(flagOf(compatibility, `${where}.compatibility`) ? {compatibility: true} : {}),
  } satisfies RingKey);
  checkRingKey(key);
  if (isTdes(key)) assertTwoKeys(key.secret, where);
  return key;
}

function definedPrefix(kind: RingKeyKind, prefix: string | undefined): {ksnPrefix?: string} {
  if (prefix !== undefined) return {ksnPrefix: prefix};
  return kind === 'ik' ? {ksnPrefix: ''} : {};
}

function definedAlgorithm(algorithm: 'tdes' | 'aes' | undefined): Pick<RingKey, 'algorithm'> {
  return algorithm === undefined ? {} : {algorithm};
}

/** Key bytes in a `Secret`. Throws 2005 for another type, 9015 for text that is not hex. */
export function secretOf(value: unknown, where: string): Secret {
  const bytes =
    typeof value === 'string'
      ? undefined
      : bytesOf(value, where, {max: MAX_KEY_CHARS / 2, code: 9015});
  if (typeof value !== 'string' && !bytes) throw wrong(where, 'hex or a Uint8Array', value);
  const key = bytes ?? keyFromHex(String(value), where);
  const secret = new Secret(key);
  key.fill(0);
  return secret;
}

/** Longer than any key: longer text is rejected unparsed. */
const MAX_KEY_CHARS = 256;

function keyFromHex(text: string, where: string): Uint8Array {
  const digits = text.length <= MAX_KEY_CHARS ? text.replaceAll(/\s/g, '') : text;
  const bytes = digits.length <= MAX_KEY_CHARS ? bytesFromHex(digits) : undefined;
  if (bytes) return bytes;
  throw new PaylensError(9015, `${where}: expected whole bytes of hex`);
}

function isTdes({secret, algorithm, compatibility}: RingKey): boolean {
  const usual = secret.length === 16 && !compatibility ? 'tdes' : 'aes';
  return (algorithm ?? usual) === 'tdes';
}

/** Throws 9015 for a TDES key with two equal keys in a row: that is single DES. */
export function assertTwoKeys(secret: Secret, where: string): void {
  const bytes = secret.reveal();
  for (let at = 8; at < bytes.length; at += 8) {
    if (!isSameBytes(bytes.subarray(at - 8, at), bytes.subarray(at, at + 8))) continue;
    throw new PaylensError(9015, `${where}: its halves are equal, which makes TDES single DES`);
  }
}
