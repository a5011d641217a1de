import {
  AES_SCHEDULE_WORDS,
  aesRounds,
  decipherBlock,
  encipherBlock,
  writeAesInverseSchedule,
  writeAesSchedule,
} from './aes.js';
import {proveAes} from './aes-self-test.js';
import {checkBlocks, checkIv} from './check-blocks.js';
import type {BlockCipher} from './modes.js';
import {readWord, toWords, writeWord} from './words.js';

/** The block under work; zeroed before a call returns. */
const block = new Int32Array(4);

/**
 * The schedules of the cipher used last. One place for all, because memory of this size costs
 * more than the schedules that it holds; a cipher's `wipe` zeroes it.
 */
const enciphering = new Int32Array(AES_SCHEDULE_WORDS);
const deciphering = new Int32Array(AES_SCHEDULE_WORDS);
let loaded: AesCipher | undefined;
let invertible = false;

/** AES with a key of 16, 24 or 32 bytes over the kernel of `aes.ts`. */
export class AesCipher implements BlockCipher {
  readonly blockSize = 16;
  readonly #key: Int32Array;
  readonly #rounds: number;

  constructor(key: Uint8Array) {
    proveAes();
    this.#key = toWords(key);
    this.#rounds = aesRounds(this.#key.length);
  }

  decryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 16);
    checkIv(iv, 16);
    this.#loadInverse();
    return decryptChain(data, iv, this.#rounds);
  }

  decryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 16);
    this.#loadInverse();
    return processEach(data, decipherBlock, deciphering, this.#rounds);
  }

  encryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 16);
    checkIv(iv, 16);
    this.#load();
    return encryptChain(data, iv, this.#rounds);
  }

  encryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 16);
    this.#load();
    return processEach(data, encipherBlock, enciphering, this.#rounds);
  }

  wipe(): void {
    this.#key.fill(0);
    if (loaded !== this) return;
    enciphering.fill(0);
    deciphering.fill(0);
    loaded = undefined;
  }

  #load(): void {
    if (loaded === this) return;
    writeAesSchedule(enciphering, this.#key, this.#key.length);
    loaded = this;
    invertible = false;
  }

  #loadInverse(): void {
    this.#load();
    if (invertible) return;
    writeAesInverseSchedule(deciphering, enciphering, this.#key.length);
    invertible = true;
  }
}

function decryptChain(data: Uint8Array, iv: Uint8Array | undefined, rounds: number): Uint8Array {
  const plain = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 16) {
    for (let i = 0; i < 4; i++) block[i] = readWord(data, at + 4 * i);
    decipherBlock(block, deciphering, rounds);
    if (at > 0) addBlock(data, at - 16);
    else if (iv) addBlock(iv, 0);
    store(plain, at);
  }
  block.fill(0);
  return plain;
}

function encryptChain(data: Uint8Array, iv: Uint8Array | undefined, rounds: number): Uint8Array {
  const encrypted = new Uint8Array(data.length);
  if (iv) addBlock(iv, 0);
  for (let at = 0; at < data.length; at += 16) {
    addBlock(data, at);
    encipherBlock(block, enciphering, rounds);
    store(encrypted, at);
  }
  block.fill(0);
  return encrypted;
}

function processEach(
  data: Uint8Array,
  process: typeof encipherBlock,
  schedule: Int32Array,
  rounds: number,
): Uint8Array {
  const result = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 16) {
    for (let i = 0; i < 4; i++) block[i] = readWord(data, at + 4 * i);
    process(block, schedule, rounds);
    store(result, at);
  }
  block.fill(0);
  return result;
}

function addBlock(bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 4; i++) block[i]! ^= readWord(bytes, at + 4 * i);
}

function store(to: Uint8Array, at: number): void {
  for (let i = 0; i < 4; i++) writeWord(to, at + 4 * i, block[i]!);
}
