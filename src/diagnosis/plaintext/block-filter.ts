/**
 * Cheap tests of the first block of a possible plaintext, so that only ciphertext that may begin
 * with card data is decrypted completely. Random bytes pass about once in 150.
 */

/** Whether card data can begin at `at`. */
export function canBeginAt(plain: Uint8Array, at = 0): boolean {
  return canBegin(wordAt(plain, at), wordAt(plain, at + 4), plain.length - at);
}

/** Whether a TLV list can begin at `at`. */
export function canBeginTlvAt(plain: Uint8Array, at = 0): boolean {
  return canBeginTlv(wordAt(plain, at), wordAt(plain, at + 4), plain.length - at);
}

/** The big-endian word at `at`; bytes past the end are zero. */
export function wordAt(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)
  );
}

/** Bits of a byte's class. */
export const PRINTABLE = 1;
export const DIGITS = 2;
export const DIGITS_D_F = 4;

const CLASS = Uint8Array.from({length: 256}, (_, byte) => classesOf(byte));

/** Whether a block of two big-endian words can be the first of `length` bytes of card data. */
export function canBegin(hi: number, lo: number, length: number): boolean {
  if ((hi | lo) === 0) return true;
  if (canFollow(hi, lo, PRINTABLE) || beginsWithDigits(hi, lo) || isSixBitTrack(hi)) return true;
  return canBeginElements(hi, lo) || canBeginTlv(hi, lo, length) || patternBits(hi, lo) > 0;
}

/** Whether a block is packed digits, after a possible sentinel, up to a separator or filler. */
export function beginsWithDigits(hi: number, lo: number): boolean {
  const first = hi >>> 24;
  const head =
    CLASS[(hi >>> 16) & 255]! &
    CLASS[(hi >>> 8) & 255]! &
    CLASS[hi & 255]! &
    CLASS[lo >>> 24]! &
    CLASS[(lo >>> 16) & 255]!;
  if ((head & DIGITS) === 0) return false;
  if ((CLASS[lo & 255]! & CLASS[(lo >>> 8) & 255]! & DIGITS_D_F) === 0) return false;
  return (CLASS[first]! & DIGITS) !== 0 || (first >> 4 === 0xb && (first & 15) < 10);
}

/** Whether a block begins as `%B` in six bits, as far as two bytes tell. */
export function isSixBitTrack(hi: number): boolean {
  return hi >>> 20 === 0x162;
}

/** The classes of a byte. */
export function classOf(byte: number): number {
  return CLASS[byte]!;
}

/** The elements of a host message by number, with their shortest and longest text. */
const ELEMENTS: Readonly<Record<number, readonly [number, number]>> = {
  2: [12, 19],
  14: [4, 6],
  35: [13, 37],
  36: [13, 104],
  45: [15, 76],
};

/** Whether a block can be the first of elements with a length of two bytes (IFSF). */
export function canBeginElements(hi: number, lo: number): boolean {
  if ((hi & 0x00ff0000) !== 0) return false;
  const range = ELEMENTS[hi >>> 24];
  const length = (hi >>> 8) & 255;
  if (!range || length < range[0] || length > range[1]) return false;
  return (CLASS[hi & 255]! & CLASS[lo >>> 24]! & CLASS[(lo >>> 16) & 255]! & PRINTABLE) !== 0;
}

/** Whether a block can be inside a plaintext: all text, digits with their separator, a pattern. */
export function canContinue(hi: number, lo: number): boolean {
  return canFollow(hi, lo, PRINTABLE | DIGITS) || patternBits(hi, lo) > 0;
}

/** Whether all bytes of a block are of one of these classes. */
export function canFollow(hi: number, lo: number, classes: number): boolean {
  const all =
    CLASS[hi >>> 24]! &
    CLASS[(hi >>> 16) & 255]! &
    CLASS[(hi >>> 8) & 255]! &
    CLASS[hi & 255]! &
    CLASS[lo >>> 24]! &
    CLASS[(lo >>> 16) & 255]! &
    CLASS[(lo >>> 8) & 255]! &
    CLASS[lo & 255]!;
  return (all & classes) !== 0;
}

/**
 * Evidence in bits from a block that repeats or counts; 0 for any other. Accepts equal steps from
 * byte to byte (00 11 22, 41 42 43, FF FF FF), counting digits (01 23 45, 90 12 34), and one to
 * four repeated bytes.
 */
export function patternBits(hi: number, lo: number): number {
  if (countsByDigit(hi, lo)) return COUNTING_BITS;
  if (hasEqualSteps(hi, lo)) return STEP_BITS;
  if (hi !== lo) return 0;
  return hi >>> 16 === (hi & 0xffff) ? STEP_BITS : HALF_BITS;
}

/** Of sixteen digits only the first one, and the base and direction of counting, are free. */
const COUNTING_BITS = 58;
const STEP_BITS = 46;
const HALF_BITS = 30;

