import {PaylensError} from '../../contract/paylens-error.js';
import {clear, toBytes} from '../cipher/words.js';
import type {DeviceRegisters} from './device-registers.js';
import type {Variant} from './key-usage.js';
import type {Ksn} from './ksn.js';
import {highestBit} from './ksn-counter.js';
import {type PreparedBdk, stepKey, variantKey, wipeWork, writeInitialKey} from './tdes.js';
import type {TransactionKey} from './transaction-key.js';

/** Where a derivation begins: a prepared BDK, or the device's initial key (four words). */
export type TdesRoot = PreparedBdk | Int32Array;

/** The key being derived; zeroed before a call returns. */
const derivedTdesKey = new Int32Array(4);

/**
 * The transaction key of a KSN of 10 bytes, derived in the constructor (ANSI X9.24-1:2009, A.3).
 */
export class TdesTransactionKey implements TransactionKey {
  readonly scheme = 'tdes';
  readonly #key: number[];

  /** `registers`: the stored keys of the device, used and updated. */
  constructor(root: TdesRoot, ksn: Ksn, registers?: DeviceRegisters) {
    deriveTdes(derivedTdesKey, root, ksn, registers);
    this.#key = [derivedTdesKey[0]!, derivedTdesKey[1]!, derivedTdesKey[2]!, derivedTdesKey[3]!];
    clear(derivedTdesKey);
  }

  workingKey(variant: Variant, selfEncrypted: boolean): Uint8Array {
    return variantKey(this.#key, variant, selfEncrypted);
  }

  aesWorkingKey(): never {
    throw new PaylensError(1, 'expected an AES DUKPT key, found a TDES one');
  }

  reveal(): Uint8Array {
    derivedTdesKey.set(this.#key);
    const key = toBytes(derivedTdesKey);
    clear(derivedTdesKey);
    return key;
  }

  wipe(): void {
    clear(this.#key);
    wipeWork();
  }
}

function deriveTdes(key: Int32Array, root: TdesRoot, ksn: Ksn, registers?: DeviceRegisters): void {
  const left = (ksn.left << 16) | (ksn.right >>> 16);
  const right = (ksn.right << 16) & ~0x1fffff;
  let prefix = registers?.load(ksn.counter, key) ?? beginTdes(key, root, ksn, registers);
  while (prefix !== ksn.counter) {
    prefix |= highestBit(ksn.counter ^ prefix);
    stepKey(key, left, right | prefix);
    registers?.store(prefix, key);
  }
}

/** Writes the initial key of the device of `ksn` to `into`, four words. */
export function writeTdesInitialKey(into: Int32Array, root: TdesRoot, ksn: Ksn): void {
  if (root instanceof Int32Array) into.set(root);
  else writeInitialKey(into, root, ksn);
}

function beginTdes(key: Int32Array, root: TdesRoot, ksn: Ksn, registers?: DeviceRegisters): number {
  writeTdesInitialKey(key, root, ksn);
  registers?.store(0, key);
  return 0;
}
