import {createCipheriv} from 'node:crypto';

/** Which working key. */
export interface AesDerivation {
  /** Hex of 16, 24 or 32 bytes. */
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

/**
 * A working key for another algorithm (table 3): 0 is 2TDEA, 1 3TDEA, 2 to 4 AES, 5 HMAC. `bits`:
 * its length; absent: 128.
 */
export function aesDerivedKey({
  bdk,
  ksn,
  usage,
  algorithm,
  bits = 128,
}: AesDerivation & {algorithm: number; bits?: number}): Buffer {
  return derive(aesTransactionKey({bdk, ksn, usage}), usage, ksn.slice(8), {algorithm, bits});
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

/** The initial key of a KSN's device, as long as the BDK. */
export function aesInitialKey({bdk, ksn}: AesDerivation): Buffer {
  return derive(Buffer.from(bdk, 'hex'), 0x8001, ksn.slice(0, 16));
}

/** Blocks of the derivation data with their number, as many as the key needs (6.3.1). */
function derive(key: Buffer, usage: number, rest: string, type = typeOf(key)): Buffer {
  const {algorithm, bits} = type;
  const hex = (value: number) => value.toString(16).padStart(4, '0');
  const blocks = Array.from({length: Math.ceil(bits / 128)}, (_, i) => {
    const data = `010${i + 1}${hex(usage)}${hex(algorithm)}${hex(bits)}${rest}`;
    const cipher = createCipheriv(`aes-${8 * key.length}-ecb`, key, null).setAutoPadding(false);
    return cipher.update(Buffer.from(data, 'hex'));
  });
  return Buffer.concat(blocks).subarray(0, bits / 8);
}

function typeOf({length}: Buffer) {
  return {algorithm: length / 8, bits: 8 * length};
}
