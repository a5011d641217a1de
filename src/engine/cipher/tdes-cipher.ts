import {checkBlocks, checkIv} from './check-blocks.js';
import {processTwoBlocks} from './des.js';
import {PASSES_WORDS, writeDecipherPasses, writeEncipherPasses} from './des-schedule.js';
import {proveDes} from './des-self-test.js';
import type {BlockCipher} from './modes.js';
import {clear, readWord, toWords, writeWord} from './words.js';

/** Two blocks under work; zeroed before a call returns. */
const blocks = new Int32Array(4);

/**
 * The passes of the cipher and direction used last. One place for all, because memory of this
 * size costs more than the schedules that it holds; a cipher's `wipe` zeroes it.
 */
const passes = new Int32Array(PASSES_WORDS);
let loaded: TdesCipher | undefined;
let loadedDeciphering = false;

/** TDES with two or three keys (16 or 24 bytes) over the kernel of `des.ts`. */
export class TdesCipher implements BlockCipher {
  readonly blockSize = 8;
  readonly #key: Int32Array;

  constructor(key: Uint8Array) {
    proveDes();
    this.#key = toWords(key);
  }

  decryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    checkIv(iv, 8);
    this.#load(true);
    return decryptChain(data, iv);
  }

  decryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    this.#load(true);
    return processEach(data);
  }

  encryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    checkIv(iv, 8);
    this.#load(false);
    return encryptChain(data, iv);
  }

  encryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    this.#load(false);
    return processEach(data);
  }

  wipe(): void {
    clear(this.#key);
    if (loaded !== this) return;
    clear(passes);
    loaded = undefined;
  }

  #load(deciphering: boolean): void {
    if (loaded === this && loadedDeciphering === deciphering) return;
    if (deciphering) writeDecipherPasses(passes, this.#key);
    else writeEncipherPasses(passes, this.#key);
    loaded = this;
    loadedDeciphering = deciphering;
  }
}

function decryptChain(data: Uint8Array, iv: Uint8Array | undefined): Uint8Array {
  const plain = new Uint8Array(data.length);
  let left = iv ? readWord(iv, 0) : 0;
  let right = iv ? readWord(iv, 4) : 0;
  let at = 0;
  for (; at + 16 <= data.length; at += 16) {
    loadTwo(data, at);
    processTwoBlocks(blocks, passes, passes);
    store(plain, at, 0, left, right);
    store(plain, at + 8, 2, readWord(data, at), readWord(data, at + 4));
    left = readWord(data, at + 8);
    right = readWord(data, at + 12);
  }
  if (at < data.length) {
    load(data, at, 0);
    processTwoBlocks(blocks, passes, passes);
    store(plain, at, 0, left, right);
  }
  clear(blocks);
  return plain;
}

function encryptChain(data: Uint8Array, iv: Uint8Array | undefined): Uint8Array {
  const encrypted = new Uint8Array(data.length);
  blocks[0] = iv ? readWord(iv, 0) : 0;
  blocks[1] = iv ? readWord(iv, 4) : 0;
  for (let at = 0; at < data.length; at += 8) {
    blocks[0]! ^= readWord(data, at);
    blocks[1]! ^= readWord(data, at + 4);
    processTwoBlocks(blocks, passes, passes);
    store(encrypted, at, 0, 0, 0);
  }
  clear(blocks);
  return encrypted;
}

function processEach(data: Uint8Array): Uint8Array {
  const result = new Uint8Array(data.length);
  let at = 0;
  for (; at + 16 <= data.length; at += 16) {
    loadTwo(data, at);
    processTwoBlocks(blocks, passes, passes);
    store(result, at, 0, 0, 0);
    store(result, at + 8, 2, 0, 0);
  }
  if (at < data.length) {
    load(data, at, 0);
    processTwoBlocks(blocks, passes, passes);
    store(result, at, 0, 0, 0);
  }
  clear(blocks);
  return result;
}

function loadTwo(data: Uint8Array, at: number): void {
  load(data, at, 0);
  load(data, at + 8, 2);
}

function load(data: Uint8Array, at: number, word: number): void {
  blocks[word] = readWord(data, at);
  blocks[word + 1] = readWord(data, at + 4);
}

function store(to: Uint8Array, at: number, word: number, left: number, right: number): void {
  writeWord(to, at, blocks[word]! ^ left);
  writeWord(to, at + 4, blocks[word + 1]! ^ right);
}
