import type {Algorithm} from '../cipher/block-cipher.js';
import type {AesKeyType, AesKeyUsage, Variant} from './key-usage.js';

/** The key of one transaction, from which its working keys are derived. */
export interface TransactionKey {
  /** `working`: nothing is derived, the working key of every variant is the key itself. */
  readonly scheme: Algorithm | 'working';
  /**
   * The TDES working key, 16 bytes, of `variant`; self-encrypted if `selfEncrypted`. The caller
   * wipes it. Throws 1 if `scheme` is AES.
   */
  workingKey(variant: Variant, selfEncrypted: boolean): Uint8Array;
  /**
   * The AES DUKPT working key of `usage` and `type`; the caller wipes it. Throws 1 if `scheme` is
   * not AES, 9015 if the working key would be longer than its base key.
   */
  aesWorkingKey(usage: AesKeyUsage, type: AesKeyType): Uint8Array;
  /** The transaction key itself, for comparing derivations; the caller wipes it. */
  reveal(): Uint8Array;
  /** Zeroes the key and the working memory of derivations; the key must not be used afterwards. */
  wipe(): void;
}
