import {PaylensError} from '../../contract/paylens-error.js';
import type {Secret} from '../../contract/secret.js';
import type {Algorithm} from '../cipher/block-cipher.js';
import {clearCounter, type Ksn} from './ksn.js';

/** The kinds of key that decrypt. */
export const RING_KEY_KINDS = ['bdk', 'ik', 'working'] as const;

/**
 * A base derivation key (BDK), a device's initial key (IK), or a working key: the cipher key itself,
 * from which nothing is derived.
 */
export type RingKeyKind = (typeof RING_KEY_KINDS)[number];

/** A key, and the KSNs that it serves. */
export interface RingKey {
  readonly name?: string;
  readonly kind: RingKeyKind;
  /**
   * Absent: a key of 16 bytes has the algorithm of the KSN, a longer one is AES. A working key of 8
   * bytes is DES, one of 32 AES; one of another length has the algorithm of the format.
   */
  readonly algorithm?: Algorithm;
  readonly secret: Secret;
  /**
   * Hex of any case. For a BDK 2 to 16 digits, absent for every KSN; for an IK 14 to 16, or its
   * complete initial KSN, empty for every KSN. For a working key 2 to 16 or a complete KSN; absent or
   * empty it serves every KSN and data without one.
   */
  readonly ksnPrefix?: string;
  /** An AES key that also serves KSNs of 10 bytes (X9.24-3:2017, KSN compatibility mode). */
  readonly compatibility?: boolean;
}

/** Throws 9015 unless length, algorithm and prefix of `key` are consistent. */
export function checkRingKey(key: RingKey): void {
  assertKeyLength(key);
  checkPrefix(key);
  if (key.compatibility && key.algorithm === 'tdes') {
    throw unusable(key, 'compatibility: expected an AES key, found a TDES key');
  }
  if (key.compatibility && key.kind === 'working')
    throw unusable(key, 'compatibility: expected a BDK or an IK, found a working key');
}

/**
 * The beginning of the initial KSNs that a key serves, by scheme; absent for a scheme that it does
 * not serve.
 */
export type ServedPrefixes = Readonly<Partial<Record<Algorithm, string>>>;

/** The prefixes that `key` serves, in upper case with the counter bits cleared. */
export function servedPrefixes(key: RingKey): ServedPrefixes {
  const prefix = key.ksnPrefix?.toUpperCase() ?? '';
  if (key.kind === 'working') return {tdes: prefix, aes: prefix};
  const algorithm = key.algorithm ?? (key.secret.length === 16 ? undefined : 'aes');
  const served: Partial<Record<Algorithm, string>> = {};
  if (algorithm !== 'tdes' && prefix.length !== 20) served.aes = clearCounter(prefix, 'aes');
  if (prefix.length === 24) return served;
  if (algorithm !== 'aes' || key.compatibility) served.tdes = clearCounter(prefix, 'tdes');
  return served;
}

/** Whether DUKPT keys are derived from `key`. */
export function isBaseKey({kind}: RingKey): boolean {
  return kind !== 'working';
}

/** The cipher of `key`, a working key, for data of a format that uses `format`. */
export function workingAlgorithm({algorithm, secret}: RingKey, format: Algorithm): Algorithm {
  return algorithm ?? ({8: 'tdes', 32: 'aes'} as const)[secret.length] ?? format;
}

/** The DUKPT scheme under which `key`, a base or an initial key, serves `ksn`. */
export function schemeFor(key: RingKey, ksn: Ksn): Algorithm {
  return ksn.scheme === 'aes' || key.compatibility ? 'aes' : 'tdes';
}

const KEY_BYTES = {
  base: {tdes: [16], aes: [16, 24, 32], any: [16, 24, 32]},
  working: {tdes: [8, 16, 24], aes: [16, 24, 32], any: [8, 16, 24, 32]},
} as const satisfies Record<string, Record<Algorithm | 'any', readonly number[]>>;

function assertKeyLength(key: RingKey): void {
  const lengths = KEY_BYTES[key.kind === 'working' ? 'working' : 'base'][key.algorithm ?? 'any'];
  if (lengths.some((length) => length === key.secret.length)) return;
  throw unusable(key, `expected ${listText(lengths)} bytes, found ${key.secret.length}`);
}

function listText(lengths: readonly number[]): string {
  return lengths.join(', ').replace(/, (\d+)$/, ' or $1');
}

const PREFIXES: Readonly<Record<RingKeyKind, {form: RegExp; lengths: string}>> = {
  bdk: {form: /^.{2,16}$/, lengths: '2 to 16'},
  ik: {form: /^(?:.{14,16}|.{20}|.{24})$/, lengths: '14 to 16, 20 or 24'},
  working: {form: /^(?:.{2,16}|.{20}|.{24})$/, lengths: '2 to 16, 20 or 24'},
};

function checkPrefix(key: RingKey): void {
  const prefix = key.ksnPrefix;
  const {form, lengths} = PREFIXES[key.kind];
  if (prefix === '' ? key.kind !== 'bdk' : prefix === undefined && key.kind !== 'ik') return;
  // An IK is of one device: that it is tried with all must be said.
  if (prefix === undefined) throw unusable(key, `an IK requires a KSN prefix of ${lengths} digits`);
  if (!/^[0-9a-f]*$/i.test(prefix)) throw unusable(key, 'KSN prefix: expected hex digits');
  if (form.test(prefix)) return;
  throw unusable(key, `KSN prefix: expected ${lengths} hex digits, found ${prefix.length}`);
}

function unusable({name, kind}: RingKey, detail: string): PaylensError {
  return new PaylensError(9015, `${name ?? KIND_NAMES[kind]}: ${detail}`);
}

const KIND_NAMES: Readonly<Record<RingKeyKind, string>> = {
  bdk: 'BDK',
  ik: 'IK',
  working: 'working key',
};
