import {checkBlocks, checkIv} from './check-blocks.js';
import {processBlock, processTwoBlocks} from './des.js';
import {decipherPasses, encipherPasses} from './des-schedule.js';
import {proveDes} from './des-self-test.js';
import type {BlockCipher} from './modes.js';
import {readWord, toWords, writeWord} from './words.js';

/** Two blocks under work; zeroed before a call returns. */
const blocks = new Int32Array(4);

/** TDES with two or three keys (16 or 24 bytes) over the kernel of `des.ts`. */
export class TdesCipher implements BlockCipher {
  readonly blockSize = 8;
  readonly #key: Int32Array;
  #enciphering: Int32Array | undefined;
  #deciphering: Int32Array | undefined;

  constructor(key: Uint8Array) {
    proveDes();
    this.#key = toWords(key);
  }

  decryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    checkIv(iv, 8);
    this.#deciphering ??= decipherPasses(this.#key);
    return decryptChain(data, iv, this.#deciphering);
  }

  decryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    this.#deciphering ??= decipherPasses(this.#key);
    return processEach(data, this.#deciphering);
  }

  encryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    checkIv(iv, 8);
    this.#enciphering ??= encipherPasses(this.#key);
    return encryptChain(data, iv, this.#enciphering);
  }

  encryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    this.#enciphering ??= encipherPasses(this.#key);
    return processEach(data, this.#enciphering);
  }

  wipe(): void {
    this.#key.fill(0);
    this.#enciphering?.fill(0);
    this.#deciphering?.fill(0);
  }
}

function decryptChain(
  data: Uint8Array,
  iv: Uint8Array | undefined,
  passes: Int32Array,
): Uint8Array {
  const plain = new Uint8Array(data.length);
  let left = iv ? readWord(iv, 0) : 0;
  let right = iv ? readWord(iv, 4) : 0;
  let at = 0;
  for (; at + 16 <= data.length; at += 16) {
    loadTwo(data, at);
    const [a, b, c, d] = [blocks[0]!, blocks[1]!, blocks[2]!, blocks[3]!];
    processTwoBlocks(blocks, passes, passes);
    store(plain, at, 0, left, right);
    store(plain, at + 8, 2, a, b);
    left = c;
    right = d;
  }
  if (at < data.length) {
    load(data, at, 0);
    processBlock(blocks, passes);
    store(plain, at, 0, left, right);
  }
  blocks.fill(0);
  return plain;
}

function encryptChain(
  data: Uint8Array,
  iv: Uint8Array | undefined,
  passes: Int32Array,
): Uint8Array {
  const encrypted = new Uint8Array(data.length);
  blocks[0] = iv ? readWord(iv, 0) : 0;
  blocks[1] = iv ? readWord(iv, 4) : 0;
  for (let at = 0; at < data.length; at += 8) {
    blocks[0]! ^= readWord(data, at);
    blocks[1]! ^= readWord(data, at + 4);
    processBlock(blocks, passes);
    store(encrypted, at, 0, 0, 0);
  }
  blocks.fill(0);
  return encrypted;
}

function processEach(data: Uint8Array, passes: Int32Array): Uint8Array {
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
    processBlock(blocks, passes);
    store(result, at, 0, 0, 0);
  }
  blocks.fill(0);
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
