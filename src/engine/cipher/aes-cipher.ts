import {freshBytes} from '../../platform/fresh-bytes.js';
import {
  AES_SCHEDULE_WORDS,
  aesRounds,
  decipherBlock,
  encipherBlock,
  writeAes128InverseSchedule,
  writeAesInverseSchedule,
  writeAesSchedule,
} from './aes.js';
import {proveAes} from './aes-self-test.js';
import {type BlockCipher, checkBlocks, checkIv} from './block-cipher.js';
import {clear, keyWordsOf, readWord, writeWord} from './words.js';

/** The block being processed; zeroed before a call returns. */
const block = new Int32Array(4);

/** The schedules of the cipher used last, shared by all ciphers as in `tdes-cipher.ts`. */
const schedules = new Int32Array(2 * AES_SCHEDULE_WORDS);
const enciphering = schedules.subarray(0, AES_SCHEDULE_WORDS);
const deciphering = schedules.subarray(AES_SCHEDULE_WORDS);
let loadedAes: AesCipher | undefined;
let loadedInverse: AesCipher | undefined;

/** AES with a key of 16, 24 or 32 bytes, built on the kernel of `aes.ts`. */
export class AesCipher implements BlockCipher {
  readonly blockSize = 16;
  readonly #key: number[];
  readonly #rounds: number;

  constructor(key: Uint8Array) {
    proveAes();
    this.#key = keyWordsOf(key);
    this.#rounds = aesRounds(this.#key.length);
  }

  decryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 16);
    checkIv(iv, 16);
    this.#loadInverse();
    return decryptAesChain(data, iv, this.#rounds);
  }

  decryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 16);
    this.#loadInverse();
    return processEachAes(data, decipherBlock, deciphering, this.#rounds);
  }

  encryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 16);
    checkIv(iv, 16);
    this.#load();
    return encryptAesChain(data, iv, this.#rounds);
  }

  encryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 16);
    this.#load();
    return processEachAes(data, encipherBlock, enciphering, this.#rounds);
  }

  wipe(): void {
    clear(this.#key);
    if (loadedAes !== this && loadedInverse !== this) return;
    schedules.fill(0);
    loadedAes = undefined;
    loadedInverse = undefined;
  }

  #load(): void {
    if (loadedAes === this) return;
    writeAesSchedule(enciphering, this.#key, this.#key.length);
    loadedAes = this;
  }

  #loadInverse(): void {
    if (loadedInverse === this) return;
    if (this.#key.length === 4) {
      writeAes128InverseSchedule(deciphering, this.#key);
    } else {
      this.#load();
      writeAesInverseSchedule(deciphering, enciphering, this.#key.length);
    }
    loadedInverse = this;
  }
}

function decryptAesChain(data: Uint8Array, iv: Uint8Array | undefined, rounds: number): Uint8Array {
  const plain = freshBytes(data.length);
  let a = iv ? readWord(iv, 0) : 0;
  let b = iv ? readWord(iv, 4) : 0;
  let c = iv ? readWord(iv, 8) : 0;
  let d = iv ? readWord(iv, 12) : 0;
  for (let at = 0; at < data.length; at += 16) {
    load(data, at);
    const nextA = block[0]!;
    const nextB = block[1]!;
    const nextC = block[2]!;
    const nextD = block[3]!;
    decipherBlock(block, deciphering, rounds);
    writeWord(plain, at, block[0]! ^ a);
    writeWord(plain, at + 4, block[1]! ^ b);
    writeWord(plain, at + 8, block[2]! ^ c);
    writeWord(plain, at + 12, block[3]! ^ d);
    a = nextA;
    b = nextB;
    c = nextC;
    d = nextD;
  }
  clear(block);
  return plain;
}

function encryptAesChain(data: Uint8Array, iv: Uint8Array | undefined, rounds: number): Uint8Array {
  const encrypted = freshBytes(data.length);
  if (iv) addBlock(iv, 0);
  for (let at = 0; at < data.length; at += 16) {
    addBlock(data, at);
    encipherBlock(block, enciphering, rounds);
    store(encrypted, at);
  }
  clear(block);
  return encrypted;
}

function processEachAes(
  data: Uint8Array,
  cipherBlock: typeof encipherBlock,
  schedule: Int32Array,
  rounds: number,
): Uint8Array {
  const result = freshBytes(data.length);
  for (let at = 0; at < data.length; at += 16) {
    load(data, at);
    cipherBlock(block, schedule, rounds);
    store(result, at);
  }
  clear(block);
  return result;
}

function load(data: Uint8Array, at: number): void {
  block[0] = readWord(data, at);
  block[1] = readWord(data, at + 4);
  block[2] = readWord(data, at + 8);
  block[3] = readWord(data, at + 12);
}

function addBlock(bytes: Uint8Array, at: number): void {
  block[0]! ^= readWord(bytes, at);
  block[1]! ^= readWord(bytes, at + 4);
  block[2]! ^= readWord(bytes, at + 8);
  block[3]! ^= readWord(bytes, at + 12);
}

function store(to: Uint8Array, at: number): void {
  writeWord(to, at, block[0]!);
  writeWord(to, at + 4, block[1]!);
  writeWord(to, at + 8, block[2]!);
  writeWord(to, at + 12, block[3]!);
}
