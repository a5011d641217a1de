import {foundHex} from '../../contract/found-hex.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {clearCounter, schemeOf} from '../../engine/dukpt/ksn.js';
import {RING_KEY_KINDS} from '../../engine/dukpt/ring-key.js';
import {upperHexOf} from '../../platform/bytes.js';

export const KEY_KINDS = [...RING_KEY_KINDS, 'kbpk'] as const;
export const KEY_ALGORITHMS = ['tdes', 'aes'] as const;

/** Base derivation key, initial key of one device, cipher key itself, key block protection key. */
export type KeyKind = (typeof KEY_KINDS)[number];
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

/** A key in JSON: in the keyfile, in `key import`, in `keys` of the samples. */
export interface KeyForm {
  readonly name?: string | undefined;
  readonly kind: KeyKind;
  readonly algorithm?: KeyAlgorithm | undefined;
  readonly hex: string;
  readonly ksnPrefix?: string | undefined;
  readonly compatibility?: boolean | undefined;
}

/** The attributes of a key in JSON. */
export type KeyAttributes = Omit<KeyForm, 'hex'>;

/** A key of the keyfile, checked. Without `algorithm` its 16 bytes follow the KSN they meet. */
export interface KeyEntry {
  readonly name?: string;
  readonly kind: KeyKind;
  readonly algorithm?: KeyAlgorithm;
  readonly secret: Secret;
  /**
   * Upper-case hex: 2 to 16 digits, or a KSN of 20 or 24; that of an ik is an initial KSN, its
   * counter bits cleared.
   */
  readonly ksnPrefix?: string;
  /** An AES key that also serves KSNs of 10 bytes (X9.24-3:2017, KSN compatibility mode). */
  readonly compatibility?: boolean;
}

const BYTES: Record<KeyKind, Record<KeyAlgorithm, readonly number[]>> = {
  bdk: {tdes: [16], aes: [16, 24, 32]},
  ik: {tdes: [16], aes: [16, 24, 32]},
  working: {tdes: [8, 16, 24], aes: [16, 24, 32]},
  kbpk: {tdes: [16, 24], aes: [16, 24, 32]},
};

/** A kind in a sentence. */
export function kindText(kind: KeyKind): string {
  return kind === 'working' ? 'working key' : kind;
}

/**
 * Checks a key and puts it into a `Secret`. `where` names the key in messages (`key 2`).
 * Throws 9015 for hex, length, prefix or a combination that no terminal uses.
 */
export function keyEntryFrom({hex, ...form}: KeyForm, where: string): KeyEntry {
  return keyEntryOf(form, secretFrom(hex, where), where);
}

/** Builds a key entry from its attributes and its decoded bytes. */
export function keyEntryOf(form: KeyAttributes, secret: Secret, where: string): KeyEntry {
  assertKeyName(form.name, where);
  const ksnPrefix = normaliseKsnPrefix(form.kind, form.ksnPrefix, where);
  const algorithm = form.algorithm ?? impliedAlgorithm(form, secret.length, ksnPrefix);
  assertKeyLength(form.kind, algorithm, secret.length, where);
  assertCompatibility(form, algorithm, where);
  assertInitialKsn(form, algorithm, ksnPrefix, where);
  return {
    ...(form.name === undefined ? {} : {name: form.name}),
    kind: form.kind,
    ...(algorithm === undefined ? {} : {algorithm}),
    secret,
    ...(ksnPrefix === undefined ? {} : {ksnPrefix}),
    ...(form.compatibility === undefined ? {} : {compatibility: form.compatibility}),
  };
}

/** The JSON form of a key: its `hex` is the clear key, in upper case. */
export function keyFormOf({secret, ...rest}: KeyEntry): KeyForm {
  return {...rest, hex: upperHexOf(secret.reveal())};
}

/** The algorithms that a key may serve: the one that it names, else all that its length allows. */
export function algorithmsOf(key: KeyEntry): readonly KeyAlgorithm[] {
  if (key.algorithm !== undefined) return [key.algorithm];
  return KEY_ALGORITHMS.filter((algorithm) =>
    BYTES[key.kind][algorithm].includes(key.secret.length),
  );
}

// Control characters in a name would reach the terminals of those who list it.
function assertKeyName(name: string | undefined, where: string): void {
  if (name === undefined || /^[^\p{C}]{1,100}$/u.test(name)) return;
  throw unusable(where, 'name: expected 1 to 100 printable characters');
}

