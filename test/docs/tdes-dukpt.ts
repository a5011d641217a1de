import {createCipheriv, createDecipheriv} from 'node:crypto';

/*
 * TDES DUKPT and its MAC, written from ANSI X9.24-1:2009, Annex A, and ISO 9797-1 on node:crypto
 * alone: nothing of paylens is used.
 */

/** What each half of a transaction key is XORed with (A.4.1). */
export const TDES_MASKS: Readonly<Record<string, string>> = {
  pin: '00000000000000FF',
  'mac-request': '000000000000FF00',
  'mac-response': '00000000FF000000',
  'data-request': '0000000000FF0000',
  'data-response': '000000FF00000000',
};

/** A working key: the transaction key with a mask of 16 digits, encrypted under itself if asked. */
export function workingKeyOf(transaction: Buffer, mask: string, selfEncrypted: boolean): Buffer {
  const key = xor(transaction, Buffer.from(`${mask}${mask}`, 'hex'));
  if (!selfEncrypted) return key;
  return Buffer.concat([tdes(key, key.subarray(0, 8)), tdes(key, key.subarray(8))]);
}

const KEY_MASK = Buffer.from('C0C0C0C000000000C0C0C0C000000000', 'hex');

/** The initial key of the device of a KSN of ten bytes. */
export function initialKeyOf(bdk: Buffer, ksn: Buffer): Buffer {
  const device = Buffer.from(ksn.subarray(0, 8));
  device.writeUInt8(device.readUInt8(7) & 0xe0, 7);
  return Buffer.concat([tdes(bdk, device), tdes(xor(bdk, KEY_MASK), device)]);
}

export function transactionKeyOf(initial: Buffer, ksn: Buffer): Buffer {
  const counter = ksn.readUIntBE(7, 3) & 0x1fffff;
  const register = Buffer.from(ksn.subarray(2));
  register.writeUIntBE(register.readUIntBE(5, 3) & ~0x1fffff & 0xffffff, 5, 3);
  let key = initial;
  for (let bit = 0x100000; bit > 0; bit >>= 1) {
    if ((counter & bit) === 0) continue;
    register.writeUIntBE(register.readUIntBE(5, 3) | bit, 5, 3);
    key = Buffer.concat([half(xor(key, KEY_MASK), register), half(key, register)]);
  }
  return key;
}

/** The non-reversible step: XOR with the right half, DES under the left half, XOR again. */
function half(key: Buffer, register: Buffer): Buffer {
  const [left, right] = [key.subarray(0, 8), key.subarray(8)];
  return xor(tdes(Buffer.concat([left, left]), xor(register, right)), right);
}

/** ISO 9797-1, algorithm 3, padding 1: CBC with DES under the left half, the last block with TDES. */
export function retailMac(key: Buffer, message: Buffer): Buffer {
  const left = key.subarray(0, 8);
  const padded = Buffer.concat([message, Buffer.alloc((8 - (message.length % 8)) % 8)]);
  const single = createCipheriv('des-ede3-cbc', Buffer.concat([left, left, left]), Buffer.alloc(8));
  const state = single.setAutoPadding(false).update(padded).subarray(-8);
  const doubled = Buffer.concat([left, left, left]);
  const back = createDecipheriv('des-ede3-ecb', doubled, null).setAutoPadding(false).update(state);
  return tdes(key, back);
}

function tdes(key: Buffer, block: Buffer): Buffer {
  const whole = Buffer.concat([key, key.subarray(0, 8)]);
  return createCipheriv('des-ede3-ecb', whole, null).setAutoPadding(false).update(block);
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ b.readUInt8(i)));
}
