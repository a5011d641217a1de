import {toBytes, toWords} from '../../engine/cipher/words.js';
import {deriveAesKey, keyForm, prepareAesKey} from '../../engine/dukpt/aes.js';
import {type AesRoot, AesTransactionKey} from '../../engine/dukpt/aes-transaction-key.js';
import {AES_KEY_TYPES, type AesKeyType, type AesKeyUsage} from '../../engine/dukpt/key-usage.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import {attempt} from '../../input/attempt.js';
import type {KeyRole} from '../candidates/key-candidates.js';

type DeriveAes = (usage: AesKeyUsage, type: AesKeyType) => Uint8Array | undefined;

/**
 * The AES DUKPT working keys under a key in its role; undefined if the key cannot have this role.
 */
export function aesWorkingKeys(bytes: Uint8Array, role: KeyRole, ksn: Ksn): DeriveAes | undefined {
  if (role === 'transaction') return (usage, type) => underTransaction(bytes, ksn, usage, type);
  const root: AesRoot = role === 'ik' ? toWords(bytes) : prepareAesKey(bytes);
  const transaction = attempt(() => new AesTransactionKey(root, ksn));
  return transaction && ((usage, type) => attempt(() => transaction.aesWorkingKey(usage, type)));
}

function underTransaction(bytes: Uint8Array, ksn: Ksn, usage: AesKeyUsage, type: AesKeyType) {
  const key = new Int32Array(8);
  key.set(toWords(bytes));
  deriveAesKey(key, bytes.length / 4, keyForm(usage, type), ksn.right, ksn.counter | 0);
  return toBytes(key.subarray(0, AES_KEY_TYPES[type].bytes / 4));
}

/** Key types by BDK length, the same length first; a terminal may use a shorter one, or TDES. */
export const AES_TYPES_BY_LENGTH: Readonly<Record<number, readonly AesKeyType[]>> = {
  16: ['aes128', '2tdea'],
  24: ['aes192', 'aes128', '2tdea', '3tdea'],
  32: ['aes256', 'aes128', 'aes192', '2tdea', '3tdea'],
};
