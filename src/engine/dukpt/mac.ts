import {concatBytes} from '../../platform/bytes.js';
import {hmacSha256} from '../../platform/hash.js';
import {type Algorithm, blockSizeOf} from '../cipher/block-cipher.js';
import {cmac} from '../cipher/cmac.js';
import {prepareCipher} from '../cipher/modes.js';
import {addFill} from '../cipher/padding.js';
import type {AesKeyType, AesKeyUsage, Variant} from './key-usage.js';
import type {TransactionKey} from './transaction-key.js';

export const MAC_METHODS = ['hmac-sha256', 'retail', 'cmac'] as const;

/** How a terminal computes a MAC, and the working key that it uses. */
export interface MacKind {
  /** Absent: HMAC-SHA256. */
  readonly method?: (typeof MAC_METHODS)[number];
  readonly variant: Variant;
  /** For AES-CMAC, whose keys have no variants. */
  readonly aes?: {readonly usage: AesKeyUsage; readonly type?: AesKeyType};
}

/** The DUKPT scheme under which a MAC of this kind has its key. */
export function schemeOfMac({method}: MacKind): Algorithm {
  return method === 'cmac' ? 'aes' : 'tdes';
}

/**
 * The MAC of `message`: HMAC-SHA256, the retail MAC of ISO/IEC 9797-1 (algorithm 3, padding method
 * 1; ANSI X9.19), or AES-CMAC. Throws 1 if the key is of the other scheme.
 */
export function macOf(key: TransactionKey, kind: MacKind, message: Uint8Array): Uint8Array {
  const working = macKey(key, kind);
  const mac = METHODS[kind.method ?? 'hmac-sha256'](working, message);
  working.fill(0);
  return mac;
}

function macKey(key: TransactionKey, kind: MacKind): Uint8Array {
  if (kind.method !== 'cmac') return key.workingKey(kind.variant, false);
  return key.aesWorkingKey(kind.aes?.usage ?? 'mac', kind.aes?.type ?? 'aes128');
}

const METHODS: Readonly<
  Record<NonNullable<MacKind['method']>, (key: Uint8Array, message: Uint8Array) => Uint8Array>
> = {
  'hmac-sha256': hmacSha256,
  retail: retailMac,
  cmac: (key, message) => {
    const cipher = prepareCipher('aes', key);
    const mac = cmac(cipher, message);
    cipher.wipe();
    return mac;
  },
};

/** DES under the left half of the key in every block, TDES in the last one. */
function retailMac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const size = blockSizeOf('tdes');
  const padded = addFill(message, 'zero', size);
  const half = key.subarray(0, size);
  const doubled = concatBytes(half, half);
  const single = prepareCipher('tdes', doubled);
  const whole = prepareCipher('tdes', key);
  const chain = single.encryptCbc(padded.subarray(0, -size)).slice(-size);
  const mac = whole.encryptCbc(padded.subarray(-size), chain.length > 0 ? chain : undefined);
  for (const cipher of [single, whole]) cipher.wipe();
  doubled.fill(0);
  return mac;
}
