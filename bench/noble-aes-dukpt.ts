/** AES-128 DUKPT built on @noble/ciphers. */
import {cbc, ecb} from '@noble/ciphers/aes.js';

const ZERO_IV = new Uint8Array(16);
const INITIAL_KEY = 0x8001;
const DERIVATION = 0x8000;
const DATA_ENCRYPTION = 0x3000;

/** The AES-128 key for data encryption of a KSN of 24 hex digits under a BDK of 16 bytes. */
export function nobleDataKey(bdk: Uint8Array, ksnHex: string): Uint8Array {
  const ksn = Buffer.from(ksnHex, 'hex');
  const counter = ksn.readUInt32BE(8);
  let key = derive(bdk, INITIAL_KEY, ksn.readUInt32BE(0), ksn.readUInt32BE(4));
  const device = ksn.readUInt32BE(4);
  let prefix = 0;
  for (let bit = 0x80000000; bit > 0; bit = bit >>> 1) {
    if ((counter & bit) === 0) continue;
    prefix = (prefix | bit) >>> 0;
    key = derive(key, DERIVATION, device, prefix);
  }
  return derive(key, DATA_ENCRYPTION, device, counter);
}

export function nobleDecrypt(key: Uint8Array, data: Uint8Array): Uint8Array {
  return cbc(key, ZERO_IV, {disablePadding: true}).decrypt(data);
}

export function nobleEncrypt(key: Uint8Array, data: Uint8Array): Uint8Array {
  return cbc(key, ZERO_IV, {disablePadding: true}).encrypt(data);
}

function derive(key: Uint8Array, usage: number, left: number, right: number): Uint8Array {
  const data = new Uint8Array(16);
  const view = new DataView(data.buffer);
  view.setUint32(0, 0x01010000 | usage);
  view.setUint32(4, 0x00020080);
  view.setUint32(8, left);
  view.setUint32(12, right);
  return ecb(key, {disablePadding: true}).encrypt(data);
}
