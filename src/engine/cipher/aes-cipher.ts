import {createCipheriv, createDecipheriv} from 'node:crypto';
import {checkBlocks, checkIv} from './check-blocks.js';
import type {BlockCipher} from './modes.js';

const ZERO_IV = new Uint8Array(16);

/** AES with a key of 16, 24 or 32 bytes. */
export class AesCipher implements BlockCipher {
  readonly blockSize = 16;
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = new Uint8Array(key);
  }

  decryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkIv(iv, 16);
    return this.#run(createDecipheriv(this.#name('cbc'), this.#key, iv ?? ZERO_IV), data);
  }

  decryptEcb(data: Uint8Array): Uint8Array {
    return this.#run(createDecipheriv(this.#name('ecb'), this.#key, null), data);
  }

  encryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkIv(iv, 16);
    return this.#run(createCipheriv(this.#name('cbc'), this.#key, iv ?? ZERO_IV), data);
  }

  encryptEcb(data: Uint8Array): Uint8Array {
    return this.#run(createCipheriv(this.#name('ecb'), this.#key, null), data);
  }

  wipe(): void {
    this.#key.fill(0);
  }

  #name(mode: string): string {
    return `aes-${8 * this.#key.length}-${mode}`;
  }

  #run(cipher: ReturnType<typeof createCipheriv>, data: Uint8Array): Uint8Array {
    checkBlocks(data, 16);
    const pooled = cipher.setAutoPadding(false).update(data);
    const result = new Uint8Array(pooled);
    pooled.fill(0);
    return result;
  }
}
