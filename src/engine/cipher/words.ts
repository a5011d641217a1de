/** The big-endian word of `bytes` at index `at`. */
export function readWord(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}

/** Writes `word` to `bytes` at index `at`, big-endian. */
export function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}

/** `bytes`, which must be whole words, as big-endian words. */
export function toWords(bytes: Uint8Array): Int32Array {
  const words = new Int32Array(bytes.length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = readWord(bytes, 4 * i);
  return words;
}

/**
 * The words of a key of at least 16 bytes, big-endian, in a plain array: with typed arrays, and
 * `fill` to clear them, a read under AES DUKPT takes 8 % longer to derive and decrypt.
 */
export function keyWordsOf(bytes: Uint8Array): number[] {
  const words = [readWord(bytes, 0), readWord(bytes, 4), readWord(bytes, 8), readWord(bytes, 12)];
  for (let at = 16; at < bytes.length; at += 4) words.push(readWord(bytes, at));
  return words;
}

/** The bytes of the first `length` words, big-endian, in their own ArrayBuffer. */
export function toBytes(words: Int32Array, length = words.length): Uint8Array {
  const bytes = new Uint8Array(4 * length);
  for (let i = 0; i < length; i++) writeWord(bytes, 4 * i, words[i]!);
  return bytes;
}

/** Zeroes a few words. */
export function clear(words: Int32Array | number[]): void {
  for (let i = 0; i < words.length; i++) words[i] = 0;
}

/** Whether words are the expected ones, signed or not. */
export function isSameWords(words: Int32Array, expected: readonly number[]): boolean {
  return expected.every((word, i) => words[i] === (word | 0));
}