function secretFrom(hex: string, where: string): Secret {
  const digits = hex.replace(/\s/g, '');
  const secret = Secret.fromHex(digits);
  if (secret) return secret;
  const bad = digits.search(/[^0-9a-f]/i);
  if (bad >= 0)
    throw unusable(where, `hex: expected hex digits, found a non-hex character at ${bad}`);
  throw unusable(where, `hex: expected whole bytes, found ${digits.length} hex digits`);
}

/**
 * Checks the KSN prefix that a key is registered for and gives it in upper case, an initial KSN (20
 * digits TDES, 24 AES) with its counter bits cleared. Spaces are dropped.
 *
 * A bdk takes 2 to 16 hex digits or none (it then serves every KSN); an ik takes 14 to 16 digits or
 * its initial KSN; a working key 2 to 16, a whole KSN or none; a kbpk takes none. Throws 9015.
 */
export function normaliseKsnPrefix(
  kind: KeyKind,
  prefix: string | undefined,
  where: string,
): string | undefined {
  const digits = prefix?.replace(/\s/g, '').toUpperCase();
  const {form, expected} = KSN_PREFIXES[kind];
  const fits = digits === undefined ? kind !== 'ik' : form.test(digits);
  if (!fits) {
    const found = digits === undefined ? 'none' : foundHex(digits);
    throw unusable(where, `ksnPrefix: expected ${expected}, found ${found}`);
  }
  // A working key is of one transaction.
  if (digits === undefined || digits.length < 20 || kind === 'working') return digits;
  return clearCounter(digits, schemeOf(digits));
}

/** The KSN prefix of each kind, and how messages describe it. */
const KSN_PREFIXES: Readonly<Record<KeyKind, {form: RegExp; expected: string}>> = {
  bdk: {form: /^[0-9A-F]{2,16}$/, expected: '2 to 16 hex digits for a BDK'},
  ik: {
    form: /^(?:[0-9A-F]{14,16}|[0-9A-F]{20}|[0-9A-F]{24})$/,
    expected: '14 to 16 hex digits or the initial KSN (20 or 24) for an IK',
  },
  working: {
    form: /^(?:[0-9A-F]{2,16}|[0-9A-F]{20}|[0-9A-F]{24})$/,
    expected: '2 to 16 hex digits or a whole KSN (20 or 24) for a working key',
  },
  kbpk: {form: /(?!)/, expected: 'none for a KBPK'},
};

function impliedAlgorithm(
  {kind, compatibility}: KeyAttributes,
  length: number,
  ksnPrefix: string | undefined,
): KeyAlgorithm | undefined {
  if (compatibility) return 'aes';
  const prefixLength = kind === 'working' ? 0 : ksnPrefix?.length;
  if (prefixLength === 20 || prefixLength === 24) return prefixLength === 20 ? 'tdes' : 'aes';
  const [algorithm, ...others] = KEY_ALGORITHMS.filter((one) => BYTES[kind][one].includes(length));
  return others.length === 0 ? algorithm : undefined;
}

function assertKeyLength(
  kind: KeyKind,
  algorithm: KeyAlgorithm | undefined,
  length: number,
  where: string,
): void {
  const {tdes, aes} = BYTES[kind];
  const allowed = algorithm ? BYTES[kind][algorithm] : [...new Set([...tdes, ...aes])];
  if (allowed.includes(length)) return;
  const expected = allowed.join(', ').replace(/, (\d+)$/, ' or $1');
  const owner = algorithm === undefined ? kindText(kind) : `${algorithm} ${kindText(kind)}`;
  throw unusable(where, `hex: expected ${expected} bytes for a ${owner}, found ${length}`);
}

function assertCompatibility(
  {kind, compatibility}: KeyAttributes,
  algorithm: KeyAlgorithm | undefined,
  where: string,
): void {
  if (!compatibility || ((kind === 'bdk' || kind === 'ik') && algorithm === 'aes')) return;
  const found = kind === 'kbpk' || kind === 'working' ? kindText(kind) : `${algorithm} key`;
  throw unusable(where, `compatibility: expected an AES BDK or IK, found a ${found}`);
}

function assertInitialKsn(
  {kind, compatibility}: KeyAttributes,
  algorithm: KeyAlgorithm | undefined,
  ksnPrefix: string | undefined,
  where: string,
): void {
  if (kind === 'working') return;
  const length = ksnPrefix?.length ?? 0;
  const expected = algorithm === 'aes' ? 24 : 20;
  if (length <= 16 || length === expected || compatibility) return;
  throw unusable(
    where,
    `ksnPrefix: expected an initial KSN of ${expected} digits for ${algorithm}, found ${length}`,
  );
}

function unusable(where: string, what: string): PaylensError {
  return new PaylensError(9015, `${where}: ${what}`);
}
