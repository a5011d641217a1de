import type {Algorithm} from '../cipher/block-cipher.js';
import {deviceWord, type Ksn} from './ksn.js';

/**
 * The future keys of one device, stored as the terminal itself stores them (ANSI X9.24-1:2009,
 * A.3): one register per counter bit. The register of bit b holds the key of the last counter value
 * ("prefix") whose lowest set bit is b; the derivation for any counter that begins with that prefix
 * continues from there.
 */
export class DeviceRegisters {
  readonly #words: number;
  readonly #keys: Int32Array;
  readonly #prefixes: Uint32Array;
  #initialised = false;
  #left = 0;
  #right = 0;
  #form: Algorithm | undefined;

  /** `bits` counter bits, and keys of `words` words each. */
  constructor({bits, words}: {readonly bits: number; readonly words: number}) {
    this.#words = words;
    // The last key is the initial key, for prefix 0.
    this.#keys = new Int32Array((bits + 1) * words);
    this.#prefixes = new Uint32Array(bits + 1);
  }

  /** Assigns the registers to the device of `ksn`; keys of another device are zeroed. */
  claim(ksn: Ksn): this {
    const right = deviceWord(ksn);
    if (this.#left === ksn.left && this.#right === right && this.#form === ksn.scheme) return this;
    this.wipe();
    this.#left = ksn.left;
    this.#right = right;
    this.#form = ksn.scheme;
    return this;
  }

  /** Copies the nearest stored key to `key` and returns its prefix; undefined if there is none. */
  load(counter: number, key: Int32Array): number | undefined {
    for (let prefix = counter; prefix !== 0; prefix = (prefix & (prefix - 1)) >>> 0) {
      const slot = lowestBit(prefix);
      if (this.#prefixes[slot] === prefix) return this.#copy(slot, key, prefix);
    }
    return this.#initialised ? this.#copy(this.#prefixes.length - 1, key, 0) : undefined;
  }

  /** Stores a copy of the key of `prefix`. */
  store(prefix: number, key: Int32Array): void {
    const slot = prefix === 0 ? this.#prefixes.length - 1 : lowestBit(prefix);
    if (prefix === 0) this.#initialised = true;
    this.#prefixes[slot] = prefix;
    for (let i = 0; i < this.#words; i++) this.#keys[slot * this.#words + i] = key[i]!;
  }

  wipe(): void {
    this.#keys.fill(0);
    this.#prefixes.fill(0);
    this.#initialised = false;
  }

  #copy(slot: number, key: Int32Array, prefix: number): number {
    for (let i = 0; i < this.#words; i++) key[i] = this.#keys[slot * this.#words + i]!;
    return prefix;
  }
}

function lowestBit(prefix: number): number {
  return 31 - Math.clz32(prefix & -prefix);
}
