import {PaylensError} from '../../contract/paylens-error.js';
import {toBytes} from '../cipher/words.js';
import {
  AES_TYPES,
  type AesIdentity,
  type AesSchedule,
  aesIdentity,
  deriveAesKey,
  deriveUnder,
  wipeAesWork,
} from './aes.js';
import type {DeviceRegisters} from './device-registers.js';
import {AES_KEY_TYPES, type AesKeyType, type AesKeyUsage} from './key-usage.js';
import type {Ksn} from './ksn.js';
import type {TransactionKey} from './transaction-key.js';

/** Where a derivation begins: a BDK made ready, or the initial key of the device (in words). */
export type AesRoot = AesSchedule | Int32Array;

/** The words of the longest key. */
const MOST_WORDS = 8;

/** The transaction key of an AES DUKPT KSN, derived at once (ANSI X9.24-3:2017, 6.3.4). */
export class AesTransactionKey implements TransactionKey {
  readonly scheme = 'aes';
  readonly #key = new Int32Array(MOST_WORDS);
  readonly #words: number;
  readonly #identity: AesIdentity;

  /** `registers`: the kept keys of the device, used and brought up to date. */
  constructor(root: AesRoot, ksn: Ksn, registers?: DeviceRegisters) {
    this.#words = keyWords(root);
    this.#identity = aesIdentity(ksn);
    derive(this.#key, root, this.#identity, registers);
    wipeAesWork();
  }

  aesWorkingKey(usage: AesKeyUsage, type: AesKeyType): Uint8Array {
    if (strength(type) > 4 * this.#words) {
      const detail = `a working key of type ${type} is stronger than its ${32 * this.#words}-bit BDK`;
      throw new PaylensError(9015, detail);
    }
    const {right, counter} = this.#identity;
    const words = new Int32Array(AES_KEY_TYPES[type].bytes / 4);
    const derivation = {usage, type, left: right, right: counter | 0};
    deriveAesKey(words, this.#key, this.#words, derivation);
    const key = toBytes(words);
    words.fill(0);
    wipeAesWork();
    return key;
  }

  workingKey(): never {
    throw new PaylensError(1, 'expected a TDES DUKPT key, found an AES one');
  }

  reveal(): Uint8Array {
    return toBytes(this.#key.subarray(0, this.#words));
  }

  wipe(): void {
    this.#key.fill(0);
  }
}

/** Writes the initial key of the device to `into` (X9.24-3:2017, 6.3.1). */
export function writeAesInitialKey(
  into: Int32Array,
  root: AesRoot,
  {left, right}: Pick<AesIdentity, 'left' | 'right'>,
): void {
  if (root instanceof Int32Array) into.set(root);
  else deriveUnder(into, root, {usage: 'initial-key', type: typeOf(root), left, right});
}

/** The length of the keys of a device, in words. */
export function keyWords(root: AesRoot): number {
  return root instanceof Int32Array ? root.length : root.keyWords;
}

function derive(
  key: Int32Array,
  root: AesRoot,
  identity: AesIdentity,
  registers?: DeviceRegisters,
): void {
  const {right, counter} = identity;
  const words = keyWords(root);
  const type = typeOf(root);
  let prefix = registers?.load(counter, key) ?? begin(key, root, identity, registers);
  while (prefix !== counter) {
    prefix = (prefix | highestBit(counter ^ prefix)) >>> 0;
    deriveAesKey(key, key, words, {usage: 'derivation', type, left: right, right: prefix | 0});
    registers?.store(prefix, key);
  }
}

function begin(
  key: Int32Array,
  root: AesRoot,
  identity: AesIdentity,
  registers?: DeviceRegisters,
): number {
  writeAesInitialKey(key, root, identity);
  registers?.store(0, key);
  return 0;
}

function typeOf(root: AesRoot): AesKeyType {
  return AES_TYPES[keyWords(root)]!;
}

/** Bytes of the AES key that is as strong (NIST SP 800-57 Part 1, table 2: 3TDEA has 112 bits). */
function strength(type: AesKeyType): number {
  return AES_KEY_TYPES[type].algorithm < 2 ? 14 : AES_KEY_TYPES[type].bytes;
}

function highestBit(word: number): number {
  return 1 << (31 - Math.clz32(word));
}
