import {keyWordsOf, toBytes, toWords} from '../../engine/cipher/words.js';
import {deriveAesKey, keyForm, prepareAesKey} from '../../engine/dukpt/aes.js';
import {type AesRoot, AesTransactionKey} from '../../engine/dukpt/aes-transaction-key.js';
import {DeviceCache} from '../../engine/dukpt/device-cache.js';
import {
  AES_KEY_TYPES,
  type AesKeyType,
  type AesKeyUsage,
  type Variant,
} from '../../engine/dukpt/key-usage.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import {type TdesRoot, tdesInitialKey, variantKey} from '../../engine/dukpt/tdes.js';
import {TdesTransactionKey} from '../../engine/dukpt/tdes-transaction-key.js';
import {attempt} from '../../input/attempt.js';
import {type KeyCandidate, oddParity} from '../candidates/key-candidates.js';

/** How a working key was derived and used. */
export interface TrialSetting {
  readonly variant: Variant;
  readonly selfEncrypted: boolean;
  readonly algorithm: 'tdes' | 'aes';
  /** For AES DUKPT. */
  readonly usage?: AesKeyUsage;
  readonly type?: AesKeyType;
}

/** A key used directly, without derivation. */
export const DIRECT = {variant: 'none', selfEncrypted: false, algorithm: 'tdes'} as const;

/** Most frequent first, according to user threads; data with self-encryption is more than half. */
export const TDES_SETTINGS: readonly TrialSetting[] = (
  [
    ['data', true],
    ['data', false],
    ['pin', false],
    ['none', false],
    ['pin', true],
    ['mac', false],
    ['none', true],
    ['data-response', true],
    ['data-response', false],
    ['mac-response', false],
    ['mac', true],
    ['mac-response', true],
  ] as const
).map(([variant, selfEncrypted]) => ({variant, selfEncrypted, algorithm: 'tdes'}));

/** Those, and then AES-128 under each of these keys. */
export const ALL_SETTINGS: readonly TrialSetting[] = [
  ...TDES_SETTINGS,
  ...TDES_SETTINGS.map((setting) => ({...setting, algorithm: 'aes'}) as const),
];

/**
 * The settings that nearly all terminals use, and the response variants often used for data by
 * mistake.
 */
export const USUAL_SETTINGS: readonly TrialSetting[] = TDES_SETTINGS.filter(
  ({variant, selfEncrypted}, i) => i < 4 || (variant === 'data-response' && selfEncrypted),
);

/** The usages of AES DUKPT, data first. */
const AES_USAGES: readonly AesKeyUsage[] = [
  'data-encryption',
  'data',
  'data-decryption',
  'pin',
  'mac-generation',
  'mac-verification',
  'mac',
  'kek',
  'derivation',
  'initial-key',
];

/** Key types by BDK length, the same length first; a terminal may use a shorter one, or TDES. */
const AES_TYPES_BY_LENGTH: Readonly<Record<number, readonly AesKeyType[]>> = {
  16: ['aes128', '2tdea'],
  24: ['aes192', 'aes128', '2tdea', '3tdea'],
  32: ['aes256', 'aes128', 'aes192', '2tdea', '3tdea'],
};

/** What decides about the keys derived from a key. */
export type DerivationRoot = Pick<KeyCandidate, 'bytes' | 'role' | 'change' | 'adjustIk'>;

interface Derivation {
  readonly settings?: readonly TrialSetting[] | undefined;
  /** AES DUKPT also under a KSN of 10 bytes (X9.24-3:2017, KSN compatibility mode). */
  readonly isAes?: boolean | undefined;
}

/** A working key, and how it was derived. */
export type WorkingKey = readonly [setting: TrialSetting, key: Uint8Array];

/** Derives working keys; what the KSNs of one device share is derived once. */
export class WorkingKeys {
  readonly #registers = new DeviceCache<string>(256);

