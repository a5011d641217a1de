import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import type {EncryptedField} from '../../engine/reading.js';
import type {IvCandidate} from '../../input/interpretation.js';
import type {Place} from '../../input/notations/notation.js';
import {freshBytes} from '../../platform/fresh-bytes.js';
import type {Opening} from './opened-plaintext.js';

/** One ciphertext, decrypted and interpreted under one key. */
export interface ChainReading {
  /** Undefined: only the first block is proven, which both modes decrypt alike. */
  readonly mode: 'cbc' | 'ecb' | undefined;
  /** Undefined: the IV is not known, so the first block is lost. */
  readonly iv: IvCandidate | undefined;
  /** The complete output of the cipher. */
  readonly plain: Uint8Array;
  /** Byte offsets at which CBC chaining restarts. */
  readonly restarts?: readonly number[];
  readonly openings: readonly Opening[];
  readonly bits: number;
  /** The plaintext bytes that are lost to defects of a ciphertext that decrypts nevertheless. */
  readonly damage?: readonly Place[];
  /** The payload's reader accepted the plaintext, masked copies and hashes included. */
  readonly accepted?: boolean;
  /** Why the payload's reader rejected a plaintext that was recognised all the same. */
  readonly refused?: string;
}

/** A ciphertext and its blocks, each decrypted on its own. */
export interface Chain {
  /** The plaintexts under the IVs tried so far: many readings ask for the same. */
  readonly plains?: Map<Uint8Array, Uint8Array>;
  readonly ciphertext: Uint8Array;
  /** ECB output under the key being tried. */
  readonly blocks: Uint8Array;
  readonly blockSize: number;
  readonly ivs: readonly IvCandidate[];
  /** The check of the reader that found the ciphertext. */
  readonly open?: EncryptedField['open'] | undefined;
  /** The key opened another field: the reader is asked about every plaintext, however it begins. */
  readonly isProven?: boolean | undefined;
  /** Recognises plaintext other than card data: PIN blocks. */
  readonly special?: ((plain: Uint8Array) => Opening | undefined) | undefined;
}

/** An IV of zeros, long enough for AES. */
export const ZERO_IV: IvCandidate = {bytes: new Uint8Array(16), source: 'zero'};

/** Less evidence proves nothing about a part of a plaintext. */
export const MIN_PART_BITS = 20;

/** The plaintext of CBC under `iv`. */
export function unchain(chain: Chain, iv: Uint8Array): Uint8Array {
  const {ciphertext, blocks, blockSize, plains} = chain;
  const known = plains?.get(iv);
  if (known) return known;
  const plain = freshBytes(blocks.length);
  plains?.set(iv, plain);
  for (let i = 0; i < plain.length; i++) {
    const before = i < blockSize ? iv[i]! : ciphertext[i - blockSize]!;
    plain[i] = blocks[i]! ^ before;
  }
  return plain;
}

/** One way to decrypt a chain as a whole. */
export interface Way {
  readonly mode: 'cbc' | 'ecb';
  readonly iv: IvCandidate;
  readonly plain: Uint8Array;
}

/** CBC under each IV, and ECB, which differs from CBC only if there are several blocks. */
export function waysOf(chain: Chain, ivs: readonly IvCandidate[] = chain.ivs): Way[] {
  const {blocks, blockSize} = chain;
  const cbc = ivs.map((iv): Way => ({mode: 'cbc', iv, plain: unchain(chain, iv.bytes)}));
  return blocks.length > blockSize ? [...cbc, {mode: 'ecb', iv: ZERO_IV, plain: blocks}] : cbc;
}

/** CBC with the first block of the ciphertext as IV, if another follows it. */
export function prependedWay(chain: Chain): Way | undefined {
  const {ciphertext, blocks, blockSize} = chain;
  if (blocks.length <= blockSize) return undefined;
  const bytes = ciphertext.slice(0, blockSize);
  const plain = unchain(sliceOf(chain, blockSize, blocks.length), bytes);
  return {mode: 'cbc', iv: {bytes, source: 'prepended'}, plain};
}

/** All ways to decrypt a chain as a whole. */
export function allWaysOf(chain: Chain): Way[] {
  const prepended = prependedWay(chain);
  return [...waysOf(chain), ...(prepended ? [prepended] : [])];
}

/** The first of those with most evidence. */
export function mostProven(readings: readonly ChainReading[]): ChainReading | undefined {
  return readings.toSorted((a, b) => b.bits - a.bits)[0];
}

/** A part of a chain, by byte offsets. */
export function sliceOf(chain: Chain, from: number, to: number): Chain {
  const ciphertext = chain.ciphertext.subarray(from, to);
  return {...chain, ciphertext, blocks: chain.blocks.subarray(from, to), plains: new Map()};
}

/** Number of plaintext bytes with a meaning, limited to one per bit of evidence. */
export function provenBytes(reading: ChainReading): number {
  return Math.min(explainedBytes(reading), reading.bits);
}

/** Number of plaintext bytes with a meaning in this reading. */
export function explainedBytes({plain, openings, damage}: ChainReading): number {
  const lost = (damage ?? []).reduce((bytes, {from, to}) => bytes + to - from, 0);
  return openings.reduce((bytes, {unread = 0}) => bytes - unread, plain.length - lost);
}

/**
 * Of two readings of one ciphertext under one key, the one that explains more bytes with fewer
 * parts.
 */
export function betterReading(
  a: ChainReading | undefined,
  b: ChainReading | undefined,
): ChainReading | undefined {
  if (!a || !b) return a ?? b;
  if (Math.min(a.bits, b.bits) < REQUIRED_BITS) return b.bits > a.bits ? b : a;
  const more = provenBytes(b) - provenBytes(a) || partsOf(a) - partsOf(b) || b.bits - a.bits;
  return more > 0 ? b : a;
}

function partsOf({restarts = [], openings}: ChainReading): number {
  return restarts.length + openings.length;
}
