import {toWords} from '../../engine/cipher/words.js';
import {bytesFromHex, isHex} from '../../platform/bytes.js';

/** Less than two bytes says nothing. */
const LEAST_DIGITS = 4;

/**
 * The beginnings that a person may mean by `text`, in lower-case hex: its characters; its digits, where
 * it is hex; a track in packed digits, or without the sentinel that stands in front.
 */
export function expectedBeginnings(text: string): string[] {
  const compact = text.replaceAll(/0x|[\s:,_-]/gi, '').toLowerCase();
  const isTrack2 = /^;?\d{4,19}(?:=[0-9:;<=>]*\??)?$/.test(text);
  const forms = [
    ...(isHex(compact) ? [compact] : []),
    Buffer.from(text, 'utf8').toString('hex'),
    ...(isTrack2 && !text.startsWith(';') ? [textHex(`;${text}`)] : []),
    ...(isTrack2 ? [packed(text), packed(text.replace(/^;/, ''))] : []),
    ...(/^[A-Z]\d{4}/.test(text) ? [textHex(`%${text}`)] : []),
  ];
  return [...new Set(forms)].filter(({length}) => length >= LEAST_DIGITS);
}

function textHex(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex');
}

/** Four bits a character, as tracks 2 are packed. */
function packed(text: string): string {
  return [...text].map((c) => (c.charCodeAt(0) - 0x30).toString(16)).join('');
}

/** The first 32 bytes of an expected plaintext as words, and which of their bits are known. */
export interface FirstBlocks {
  readonly words: Int32Array;
  readonly masks: Int32Array;
}

const FIRST_DIGITS = 64;

/** Makes a beginning in hex ready to be compared with many blocks. */
export function firstBlocksOf(hex: string): FirstBlocks {
  const first = hex.slice(0, FIRST_DIGITS);
  const known = 'f'.repeat(first.length);
  return {words: wordsOf(first), masks: wordsOf(known)};
}

function wordsOf(hex: string): Int32Array {
  return toWords(bytesFromHex(hex.padEnd(FIRST_DIGITS, '0')) ?? new Uint8Array());
}

/**
 * Whether the first two blocks of `size` words are those of an expected plaintext: the first under
 * one of `ivs`, or the second after the first of the ciphertext, where the IV is not known.
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
