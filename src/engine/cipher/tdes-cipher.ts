import {checkBlocks, checkIv} from './check-blocks.js';
import {processFiveBlocks, processTwoBlocks} from './des.js';
import {PASSES_WORDS, writeDecipherPasses, writeEncipherPasses} from './des-schedule.js';
import {proveDes} from './des-self-test.js';
import type {BlockCipher} from './modes.js';
import {clear, readWord, toWords, writeWord} from './words.js';

/** Five blocks under work, and the first two of them; zeroed before a call returns. */
const blocks = new Int32Array(10);
const twoBlocks = blocks.subarray(0, 4);

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
  for (let begin = 0; begin < data.length; begin += 40) {
    const end = processFrom(data, begin);
    for (let at = begin, w = 0; at < end; at += 8, w += 2) {
      store(plain, at, w, left, right);
      left = readWord(data, at);
      right = readWord(data, at + 4);
    }
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
    processTwoBlocks(twoBlocks, passes, passes);
    store(encrypted, at, 0, 0, 0);
  }
  clear(blocks);
  return encrypted;
}

function processEach(data: Uint8Array): Uint8Array {
  const result = new Uint8Array(data.length);
  for (let begin = 0; begin < data.length; begin += 40) {
    const end = processFrom(data, begin);
    for (let at = begin, w = 0; at < end; at += 8, w += 2) store(result, at, w, 0, 0);
  }
  clear(blocks);
  return result;
}

/** Processes up to five blocks of `data` into `blocks`; returns where they end. */
function processFrom(data: Uint8Array, begin: number): number {
  const end = Math.min(begin + 40, data.length);
  for (let at = begin, w = 0; at < end; at += 4, w++) blocks[w] = readWord(data, at);
  if (end - begin > 16) processFiveBlocks(blocks, passes);
  else processTwoBlocks(twoBlocks, passes, passes);
  return end;
}

function store(to: Uint8Array, at: number, word: number, left: number, right: number): void {
  writeWord(to, at, blocks[word]! ^ left);
  writeWord(to, at + 4, blocks[word + 1]! ^ right);
}
