import {PaylensError} from '../../contract/paylens-error.js';
import {clear, toBytes} from '../cipher/words.js';
import {
  type AesIdentity,
  type AesSchedule,
  aesIdentity,
  deriveAesKey,
  deriveUnder,
  type KeyForm,
  keyForm,
  wipeAesWork,
} from './aes.js';
import type {DeviceRegisters} from './device-registers.js';
import {AES_KEY_TYPES, type AesKeyType, type AesKeyUsage} from './key-usage.js';
import type {Ksn} from './ksn.js';
import {highestBit} from './ksn-counter.js';
import type {TransactionKey} from './transaction-key.js';

/** Where a derivation begins: a prepared BDK, or the device's initial key (in words). */
export type AesRoot = AesSchedule | Int32Array;

/** The forms of a device's keys, by their length in words. */
const INITIAL_KEYS = formsOf('initial-key');
const DERIVATION_KEYS = formsOf('derivation');

/** The words of the longest key. */
const MAX_WORDS = 8;

/** The key being derived; zeroed before a call returns. */
const derivedAesKey = new Int32Array(MAX_WORDS);

/**
 * The transaction key of an AES DUKPT KSN, derived in the constructor (ANSI X9.24-3:2017, 6.3.4).
 */
export class AesTransactionKey implements TransactionKey {
  readonly scheme = 'aes';
  readonly #key: number[];
  readonly #words: number;
  readonly #right: number;
  readonly #counter: number;

  /** `registers`: the stored keys of the device, used and updated. */
  constructor(root: AesRoot, ksn: Ksn, registers?: DeviceRegisters) {
    this.#words = keyWords(root);
    const identity = aesIdentity(ksn);
    this.#right = identity.right;
    this.#counter = identity.counter;
    deriveAes(derivedAesKey, root, identity, registers);
    this.#key = [derivedAesKey[0]!, derivedAesKey[1]!, derivedAesKey[2]!, derivedAesKey[3]!];
    for (let w = 4; w < this.#words; w++) this.#key.push(derivedAesKey[w]!);
    clear(derivedAesKey);
  }

  aesWorkingKey(usage: AesKeyUsage, type: AesKeyType): Uint8Array {
    if (strength(type) > 4 * this.#words) {
      const detail = `a working key of type ${type} is stronger than its ${32 * this.#words}-bit BDK`;
      throw new PaylensError(9015, detail);
    }
    const form = keyForm(usage, type);
    for (let w = 0; w < this.#words; w++) derivedAesKey[w] = this.#key[w]!;
    deriveAesKey(derivedAesKey, this.#words, form, this.#right, this.#counter | 0);
    const key = toBytes(derivedAesKey, form.words);
    clear(derivedAesKey);
    return key;
  }

  workingKey(): never {
    throw new PaylensError(1, 'expected a TDES DUKPT key, found an AES one');
  }

  reveal(): Uint8Array {
    derivedAesKey.set(this.#key);
    const key = toBytes(derivedAesKey, this.#words);
    clear(derivedAesKey);
    return key;
  }

  wipe(): void {
    clear(this.#key);
    wipeAesWork();
  }
}

/** Writes the device's initial key to `into` (X9.24-3:2017, 6.3.1). */
export function writeAesInitialKey(
  into: Int32Array,
  root: AesRoot,
  {left, right}: Pick<AesIdentity, 'left' | 'right'>,
): void {
  if (root instanceof Int32Array) into.set(root);
  else deriveUnder(into, root.schedule, root.keyWords, INITIAL_KEYS[root.keyWords]!, left, right);
}

/** The length of the device's keys, in words. */
export function keyWords(root: AesRoot): number {
  return root instanceof Int32Array ? root.length : root.keyWords;
}

function deriveAes(
  key: Int32Array,
  root: AesRoot,
  identity: AesIdentity,
  registers?: DeviceRegisters,
): void {
  const {right, counter} = identity;
  const words = keyWords(root);
  const form = DERIVATION_KEYS[words]!;
  let prefix = registers?.load(counter, key) ?? beginAes(key, root, identity, registers);
  while (prefix !== counter) {
    prefix = (prefix | highestBit(counter ^ prefix)) >>> 0;
    deriveAesKey(key, words, form, right, prefix | 0);
    registers?.store(prefix, key);
  }
}

function beginAes(
  key: Int32Array,
  root: AesRoot,
  identity: AesIdentity,
  registers?: DeviceRegisters,
): number {
  writeAesInitialKey(key, root, identity);
  registers?.store(0, key);
  return 0;
}

/**
 * Length in bytes of an AES key of the same strength (NIST SP 800-57 Part 1, table 2: 3TDEA has 112
 * bits).
 */
function strength(type: AesKeyType): number {
  return AES_KEY_TYPES[type].algorithm < 2 ? 14 : AES_KEY_TYPES[type].bytes;
}

function formsOf(usage: AesKeyUsage): Readonly<Record<number, KeyForm>> {
  return {4: keyForm(usage, 'aes128'), 6: keyForm(usage, 'aes192'), 8: keyForm(usage, 'aes256')};
}
