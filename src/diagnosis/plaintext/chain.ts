import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import type {EncryptedField} from '../../engine/reading.js';
import type {IvCandidate} from '../input/interpretation.js';
import type {Opening} from './opened-plaintext.js';

/** Defects of a ciphertext that decrypts nevertheless. */
export interface Damage {
  /** Bytes of the plaintext that are lost: from, to. */
  readonly from: number;
  readonly to: number;
}

/** One ciphertext, read under one key. */
export interface ChainReading {
  readonly mode: 'cbc' | 'ecb';
  /** Undefined: the first block is lost, since the IV is not known. */
  readonly iv: IvCandidate | undefined;
  /** The whole cipher output. */
  readonly plain: Uint8Array;
  /** Byte offsets at which CBC chaining restarts. */
  readonly restarts: readonly number[];
  readonly openings: readonly Opening[];
  readonly bits: number;
  readonly damage?: readonly Damage[];
  /** The reader of the payload accepted it, masked copies and hashes included. */
  readonly accepted?: boolean;
  /** Why the reader of the payload refused what opened all the same. */
  readonly refused?: string;
}

/** A ciphertext and its blocks decrypted one by one. */
export interface Chain {
  readonly ciphertext: Uint8Array;
  /** ECB output under the key on trial. */
  readonly blocks: Uint8Array;
  readonly blockSize: number;
  readonly ivs: readonly IvCandidate[];
  /** The test of the reader that found the ciphertext. */
  readonly open?: EncryptedField['open'] | undefined;
  /** Reads plaintext other than card data: PIN blocks. */
  readonly special?: ((plain: Uint8Array) => Opening | undefined) | undefined;
}

/** An IV of zeros, as long as a block of AES. */
export const ZERO_IV: IvCandidate = {bytes: new Uint8Array(16), source: 'zero'};

/** Less proves nothing of a part of a plaintext. */
export const LEAST_PART_BITS = 20;

/** The plaintext of CBC under `iv`. */
export function unchain({ciphertext, blocks, blockSize}: Chain, iv: Uint8Array): Uint8Array {
  const plain = new Uint8Array(blocks.length);
  for (let i = 0; i < plain.length; i++) {
    const before = i < blockSize ? iv[i]! : ciphertext[i - blockSize]!;
    plain[i] = blocks[i]! ^ before;
  }
  return plain;
}

/** A part of a chain, by byte offsets. */
export function sliceOf(chain: Chain, from: number, to: number): Chain {
  const ciphertext = chain.ciphertext.subarray(from, to);
  return {...chain, ciphertext, blocks: chain.blocks.subarray(from, to)};
}

/** How many bytes of a plaintext make sense: without a bit of evidence for each they do not. */
export function provenBytes(reading: ChainReading): number {
  return Math.min(explainedBytes(reading), reading.bits);
}

/** How many bytes of a plaintext have a meaning in its reading. */
export function explainedBytes({plain, openings, damage}: ChainReading): number {
  const lost = (damage ?? []).reduce((bytes, {from, to}) => bytes + to - from, 0);
  return openings.reduce((bytes, {unread = 0}) => bytes - unread, plain.length - lost);
}

/** Of two readings of one ciphertext under one key: what explains more, in fewer parts, is right. */
export function betterReading(
  a: ChainReading | undefined,
  b: ChainReading | undefined,
): ChainReading | undefined {
  if (!a || !b) return a ?? b;
  if (Math.min(a.bits, b.bits) < REQUIRED_BITS) return b.bits > a.bits ? b : a;
  const more = provenBytes(b) - provenBytes(a) || partsOf(a) - partsOf(b) || b.bits - a.bits;
  return more > 0 ? b : a;
}

function partsOf({restarts, openings}: ChainReading): number {
  return restarts.length + openings.length;
}
