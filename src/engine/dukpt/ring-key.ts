import {PaylensError} from '../../contract/paylens-error.js';
import type {Secret} from '../../contract/secret.js';
import type {Algorithm} from '../cipher/block-cipher.js';
import {clearCounter, type Ksn} from './ksn.js';

/** A base derivation key (BDK) or a device's initial key (IK), and the KSNs that it serves. */
export interface RingKey {
  readonly name?: string;
  readonly kind: 'bdk' | 'ik';
  /** Absent: a key of 16 bytes has the algorithm of the KSN, a longer one is AES. */
  readonly algorithm?: Algorithm;
  readonly secret: Secret;
  /**
   * Hex of any case. For a BDK 2 to 16 digits, absent for every KSN; for an IK 14 to 16, or its
   * complete initial KSN, empty for every KSN.
   */
  readonly ksnPrefix?: string;
  /** An AES key that also serves KSNs of 10 bytes (X9.24-3:2017, KSN compatibility mode). */
  readonly compatibility?: boolean;
}

/** Throws 9015 unless length, algorithm and prefix of `key` are consistent. */
export function checkRingKey(key: RingKey): void {
  checkLength(key);
  checkPrefix(key);
  if (key.compatibility && key.algorithm === 'tdes') {
    throw unusable(key, 'compatibility: expected an AES key, found a TDES key');
  }
}

/**
 * The beginning of the initial KSNs that a key serves, by scheme; absent for a scheme that it does
 * not serve.
 */
export type ServedPrefixes = Readonly<Partial<Record<Algorithm, string>>>;

/** The prefixes that `key` serves, in upper case with the counter bits cleared. */
export function servedPrefixes(key: RingKey): ServedPrefixes {
  const prefix = key.ksnPrefix?.toUpperCase() ?? '';
  const algorithm = key.algorithm ?? (key.secret.length === 16 ? undefined : 'aes');
  const served: Partial<Record<Algorithm, string>> = {};
  if (algorithm !== 'tdes' && prefix.length !== 20) served.aes = clearCounter(prefix, 'aes');
  if (prefix.length === 24) return served;
  if (algorithm !== 'aes' || key.compatibility) served.tdes = clearCounter(prefix, 'tdes');
  return served;
}

/** The scheme under which `key` serves `ksn`. */
export function schemeFor(key: RingKey, ksn: Ksn): Algorithm {
  return ksn.scheme === 'aes' || key.compatibility ? 'aes' : 'tdes';
}

function checkLength(key: RingKey): void {
  const lengths = key.algorithm === 'tdes' ? [16] : [16, 24, 32];
  if (lengths.includes(key.secret.length)) return;
  throw unusable(key, `expected ${lengths.join(' or ')} bytes, found ${key.secret.length}`);
}

function checkPrefix(key: RingKey): void {
  const prefix = key.ksnPrefix;
  const lengths = key.kind === 'bdk' ? '2 to 16' : '14 to 16, 20 or 24';
  // An IK is of one device: that it is tried with all must be said.
  if (prefix === (key.kind === 'bdk' ? undefined : '')) return;
  if (prefix === undefined) throw unusable(key, `an IK requires a KSN prefix of ${lengths} digits`);
  if (!/^[0-9a-f]*$/i.test(prefix)) throw unusable(key, 'KSN prefix: expected hex digits');
  const form = key.kind === 'bdk' ? /^.{2,16}$/ : /^(?:.{14,16}|.{20}|.{24})$/;
  if (form.test(prefix)) return;
  throw unusable(key, `KSN prefix: expected ${lengths} hex digits, found ${prefix.length}`);
}

function unusable({name, kind}: RingKey, detail: string): PaylensError {
  return new PaylensError(9015, `${name ?? kind.toUpperCase()}: ${detail}`);
}
