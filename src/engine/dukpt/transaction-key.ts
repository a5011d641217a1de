import type {Algorithm} from '../cipher/block-cipher.js';
import type {AesKeyType, AesKeyUsage, Variant} from './key-usage.js';

/** The key of one transaction, from which its working keys are made. */
export interface TransactionKey {
  readonly scheme: Algorithm;
  /**
   * The TDES working key, 16 bytes, of `variant`, encrypted under itself if `selfEncrypted`. The
   * caller wipes it. Throws 1 where `scheme` is AES.
   */
  workingKey(variant: Variant, selfEncrypted: boolean): Uint8Array;
  /**
   * The AES DUKPT working key of `usage`, as long as `type` says; the caller wipes it. Throws 1
   * where `scheme` is TDES, 9015 where the working key would be longer than its base key.
   */
  aesWorkingKey(usage: AesKeyUsage, type: AesKeyType): Uint8Array;
  /** The transaction key itself, for comparing derivations; the caller wipes it. */
  reveal(): Uint8Array;
  /** Zeroes the key and the memory that derivations work in; it must not be used after it. */
  wipe(): void;
}
