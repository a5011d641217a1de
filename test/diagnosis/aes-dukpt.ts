import {createCipheriv} from 'node:crypto';

/** Which working key. */
export interface AesDerivation {
  readonly bdk: string;
  /** 24 hex digits. */
  readonly ksn: string;
  readonly usage: number;
}

/**
 * The AES-128 working key of a KSN (ANSI X9.24-3:2017, 6.3), implemented independently with
 * node:crypto, so that no case comes from the code under test.
 */
export function aesDukptKey(derivation: AesDerivation): Buffer {
  return aesDerivedKey({...derivation, algorithm: 2});
}

/** A working key of 16 bytes for another algorithm: 0 is 2TDEA (table 6), 2 AES-128. */
export function aesDerivedKey({
  bdk,
  ksn,
  usage,
  algorithm,
}: AesDerivation & {algorithm: number}): Buffer {
  return derive(aesTransactionKey({bdk, ksn, usage}), usage, ksn.slice(8), algorithm);
}

/** The key from which the working keys of a KSN are derived. */
export function aesTransactionKey({bdk, ksn, usage}: AesDerivation): Buffer {
  const id = ksn.slice(0, 16);
  const counter = Number.parseInt(ksn.slice(16), 16);
  let key = aesInitialKey({bdk, ksn, usage});
  let prefix = 0;
  for (let bit = 0x80000000; bit >= 1; bit /= 2) {
    if (Math.floor(counter / bit) % 2 === 0) continue;
    prefix += bit;
    key = derive(key, 0x8000, id.slice(8) + prefix.toString(16).padStart(8, '0'));
  }
  return key;
}

/** The initial key of a KSN's device. */
export function aesInitialKey({bdk, ksn}: AesDerivation): Buffer {
  return derive(Buffer.from(bdk, 'hex'), 0x8001, ksn.slice(0, 16));
}

function derive(key: Buffer, usage: number, rest: string, algorithm = 2): Buffer {
  const data = `0101${usage.toString(16).padStart(4, '0')}000${algorithm}0080${rest}`;
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(Buffer.from(data, 'hex')), cipher.final()]);
}
