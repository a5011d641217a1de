import {upperHexOf} from '../../platform/bytes.js';
import {hmacSha256} from '../../platform/hash.js';
import {aesKcv, tdesKcv} from './kcv.js';
import type {KeyRing, TransactionKey} from './key-ring.js';
import {
  AES_KEY_TYPES,
  AES_KEY_USAGES,
  type AesKeyType,
  type AesKeyUsage,
  VARIANT_MASKS,
  type Variant,
} from './key-usage.js';
import type {Ksn} from './ksn.js';

type KeyAlgorithm = 'tdes' | 'aes' | 'hmac';

/** A derived key; `key` is valid until the caller wipes it. */
export interface DerivedKey {
  /** Name for people: `IK`, `transaction key`, `data request, self-encrypted`. */
  readonly name: string;
  /** TDES: the variant mask. AES: the key usage indicator. Hex. */
  readonly usage?: string;
  readonly algorithm: KeyAlgorithm;
  readonly key: Uint8Array;
  readonly kcv: string;
}

/** Working keys made from a transaction key, in the order of the standards. */
const VARIANTS: readonly {name: string; variant: Variant; selfEncrypted?: boolean}[] = [
  {name: 'PIN', variant: 'pin'},
  {name: 'MAC request', variant: 'mac'},
  {name: 'MAC response', variant: 'mac-response'},
  {name: 'data request', variant: 'data'},
  {name: 'data request, self-encrypted', variant: 'data', selfEncrypted: true},
  {name: 'data response', variant: 'data-response'},
  {name: 'data response, self-encrypted', variant: 'data-response', selfEncrypted: true},
];

const USAGES: readonly {name: string; usage: AesKeyUsage}[] = [
  {name: 'key encryption', usage: 'kek'},
  {name: 'PIN', usage: 'pin'},
  {name: 'MAC generation', usage: 'mac-generation'},
  {name: 'MAC verification', usage: 'mac-verification'},
  {name: 'MAC, both ways', usage: 'mac'},
  {name: 'data encryption', usage: 'data-encryption'},
  {name: 'data decryption', usage: 'data-decryption'},
  {name: 'data, both ways', usage: 'data'},
];

/**
 * The initial key of the device of `ksn`; the caller wipes it. Throws 2600 if there is no key for
 * it.
 */
export function deriveInitialKey(ring: KeyRing, ksn: Ksn, isAes: boolean): DerivedKey {
  return derived('IK', isAes ? 'aes' : 'tdes', ring.initialKey(ksn));
}

/**
 * The transaction key of `ksn` and its working keys for every usage: of TDES DUKPT (X9.24-1:2009,
 * A.4.1) with and without self-encryption, of AES DUKPT (X9.24-3:2017, 6.3.2) of `type`, by default
 * AES with the length of the base key. The caller wipes them. Throws 2600, and 9015 if `type` is
 * stronger than the base key.
 */
export function deriveTransactionKeys(ring: KeyRing, ksn: Ksn, type?: AesKeyType): DerivedKey[] {
  const transaction = ring.transaction(ksn);
  try {
    return transaction.scheme === 'aes' ? aesKeys(transaction, type) : tdesKeys(transaction);
  } finally {
    transaction.wipe();
  }
}

/** Zeroes the bytes of derived keys. */
export function wipeDerived(keys: readonly DerivedKey[]): void {
  for (const {key} of keys) key.fill(0);
}

/** A key with its KCV: three bytes for TDES and HMAC, five for AES. */
export function derived(
  name: string,
  algorithm: KeyAlgorithm,
  key: Uint8Array,
  usage?: string,
): DerivedKey {
  return {name, ...(usage === undefined ? {} : {usage}), algorithm, key, kcv: KCVS[algorithm](key)};
}

const KCVS: Readonly<Record<KeyAlgorithm, (key: Uint8Array) => string>> = {
  tdes: tdesKcv,
  aes: (key) => aesKcv(key),
  // HSMs show the first bytes of the HMAC of an empty message.
  hmac: (key) => upperHexOf(hmacSha256(key, new Uint8Array()).subarray(0, 3)),
};

function tdesKeys(transaction: TransactionKey): DerivedKey[] {
  return [
    derived('transaction key', 'tdes', transaction.reveal()),
    ...VARIANTS.map(({name, variant, selfEncrypted = false}) =>
      derived(name, 'tdes', transaction.workingKey(variant, selfEncrypted), VARIANT_MASKS[variant]),
    ),
  ];
}

function aesKeys(transaction: TransactionKey, given?: AesKeyType): DerivedKey[] {
  const key = transaction.reveal();
  const type = given ?? (`aes${8 * key.length}` as AesKeyType);
  return [
    derived('transaction key', 'aes', key),
    ...USAGES.map(({name, usage}) =>
      derived(name, algorithmOf(type), transaction.aesWorkingKey(usage, type), codeOf(usage)),
    ),
  ];
}

function algorithmOf(type: AesKeyType): KeyAlgorithm {
  const {algorithm} = AES_KEY_TYPES[type];
  if (algorithm < 2) return 'tdes';
  return algorithm === 5 ? 'hmac' : 'aes';
}

function codeOf(usage: AesKeyUsage): string {
  return AES_KEY_USAGES[usage].toString(16).toUpperCase().padStart(4, '0');
}
