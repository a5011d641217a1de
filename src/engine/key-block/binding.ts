import {concatBytes} from '../../platform/bytes.js';
import type {Algorithm, BlockCipher} from '../cipher/block-cipher.js';
import {cmac} from '../cipher/cmac.js';
import {prepareCipher} from '../cipher/modes.js';
import {damaged, type KeyBlockVersion} from './header.js';

/**
 * The binding method of a key block version: the ciphers of both keys, and what is encrypted and
 * covered by the MAC.
 */
export interface Binding {
  /** Length in bytes of the MAC in the block. */
  readonly macLength: number;
  encrypt(header: Uint8Array, plain: Uint8Array): {encrypted: Uint8Array; mac: Uint8Array};
  decrypt(
    header: Uint8Array,
    encrypted: Uint8Array,
    mac: Uint8Array,
  ): {plain: Uint8Array; mac: Uint8Array};
  wipe(): void;
}

const KBPK_LENGTHS = {A: [16, 24], B: [16, 24], C: [16, 24], D: [16, 24, 32]} as const;

/**
 * The binding of `version` under a key block protection key; throws 9015 if its length is wrong.
 */
export function bindingOf(version: KeyBlockVersion, kbpk: Uint8Array): Binding {
  const lengths: readonly number[] = KBPK_LENGTHS[version];
  if (!lengths.includes(kbpk.length)) {
    throw damaged(
      `version ${version} requires a KBPK of ${lengths.join(' or ')} bytes, found ${kbpk.length}`,
    );
  }
  if (version === 'A' || version === 'C') return new VariantBinding(kbpk);
  return new DerivationBinding(version === 'D' ? 'aes' : 'tdes', kbpk);
}

/** Versions A and C (X9.143:2021, 7.3): keys derived by XOR; the MAC covers the encrypted key. */
class VariantBinding implements Binding {
  readonly macLength = 4;
  readonly #encryption: BlockCipher;
  readonly #mac: BlockCipher;

  constructor(kbpk: Uint8Array) {
    this.#encryption = bindingCipher(
      'tdes',
      kbpk.map((byte) => byte ^ 0x45),
    );
    this.#mac = bindingCipher(
      'tdes',
      kbpk.map((byte) => byte ^ 0x4d),
    );
  }

  encrypt(header: Uint8Array, plain: Uint8Array) {
    const encrypted = this.#encryption.encryptCbc(plain, header.subarray(0, 8));
    return {encrypted, mac: this.#seal(header, encrypted)};
  }

  decrypt(header: Uint8Array, encrypted: Uint8Array) {
    const plain = this.#encryption.decryptCbc(encrypted, header.subarray(0, 8));
    return {plain, mac: this.#seal(header, encrypted)};
  }

  wipe(): void {
    this.#encryption.wipe();
    this.#mac.wipe();
  }

  #seal(header: Uint8Array, encrypted: Uint8Array): Uint8Array {
    return this.#mac.encryptCbc(concatBytes(header, encrypted)).slice(-8).slice(0, 4);
  }
}

/**
 * Versions B and D (X9.143:2021, 7.2): keys derived by CMAC; the MAC covers the plaintext and is
 * also its IV.
 */
class DerivationBinding implements Binding {
  readonly macLength: 8 | 16;
  readonly #encryption: BlockCipher;
  readonly #mac: BlockCipher;

  constructor(algorithm: Algorithm, kbpk: Uint8Array) {
    this.#encryption = bindingCipher(algorithm, deriveKey(algorithm, kbpk, 0));
    this.#mac = bindingCipher(algorithm, deriveKey(algorithm, kbpk, 1));
    this.macLength = this.#mac.blockSize;
  }

  encrypt(header: Uint8Array, plain: Uint8Array) {
    const mac = cmac(this.#mac, concatBytes(header, plain));
    return {encrypted: this.#encryption.encryptCbc(plain, mac), mac};
  }

  decrypt(header: Uint8Array, encrypted: Uint8Array, mac: Uint8Array) {
    const plain = this.#encryption.decryptCbc(encrypted, mac);
    return {plain, mac: cmac(this.#mac, concatBytes(header, plain))};
  }

  wipe(): void {
    this.#encryption.wipe();
    this.#mac.wipe();
  }
}

/** The KBPK algorithm in the derivation data, by its length (X9.143:2021, 7.2, table 15). */
const ALGORITHM_INDICATORS: Readonly<Record<Algorithm, Readonly<Record<number, number>>>> = {
  tdes: {16: 0, 24: 1},
  aes: {16: 2, 24: 3, 32: 4},
};

/** The key block encryption key (usage 0) or authentication key (usage 1), as long as the KBPK. */
function deriveKey(algorithm: Algorithm, kbpk: Uint8Array, usage: 0 | 1): Uint8Array {
  const cipher = prepareCipher(algorithm, kbpk);
  const length = kbpk.length;
  const indicator = ALGORITHM_INDICATORS[algorithm][length] ?? 0;
  const key = new Uint8Array(length);
  const bits = 8 * length;
  for (let done = 0, counter = 1; done < length; done += cipher.blockSize, counter++) {
    const data = [counter, 0, usage, 0, 0, indicator, bits >> 8, bits & 0xff];
    key.set(cmac(cipher, Uint8Array.from(data)).subarray(0, length - done), done);
  }
  cipher.wipe();
  return key;
}

/** A cipher with `key`, which is wiped. */
function bindingCipher(algorithm: Algorithm, key: Uint8Array): BlockCipher {
  const cipher = prepareCipher(algorithm, key);
  key.fill(0);
  return cipher;
}
