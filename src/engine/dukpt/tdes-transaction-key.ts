import {PaylensError} from '../../contract/paylens-error.js';
import {desKernel} from '../cipher/des.js';
import {clear, toBytes} from '../cipher/words.js';
import type {DeviceRegisters} from './device-registers.js';
import type {Variant} from './key-usage.js';
import type {Ksn} from './ksn.js';
import {highestBit} from './ksn-counter.js';
import {loadInitialKey, stepKey, type TdesRoot, variantKey, wipeWork} from './tdes.js';
import type {TransactionKey} from './transaction-key.js';

/**
 * The transaction key of a KSN of 10 bytes, derived in the constructor (ANSI X9.24-1:2009, A.3).
 */
export class TdesTransactionKey implements TransactionKey {
  readonly scheme = 'tdes';
  readonly #key: number[];

  /** `registers`: the stored keys of the device, used and updated. */
  constructor(root: TdesRoot, ksn: Ksn, registers?: DeviceRegisters) {
    deriveTdes(root, ksn, registers);
    this.#key = [stepKey[0]!, stepKey[1]!, stepKey[2]!, stepKey[3]!];
    clear(stepKey);
  }

  workingKey(variant: Variant, selfEncrypted: boolean): Uint8Array {
    return variantKey(this.#key, variant, selfEncrypted);
  }

  aesWorkingKey(): never {
    throw new PaylensError(1, 'expected an AES DUKPT key, found a TDES one');
  }

  reveal(): Uint8Array {
    stepKey.set(this.#key);
    const key = toBytes(stepKey);
    clear(stepKey);
    return key;
  }

  wipe(): void {
    clear(this.#key);
    wipeWork();
  }
}

/** Makes the step key the transaction key. */
function deriveTdes(root: TdesRoot, ksn: Ksn, registers?: DeviceRegisters): void {
  const des = desKernel();
  const left = (ksn.left << 16) | (ksn.right >>> 16);
  const right = (ksn.right << 16) & ~0x1fffff;
  let prefix = registers?.load(ksn.counter, stepKey);
  if (prefix === undefined) {
    loadInitialKey(root, ksn);
    registers?.store(0, stepKey);
    prefix = 0;
  }
  while (prefix !== ksn.counter) {
    prefix |= highestBit(ksn.counter ^ prefix);
    des.step(left, right | prefix);
    registers?.store(prefix, stepKey);
  }
}
