/**
 * TDES DUKPT with a call of node:crypto for every block, as one writes it without an own kernel.
 * Single DES is des-ede3 with K, K, K, since OpenSSL 3 does not provide it.
 */
import {createCipheriv, createDecipheriv} from 'node:crypto';

const C0 = Buffer.from('C0C0C0C000000000C0C0C0C000000000', 'hex');
const DATA_MASK = Buffer.from('0000000000FF00000000000000FF0000', 'hex');
const ZERO_IV = Buffer.alloc(8);

/** The transaction key of a KSN of 20 hex digits under a BDK of 16 bytes. */
export function nodeTransactionKey(bdk: Buffer, ksnHex: string): Buffer {
  const ksn = Buffer.from(ksnHex, 'hex');
  const counter = ksn.readUIntBE(7, 3) & 0x1fffff;
  ksn.writeUIntBE(ksn.readUIntBE(7, 3) & 0xe00000, 7, 3);
  const id = ksn.subarray(0, 8);
  let key = Buffer.concat([tdes(bdk, id), tdes(xor(bdk, C0), id)]);
  const register = ksn.subarray(2);
  for (let bit = 0x100000; bit > 0; bit >>= 1) {
    if ((counter & bit) === 0) continue;
    register.writeUIntBE(register.readUIntBE(5, 3) | bit, 5, 3);
    key = Buffer.concat([half(xor(key, C0), register), half(key, register)]);
  }
  return key;
}

/** The data key (request direction, self-encrypted) of a transaction key. */
export function nodeWorkingKey(transactionKey: Buffer): Buffer {
  const key = xor(transactionKey, DATA_MASK);
  return Buffer.concat([tdes(key, key.subarray(0, 8)), tdes(key, key.subarray(8))]);
}

/** TDES-CBC with a zero IV under a key of 16 bytes. */
export function tdesCbc(key: Buffer, data: Uint8Array, direction: 'encrypt' | 'decrypt'): Buffer {
  const make = direction === 'encrypt' ? createCipheriv : createDecipheriv;
  return make('des-ede3-cbc', threeKeys(key), ZERO_IV).setAutoPadding(false).update(data);
}

function half(key: Buffer, register: Buffer): Buffer {
  const left = key.subarray(0, 8);
  const right = key.subarray(8);
  const single = createCipheriv('des-ede3-ecb', Buffer.concat([left, left, left]), null);
  return xor(single.setAutoPadding(false).update(xor(register, right)), right);
}

function tdes(key: Buffer, block: Buffer): Buffer {
  return createCipheriv('des-ede3-ecb', threeKeys(key), null).setAutoPadding(false).update(block);
}

function threeKeys(key: Buffer): Buffer {
  return Buffer.concat([key, key.subarray(0, 8)]);
}

function xor(a: Buffer, b: Buffer): Buffer {
  const sum = Buffer.allocUnsafe(a.length);
  for (let i = 0; i < a.length; i++) sum[i] = (a[i] ?? 0) ^ (b[i] ?? 0);
  return sum;
}
