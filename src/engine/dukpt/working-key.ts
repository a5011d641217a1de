import {PaylensError} from '../../contract/paylens-error.js';
import {concatBytes} from '../../platform/bytes.js';
import type {TransactionKey} from './transaction-key.js';

/** A cipher key as it is, in place of one that DUKPT derives: without variants and usages. */
export class WorkingKey implements TransactionKey {
  readonly scheme = 'working';
  readonly #key: Uint8Array;

  /** Copies `key`: 8 bytes for DES, 16 or 24 for TDES, 16, 24 or 32 for AES. */
  constructor(key: Uint8Array) {
    this.#key = key.slice();
  }

  workingKey(): Uint8Array {
    return asTdes(this.#key);
  }

  aesWorkingKey(): never {
    throw new PaylensError(1, 'expected an AES DUKPT key, found a working key');
  }

  reveal(): Uint8Array {
    return this.#key.slice();
  }

  wipe(): void {
    this.#key.fill(0);
  }
}

/** A copy of a key; one of DES as the key of TDES that does the same: its halves are equal. */
export function asTdes(key: Uint8Array): Uint8Array {
  return key.length === 8 ? concatBytes(key, key) : key.slice();
}
