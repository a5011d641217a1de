import {freshBytes} from '../../platform/fresh-bytes.js';
import {type BlockCipher, checkBlocks, checkIv} from './block-cipher.js';
import {desKernel} from './des.js';
import {
  CIPHER_PASSES,
  DATA,
  DES_BLOCKS,
  desBytes,
  desWords,
  IV,
  MAX_CHAIN_BYTES,
  OUTPUT,
  PASSES_BYTES,
  wordsAt,
} from './des-memory.js';
import {writeDecipherPasses, writeEncipherPasses} from './des-passes.js';
import {clear, keyWordsOf, readWord, writeWord} from './words.js';

/** Working memory of an encryption; zeroed before it returns. */
const blocks = wordsAt(DES_BLOCKS, 4);
const ZERO_IV = new Uint8Array(8);

/**
 * The passes of the cipher and direction used last, shared by all ciphers: allocating memory of
 * this size costs more than computing the schedules. With an array per cipher a frame takes 6 %
 * longer from payload to JSON. A cipher's `wipe` zeroes it.
 */
const cipherPasses = wordsAt(CIPHER_PASSES, PASSES_BYTES >> 2);
let loadedTdes: TdesCipher | undefined;
let loadedDeciphering = false;

/** TDES with two or three keys (16 or 24 bytes), built on the kernel of `des.ts`. */
export class TdesCipher implements BlockCipher {
  readonly blockSize = 8;
  readonly #key: number[];

  constructor(key: Uint8Array) {
    this.#key = keyWordsOf(key);
  }

  decryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    checkIv(iv, 8);
    this.#load(true);
    return decryptTdesCbc(data, CIPHER_PASSES, iv);
  }

  decryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    this.#load(true);
    return decryptTdesEcb(data, CIPHER_PASSES);
  }

  encryptCbc(data: Uint8Array, iv?: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    checkIv(iv, 8);
    this.#load(false);
    return encryptTdes(data, true, iv);
  }

  encryptEcb(data: Uint8Array): Uint8Array {
    checkBlocks(data, 8);
    this.#load(false);
    return encryptTdes(data, false);
  }

  wipe(): void {
    clear(this.#key);
    if (loadedTdes !== this) return;
    cipherPasses.fill(0);
    loadedTdes = undefined;
  }

  #load(deciphering: boolean): void {
    if (loadedTdes === this && loadedDeciphering === deciphering) return;
    const write = deciphering ? writeDecipherPasses : writeEncipherPasses;
    write(desKernel(), CIPHER_PASSES, this.#key);
    loadedTdes = this;
    loadedDeciphering = deciphering;
  }
}

/** Decrypts whole blocks under the passes at an address, each block on its own. */
export function decryptTdesEcb(data: Uint8Array, passes: number): Uint8Array {
  const plain = decryptTdesCbc(data, passes);
  for (let i = 8; i < data.length; i++) plain[i]! ^= data[i - 8]!;
  return plain;
}

function decryptTdesCbc(data: Uint8Array, passes: number, iv: Uint8Array = ZERO_IV): Uint8Array {
  const {length} = data;
  const plain = freshBytes(length);
  for (let at = 0; at < length; at += MAX_CHAIN_BYTES) {
    const part = length <= MAX_CHAIN_BYTES ? data : data.subarray(at, at + MAX_CHAIN_BYTES);
    desBytes.set(at === 0 ? iv : data.subarray(at - 8, at), IV);
    decryptPart(part, passes, plain, at);
  }
  return plain;
}

/** The output of so many blocks. */
const outputs: Uint8Array[] = [];

/** Blocks behind the last five of a ciphertext that are faster as a pair. */
const PAIR_BYTES = 16;
const FIVE_BYTES = 40;

function decryptPart(data: Uint8Array, passes: number, plain: Uint8Array, at: number): void {
  const {length} = data;
  const kernel = desKernel();
  const rest = length % FIVE_BYTES;
  const whole = rest > PAIR_BYTES ? length : length - rest;
  desBytes.set(data, DATA);
  if (whole > 0) kernel.five(0, whole, passes, PASSES_BYTES);
  if (whole < length) kernel.pair(whole, length, passes, PASSES_BYTES);
  outputs[length >> 3] ??= new Uint8Array(desBytes.buffer, OUTPUT, length);
  plain.set(outputs[length >> 3]!, at);
  desBytes.fill(0, IV, DATA + length);
  desWords.fill(0, OUTPUT >> 2, (OUTPUT + length + FIVE_BYTES) >> 2);
}

function encryptTdes(data: Uint8Array, isChained: boolean, iv?: Uint8Array): Uint8Array {
  const kernel = desKernel();
  const encrypted = freshBytes(data.length);
  blocks[0] = iv ? readWord(iv, 0) : 0;
  blocks[1] = iv ? readWord(iv, 4) : 0;
  for (let at = 0; at < data.length; at += 8) {
    blocks[0] = (isChained ? blocks[0]! : 0) ^ readWord(data, at);
    blocks[1] = (isChained ? blocks[1]! : 0) ^ readWord(data, at + 4);
    kernel.two(CIPHER_PASSES, CIPHER_PASSES, PASSES_BYTES);
    writeWord(encrypted, at, blocks[0]!);
    writeWord(encrypted, at + 4, blocks[1]!);
  }
  clear(blocks);
  return encrypted;
}