function hasEqualSteps(hi: number, lo: number): boolean {
  const step = (hi >>> 16) - (hi >>> 24);
  for (let i = 1; i < 7; i++) {
    if (((byteOf(hi, lo, i + 1) - byteOf(hi, lo, i) - step) & 255) !== 0) return false;
  }
  return true;
}

function byteOf(hi: number, lo: number, i: number): number {
  return (i < 4 ? hi >>> (24 - 8 * i) : lo >>> (56 - 8 * i)) & 255;
}

function countsByDigit(hi: number, lo: number): boolean {
  const step = (((hi >>> 24) & 15) - (hi >>> 28)) & 15;
  const wraps = step === 1 || step === 7 ? 1 : step === 15 || step === 9 ? -1 : 0;
  return wraps !== 0 && (isCount(hi, lo, wraps, 16) || isCount(hi, lo, wraps, 10));
}

function isCount(hi: number, lo: number, step: number, base: number): boolean {
  for (let i = 0; i < 15; i++) {
    const digit = digitOf(hi, lo, i);
    if (digit >= base || digitOf(hi, lo, i + 1) !== (digit + step + base) % base) return false;
  }
  return true;
}

function digitOf(hi: number, lo: number, i: number): number {
  return (i < 8 ? hi >>> (28 - 4 * i) : lo >>> (60 - 4 * i)) & 15;
}

/** One-byte tags that begin decrypted lists, with their smallest and largest length. */
const ONE_BYTE: Readonly<Record<number, readonly [number, number]>> = {
  66: [3, 3],
  79: [5, 16],
  80: [1, 16],
  86: [1, 79],
  87: [8, 20],
  90: [6, 10],
  130: [2, 2],
  132: [5, 16],
  142: [10, 32],
  149: [5, 5],
  154: [3, 3],
  156: [1, 1],
};

const CONSTRUCTED = new Set([
  ...[0x61, 0x6f, 0x70, 0x71, 0x72, 0x73, 0x77, 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6],
  // MagTek's containers (D99875629, appendix A).
  ...[0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xf9, 0xfa, 0xfc],
]);
/** Whether a list can begin with this byte. */
const BEGINS_TLV = Uint8Array.from({length: 256}, (_, byte) =>
  ONE_BYTE[byte] || CONSTRUCTED.has(byte) || [0x5f, 0x9f, 0xdf].includes(byte) ? 1 : 0,
);
const SECOND_OF_5F = new Set([0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x28, 0x2a, 0x2d, 0x30, 0x34]);
const SECOND_OF_DF = new Set([0x81, 0x82, 0x83, 0xae, 0xdb, 0xdf, 0xee, 0xef, 0xed, 0xec, 0x17]);

/** Whether a block can be the first of a decrypted TLV list of `length` bytes. */
export function canBeginTlv(hi: number, lo: number, length: number): boolean {
  const first = hi >>> 24;
  if (BEGINS_TLV[first] === 0) return false;
  const second = (hi >>> 16) & 255;
  const third = (hi >>> 8) & 255;
  const range = ONE_BYTE[first];
  if (range) {
    if (second < range[0] || second > range[1] || second + 2 > length) return false;
    const isNumber = first === 0x57 || first === 0x5a;
    return !isNumber || (CLASS[third]! & CLASS[hi & 255]! & CLASS[lo >>> 24]! & DIGITS) !== 0;
  }
  if (first === 0x5f) return SECOND_OF_5F.has(second) && third + 3 <= length && third <= 79;
  if (first === 0x9f) return second < 0x80 && third <= 32 && third > 0 && third + 3 <= length;
  if (first === 0xdf) return SECOND_OF_DF.has(second) || second < 0x40;
  return CONSTRUCTED.has(first) && isWholeBlock(hi, length);
}

/** True for a container with a one-byte tag that ends where the data does, apart from padding. */
function isWholeBlock(hi: number, length: number): boolean {
  const second = (hi >>> 16) & 255;
  const third = (hi >>> 8) & 255;
  const [value, header] =
    second === 0x82 ? [hi & 0xffff, 4] : second === 0x81 ? [third, 3] : [second, 2];
  const rest = length - value - header;
  return (second < 0x80 || header > 2) && rest >= 0 && rest <= 16;
}

function classesOf(byte: number): number {
  const isText = (byte >= 0x20 && byte <= 0x7e) || byte === 9 || byte === 10 || byte === 13;
  const high = byte >> 4;
  const low = byte & 15;
  const isNibble = (n: number) => n < 10 || n === 13 || n === 15;
  return (
    (isText ? PRINTABLE : 0) |
    (high < 10 && low < 10 ? DIGITS : 0) |
    (isNibble(high) && isNibble(low) ? DIGITS_D_F : 0)
  );
}