  /** Every working key of a key in its role; a transaction key needs no KSN. */
  *of(
    key: DerivationRoot,
    ksn: Ksn | undefined,
    {settings = TDES_SETTINGS, isAes = ksn?.scheme === 'aes'}: Derivation = {},
  ): Generator<WorkingKey> {
    if (key.role === 'working') yield* directKeys(key.bytes);
    else if (isAes) yield* ksn ? aesKeys(key, ksn) : [];
    else if (key.bytes.length === 16 && (ksn || key.role === 'transaction')) {
      const transaction = this.#transaction(key, ksn);
      for (const setting of settings)
        yield [setting, variantKey(transaction, setting.variant, setting.selfEncrypted)];
    }
  }

  #transaction(key: DerivationRoot, ksn: Ksn | undefined): number[] {
    if (key.role === 'transaction' || !ksn) return keyWordsOf(key.bytes);
    // A mistyped key is tried once: caching its registers would only evict others.
    const id = `${key.role}${key.adjustIk}${key.bytes.join()}${ksn.initial}`;
    const registers =
      key.change === 'key-mistyped' ? undefined : this.#registers.registers(id, 'tdes');
    return keyWordsOf(new TdesTransactionKey(tdesRoot(key, ksn), ksn, registers).reveal());
  }
}

function* directKeys(bytes: Uint8Array): Generator<WorkingKey> {
  const {length} = bytes;
  if (length === 16 || length === 24) yield [DIRECT, bytes];
  if (length === 16 || length === 24 || length === 32) yield [{...DIRECT, algorithm: 'aes'}, bytes];
}

function tdesRoot({bytes, role, adjustIk}: DerivationRoot, ksn: Ksn): TdesRoot {
  if (adjustIk) {
    const ik = tdesInitialKey({kind: 'bdk', words: toWords(bytes)}, ksn);
    return {kind: 'ik', words: toWords(oddParity(ik))};
  }
  return {kind: role === 'ik' ? 'ik' : 'bdk', words: toWords(bytes)};
}

function* aesKeys({bytes, role}: DerivationRoot, ksn: Ksn): Generator<WorkingKey> {
  const types = AES_TYPES_BY_LENGTH[bytes.length];
  const derive = types && aesDerivation(bytes, role, ksn);
  if (!derive) return;
  for (const usage of AES_USAGES) {
    for (const type of types) {
      const working = derive(usage, type);
      const algorithm = AES_KEY_TYPES[type].algorithm < 2 ? 'tdes' : 'aes';
      if (working) yield [{...DIRECT, algorithm, usage, type}, working];
    }
  }
}

type DeriveAes = (usage: AesKeyUsage, type: AesKeyType) => Uint8Array | undefined;

/** Undefined if the key cannot have this role under this KSN. */
function aesDerivation(
  bytes: Uint8Array,
  role: KeyCandidate['role'],
  ksn: Ksn,
): DeriveAes | undefined {
  if (role === 'transaction') {
    return ksn.scheme === 'tdes'
      ? undefined
      : (usage, type) => underAesTransaction(bytes, ksn, usage, type);
  }
  const transaction = attempt(() => new AesTransactionKey(aesRoot(bytes, role), ksn));
  return transaction && ((usage, type) => attempt(() => transaction.aesWorkingKey(usage, type)));
}

/** The schedule of a BDK, or the words of an initial key. */
export function aesRoot(bytes: Uint8Array, role: KeyCandidate['role']): AesRoot {
  return role === 'ik' ? toWords(bytes) : prepareAesKey(bytes);
}

function underAesTransaction(bytes: Uint8Array, ksn: Ksn, usage: AesKeyUsage, type: AesKeyType) {
  const key = new Int32Array(8);
  key.set(toWords(bytes));
  deriveAesKey(key, bytes.length / 4, keyForm(usage, type), ksn.right, ksn.counter | 0);
  return toBytes(key.subarray(0, AES_KEY_TYPES[type].bytes / 4));
}
