import {freshBytes} from '../../platform/fresh-bytes.js';
import {type BlockCipher, checkBlocks, checkIv} from './block-cipher.js';
import {processFiveBlocks, processTwoBlocks} from './des.js';
import {PASSES_WORDS, writeDecipherPasses, writeEncipherPasses} from './des-schedule.js';
import {proveDes} from './des-self-test.js';
import {clear, keyWordsOf, readWord, writeWord} from './words.js';

/** The five blocks being processed, and a view of the first two; zeroed before a call returns. */
const tdesBlocks = new Int32Array(10);
const twoBlocks = tdesBlocks.subarray(0, 4);

/** The ciphertext block before these blocks, then their own ciphertext, for CBC chaining. */
const chain = new Int32Array(12);

/**
 * The passes of the cipher and direction used last, shared by all ciphers: allocating memory of
 * this size costs more than computing the schedules. With an array per cipher a frame takes 6 %
 * longer from payload to JSON. A cipher's `wipe` zeroes it.
 */
const cipherPasses = new Int32Array(PASSES_WORDS);
let loadedTdes: TdesCipher | undefined;
let loadedDeciphering = false;

/** TDES with two or three keys (16 or 24 bytes), built on the kernel of `des.ts`. */
export class TdesCipher implements BlockCipher {
  readonly blockSize = 8;
  readonly #key: number[];

  constructor(key: Uint8Array) {
    proveDes();
    this.#key = keyWordsOf(key);
  }

  decryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    checkIv(iv, 8);
    this.#load(true);
    return decryptTdesChain(data, iv);
  }

  decryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    this.#load(true);
    return processEachTdes(data);
  }

  encryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    checkIv(iv, 8);
    this.#load(false);
    return encryptTdesChain(data, iv);
  }

  encryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    this.#load(false);
    return processEachTdes(data);
  }

  wipe(): void {
    clear(this.#key);
    if (loadedTdes !== this) return;
    cipherPasses.fill(0);
    loadedTdes = undefined;
  }

  #load(deciphering: boolean): void {
    if (loadedTdes === this && loadedDeciphering === deciphering) return;
    if (deciphering) writeDecipherPasses(cipherPasses, this.#key);
    else writeEncipherPasses(cipherPasses, this.#key);
    loadedTdes = this;
    loadedDeciphering = deciphering;
  }
}

function decryptTdesChain(data: Uint8Array, iv: Uint8Array | undefined): Uint8Array {
  const plain = freshBytes(data.length);
  chain[0] = iv ? readWord(iv, 0) : 0;
  chain[1] = iv ? readWord(iv, 4) : 0;
  for (let begin = 0; begin < data.length; begin += 40) {
    const words = loadFrom(data, begin);
    for (let w = 0; w < words; w++) chain[w + 2] = tdesBlocks[w]!;
    processLoaded(words);
    for (let w = 0; w < words; w++) writeWord(plain, begin + 4 * w, tdesBlocks[w]! ^ chain[w]!);
    chain[0] = chain[words]!;
    chain[1] = chain[words + 1]!;
  }
  clear(tdesBlocks);
  return plain;
}

function encryptTdesChain(data: Uint8Array, iv: Uint8Array | undefined): Uint8Array {
  const encrypted = freshBytes(data.length);
  tdesBlocks[0] = iv ? readWord(iv, 0) : 0;
  tdesBlocks[1] = iv ? readWord(iv, 4) : 0;
  for (let at = 0; at < data.length; at += 8) {
    tdesBlocks[0]! ^= readWord(data, at);
    tdesBlocks[1]! ^= readWord(data, at + 4);
    processTwoBlocks(twoBlocks, cipherPasses, cipherPasses);
    writeWord(encrypted, at, tdesBlocks[0]!);
    writeWord(encrypted, at + 4, tdesBlocks[1]!);
  }
  clear(tdesBlocks);
  return encrypted;
}

function processEachTdes(data: Uint8Array): Uint8Array {
  const result = freshBytes(data.length);
  for (let begin = 0; begin < data.length; begin += 40) {
    const words = loadFrom(data, begin);
    processLoaded(words);
    for (let w = 0; w < words; w++) writeWord(result, begin + 4 * w, tdesBlocks[w]!);
  }
  clear(tdesBlocks);
  return result;
}

/** Loads up to five blocks of `data`; returns the number of words. */
function loadFrom(data: Uint8Array, begin: number): number {
  const words = Math.min(tdesBlocks.length, (data.length - begin) >> 2);
  for (let w = 0; w < words; w++) tdesBlocks[w] = readWord(data, begin + 4 * w);
  return words;
}

function processLoaded(words: number): void {
  if (words > twoBlocks.length) processFiveBlocks(tdesBlocks, cipherPasses);
  else processTwoBlocks(twoBlocks, cipherPasses, cipherPasses);
}
