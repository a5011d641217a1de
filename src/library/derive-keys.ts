import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {deriveInitialKey, deriveTransactionKeys, wipeDerived} from '../engine/dukpt/derive-keys.js';
import type {KeyRing} from '../engine/dukpt/key-ring.js';
import {AES_KEY_TYPES, type AesKeyType} from '../engine/dukpt/key-usage.js';
import {type Ksn, keySetId, parseKsn as parse} from '../engine/dukpt/ksn.js';
import {schemeFor} from '../engine/dukpt/ring-key.js';
import {membersOf, oneOf, textOf, wrong} from './arguments.js';
import {type BaseKey, KEY_OPTIONS, type KeyOptions, withKeys} from './keys.js';
import {safely} from './safe-errors.js';

/** A key serial number and its parts. */
export interface ParsedKsn {
  /** Upper-case hex, 20 digits (TDES) or 24 (AES). */
  readonly ksn: string;
  readonly scheme: 'tdes' | 'aes';
  /** Upper-case hex: the first ten digits. */
  readonly keySet: string;
  /** Upper-case hex: the KSN with its counter bits cleared. */
  readonly initialKsn: string;
  /** The low 21 bits (TDES) or 32 bits (AES). */
  readonly counter: number;
}

/**
 * Parses a KSN in hex of any case, spaces ignored: 20 digits are TDES DUKPT (ANSI X9.24-1:2009), 24
 * AES DUKPT (X9.24-3:2017); 16 or 18 are completed on the left by the FF bytes that many terminals
 * omit. A counter of 0 is that of an initial KSN. Throws PaylensError 2005 and 2400.
 */
export function parseKsn(ksn: string): ParsedKsn {
  return safely(() => {
    return parsed(ksnOf(ksn));
  }, redactCardNumbers);
}

/** Settings of `deriveKeys`. */
export interface DeriveOptions extends Pick<KeyOptions, 'testKeys'> {
  /** The KSN chooses among them: the one with the longest matching prefix serves it. */
  readonly keys?: BaseKey | readonly BaseKey[] | undefined;
  /** AES DUKPT: type of the working keys; absent: AES with the length of the base key. */
  readonly keyType?: AesKeyType | undefined;
}

/** A derived key. */
export interface KeyOfKsn {
  /** `IK`, `transaction key`, `data request, self-encrypted`. */
  readonly name: string;
  /** Hex. TDES: the variant mask (8 bytes); AES: the key usage indicator (2 bytes). */
  readonly usage?: string;
  readonly algorithm: 'tdes' | 'aes' | 'hmac';
  /** A copy in separate memory. */
  readonly key: Uint8Array;
  /** Check value in hex: 3 bytes for TDES and HMAC, 5 for AES. */
  readonly kcv: string;
}

/** A KSN and the keys that a terminal has for it. */
export interface DeriveResult extends ParsedKsn {
  /** The initial key, the transaction key, the working keys; of counter 0 the initial key alone. */
  readonly keys: readonly KeyOfKsn[];
}

const DERIVE_OPTIONS = ['keyType', ...KEY_OPTIONS];
const TYPES = Object.keys(AES_KEY_TYPES) as AesKeyType[];

/**
 * Derives the keys of a KSN. Throws PaylensError: 2005 for a wrong argument, 9015 for an unusable
 * key, 2400 for the KSN, 2600 without a key for it.
 */
export function deriveKeys(ksn: string, options: DeriveOptions): DeriveResult {
  return safely(() => {
    const found = ksnOf(ksn);
    const members = membersOf(options, 'options', DERIVE_OPTIONS);
    const type = oneOf(members.keyType, 'keyType', TYPES);
    return withKeys(members, (ring) => derivedBy(ring, found, type), ['bdk', 'ik']);
  }, redactCardNumbers);
}

function derivedBy(ring: KeyRing, found: Ksn, type: AesKeyType | undefined): DeriveResult {
  const key = ring.find(found);
  const isAes = key ? schemeFor(key, found) === 'aes' : found.scheme === 'aes';
  const initial = deriveInitialKey(ring, found, isAes);
  const others = found.counter === 0 ? [] : deriveTransactionKeys(ring, parse(found.hex), type);
  // Keys whose bytes nothing else uses.
  const keys = [initial, ...others].map((derived) => ({
    ...derived,
    key: new Uint8Array(derived.key),
  }));
  wipeDerived([initial, ...others]);
  return {...parsed(found), keys};
}

function ksnOf(value: unknown): Ksn {
  const text = textOf(value, 'ksn');
  if (text === undefined) throw wrong('ksn', 'a string', value);
  return parse(text, {anyCounter: true});
}

function parsed(ksn: Ksn): ParsedKsn {
  const {hex, scheme, initial, counter} = ksn;
  return {ksn: hex, scheme, keySet: keySetId(ksn), initialKsn: initial, counter};
}
