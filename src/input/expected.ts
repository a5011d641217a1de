import {toWords} from '../engine/cipher/words.js';
import {bytesFromHex, bytesFromLatin1, bytesFromUtf8, hexOf, isHex} from '../platform/bytes.js';

/** Fewer than two bytes prove nothing. */
const MIN_EXPECTED_DIGITS = 4;

/**
 * The plaintext beginnings that `text` may mean, in lower-case hex: its characters; its digits, if
 * it is hex; a track in packed digits, or without its leading sentinel.
 */
export function expectedBeginnings(text: string): string[] {
  const compact = text.replaceAll(/0x|[\s:,_-]/gi, '').toLowerCase();
  const isTrack2 = /^;?\d{4,19}(?:=[0-9:;<=>]*\??)?$/.test(text);
  const forms = [
    ...(isHex(compact) ? [compact] : []),
    hexOf(bytesFromUtf8(text)),
    ...(isTrack2 && !text.startsWith(';') ? [textHex(`;${text}`)] : []),
    ...(isTrack2 ? [packed(text), packed(text.replace(/^;/, ''))] : []),
    ...(/^[A-Z]\d{4}/.test(text) ? [textHex(`%${text}`)] : []),
  ];
  return [...new Set(forms)].filter(({length}) => length >= MIN_EXPECTED_DIGITS);
}

function textHex(text: string): string {
  return hexOf(bytesFromLatin1(text));
}

/** Four bits per character, as track 2 is packed. */
function packed(text: string): string {
  return [...text].map((c) => (c.charCodeAt(0) - 0x30).toString(16)).join('');
}

/** The first 32 bytes of an expected plaintext as words, and a mask of the bits that are known. */
export interface FirstBlocks {
  readonly words: Int32Array;
  readonly masks: Int32Array;
}

const FIRST_DIGITS = 64;

/** Prepares a beginning in hex for comparison with many blocks. */
export function firstBlocksOf(hex: string): FirstBlocks {
  const first = hex.slice(0, FIRST_DIGITS);
  return {words: wordsOf(first), masks: wordsOf('f'.repeat(first.length))};
}

function wordsOf(hex: string): Int32Array {
  return toWords(bytesFromHex(hex.padEnd(FIRST_DIGITS, '0')) ?? new Uint8Array());
}

/**
 * Whether the first two blocks of `size` words match an expected plaintext: the first under one of
 * `ivs`, or the second chained to the first block of the ciphertext if the IV is not known.
 */
export function beginsAsExpected(
  blocks: Int32Array,
  ciphertext: Int32Array,
  ivs: readonly Int32Array[],
  expected: readonly FirstBlocks[],
  size = 2,
): boolean {
  return expected.some(
    (one) =>
      ivs.some((iv) => isBlock(blocks, iv, one, 0, size)) ||
      (one.masks[size] !== 0 && isBlock(blocks, ciphertext, one, size, size)),
  );
}

function isBlock(
  blocks: Int32Array,
  previous: Int32Array,
  {words, masks}: FirstBlocks,
  from: number,
  size: number,
): boolean {
  for (let i = 0; i < size; i++) {
    const difference = blocks[from + i]! ^ previous[i]! ^ words[from + i]!;
    if ((difference & masks[from + i]!) !== 0) return false;
  }
  return true;
}
