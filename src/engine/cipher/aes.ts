import {columnWords, inverseBox, sBox} from './aes-tables.js';

/**
 * The AES kernel (FIPS 197). Blocks are four big-endian words, one per column. A schedule holds
 * four words per round key; a key of 4, 6 or 8 words has 10, 12 or 14 rounds.
 *
 * Like every table-driven AES it does not run in constant time.
 */

// Constant tables in this module itself: V8 drops the bounds checks of their look-ups. They are
// filled at first use. E holds SubBytes and MixColumns of a byte in each position of a column, D
// the same for the inverse cipher.
const S = new Uint8Array(256);
const INVERSE_S = new Uint8Array(256);
const E0 = new Int32Array(256);
const E1 = new Int32Array(256);
const E2 = new Int32Array(256);
const E3 = new Int32Array(256);
const D0 = new Int32Array(256);
const D1 = new Int32Array(256);
const D2 = new Int32Array(256);
const D3 = new Int32Array(256);

/** Words reserved for the schedule of any key; the longest schedule has 60. */
export const AES_SCHEDULE_WORDS = 64;

/** The number of rounds for a key of 4, 6 or 8 words. */
export function aesRounds(keyWords: number): number {
  return keyWords + 6;
}

/** Writes the schedule of the first `keyWords` words of `key` to `into` (FIPS 197, 5.2). */
export function writeAesSchedule(into: Int32Array, key: ArrayLike<number>, keyWords: number): void {
  if (S[0] === 0) fillTables();
  const end = 4 * (aesRounds(keyWords) + 1);
  for (let i = 0; i < keyWords; i++) into[i] = key[i]!;
  let constant = 1;
  for (let i = keyWords; i < end; i += keyWords) {
    const last = into[i - 1]!;
    let word = substitute((last << 8) | (last >>> 24)) ^ (constant << 24);
    constant = (constant << 1) ^ (constant & 0x80 ? 0x11b : 0);
    for (let j = i; j < i + keyWords; j++) {
      if (j === i + 4 && keyWords === 8) word = substitute(word);
      word ^= into[j - keyWords]!;
      into[j] = word;
    }
  }
}

/** Writes the schedule of the equivalent inverse cipher (FIPS 197, 5.3.5) of `schedule`. */
export function writeAesInverseSchedule(
  into: Int32Array,
  schedule: Int32Array,
  keyWords: number,
): void {
  const last = 4 * aesRounds(keyWords);
  for (let i = 0; i < 4; i++) {
    into[i] = schedule[last + i]!;
    into[last + i] = schedule[i]!;
  }
  for (let i = 4; i < last; i++) {
    into[i] = unmix(schedule[last - (i & ~3) + (i & 3)]!);
  }
}

/**
 * Writes the inverse schedule of a key of four words, if no other schedule of it is needed.
 * InvMixColumns is linear, so it is applied to what a round adds to the words before it: once per
 * round key instead of four times.
 */
export function writeAes128InverseSchedule(into: Int32Array, key: ArrayLike<number>): void {
  if (S[0] === 0) fillTables();
  let p = key[0]!;
  let q = key[1]!;
  let r = key[2]!;
  let s = key[3]!;
  for (let i = 0; i < 4; i++) into[40 + i] = key[i]!;
  let a = unmix(p);
  let b = unmix(q);
  let c = unmix(r);
  let d = unmix(s);
  let constant = 1;
  for (let at = 36; at >= 0; at -= 4) {
    const added = substitute((s << 8) | (s >>> 24)) ^ (constant << 24);
    constant = (constant << 1) ^ (constant & 0x80 ? 0x11b : 0);
    p ^= added;
    q ^= p;
    r ^= q;
    s ^= r;
    a ^= unmix(added);
    b ^= a;
    c ^= b;
    d ^= c;
    into[at] = a;
    into[at + 1] = b;
    into[at + 2] = c;
    into[at + 3] = d;
  }
  into[0] = p;
  into[1] = q;
  into[2] = r;
  into[3] = s;
}

/** InvMixColumns of one column, four bytes at once (FIPS 197, 5.3.3). */
function unmix(word: number): number {
  const two = double(word);
  const four = double(two);
  const eight = double(four);
  const nine = word ^ eight;
  const eleven = two ^ nine;
  const thirteen = four ^ nine;
  return (
    two ^
    four ^
    eight ^
    ((eleven << 8) | (eleven >>> 24)) ^
    ((thirteen << 16) | (thirteen >>> 16)) ^
    ((nine << 24) | (nine >>> 8))
  );
}

/** Each byte times 2 in the field of AES. */
function double(word: number): number {
  return ((word & 0x7f7f7f7f) << 1) ^ (((word >>> 7) & 0x01010101) * 0x1b);
}

/**
 * Encrypts the block in place under `keys`, a schedule of `rounds` rounds. SubBytes, ShiftRows and
 * MixColumns of each column are written out, because whether V8 inlines a function cannot be relied
 * on.
 */
export function encipherBlock(block: Int32Array, keys: Int32Array, rounds: number): void {
  let a = block[0]! ^ keys[0]!;
  let b = block[1]! ^ keys[1]!;
  let c = block[2]! ^ keys[2]!;
  let d = block[3]! ^ keys[3]!;
  const last = 4 * rounds;
  for (let k = 4; k < last; k += 4) {
    const w =
      E0[a >>> 24]! ^ E1[(b >>> 16) & 255]! ^ E2[(c >>> 8) & 255]! ^ E3[d & 255]! ^ keys[k]!;
    const x =
      E0[b >>> 24]! ^ E1[(c >>> 16) & 255]! ^ E2[(d >>> 8) & 255]! ^ E3[a & 255]! ^ keys[k + 1]!;
    const y =
      E0[c >>> 24]! ^ E1[(d >>> 16) & 255]! ^ E2[(a >>> 8) & 255]! ^ E3[b & 255]! ^ keys[k + 2]!;
    d = E0[d >>> 24]! ^ E1[(a >>> 16) & 255]! ^ E2[(b >>> 8) & 255]! ^ E3[c & 255]! ^ keys[k + 3]!;
    a = w;
    b = x;
    c = y;
  }
  block[0] = box(S, a, b, c, d) ^ keys[last]!;
  block[1] = box(S, b, c, d, a) ^ keys[last + 1]!;
  block[2] = box(S, c, d, a, b) ^ keys[last + 2]!;
  block[3] = box(S, d, a, b, c) ^ keys[last + 3]!;
}

/**
 * Replaces a key of four words by the ciphertext of the block `w`, `x`, `y`, `z` under it. The key
 * is used only once, so its schedule is computed round by round (FIPS 197, 5.1 and 5.2).
 */
export function encipherOverKey(key: Int32Array, w: number, x: number, y: number, z: number): void {
  if (S[0] === 0) fillTables();
  let p = key[0]!;
  let q = key[1]!;
  let r = key[2]!;
  let s = key[3]!;
  let a = w ^ p;
  let b = x ^ q;
  let c = y ^ r;
  let d = z ^ s;
  let constant = 1;
  for (let round = 1; round < 10; round++) {
    p ^= box(S, s << 8, s << 8, s << 8, s >>> 24) ^ (constant << 24);
    q ^= p;
    r ^= q;
    s ^= r;
    constant = (constant << 1) ^ (constant & 0x80 ? 0x11b : 0);
    const e = E0[a >>> 24]! ^ E1[(b >>> 16) & 255]! ^ E2[(c >>> 8) & 255]! ^ E3[d & 255]! ^ p;
    const f = E0[b >>> 24]! ^ E1[(c >>> 16) & 255]! ^ E2[(d >>> 8) & 255]! ^ E3[a & 255]! ^ q;
    const g = E0[c >>> 24]! ^ E1[(d >>> 16) & 255]! ^ E2[(a >>> 8) & 255]! ^ E3[b & 255]! ^ r;
    d = E0[d >>> 24]! ^ E1[(a >>> 16) & 255]! ^ E2[(b >>> 8) & 255]! ^ E3[c & 255]! ^ s;
    a = e;
    b = f;
    c = g;
  }
  p ^= box(S, s << 8, s << 8, s << 8, s >>> 24) ^ (constant << 24);
  q ^= p;
  r ^= q;
  key[0] = box(S, a, b, c, d) ^ p;
  key[1] = box(S, b, c, d, a) ^ q;
  key[2] = box(S, c, d, a, b) ^ r;
  key[3] = box(S, d, a, b, c) ^ s ^ r;
}

/** Decrypts the block in place under `keys`, an inverse schedule of `rounds` rounds. */
export function decipherBlock(block: Int32Array, keys: Int32Array, rounds: number): void {
  let a = block[0]! ^ keys[0]!;
  let b = block[1]! ^ keys[1]!;
  let c = block[2]! ^ keys[2]!;
  let d = block[3]! ^ keys[3]!;
  const last = 4 * rounds;
  for (let k = 4; k < last; k += 4) {
    const w =
      D0[a >>> 24]! ^ D1[(d >>> 16) & 255]! ^ D2[(c >>> 8) & 255]! ^ D3[b & 255]! ^ keys[k]!;
    const x =
      D0[b >>> 24]! ^ D1[(a >>> 16) & 255]! ^ D2[(d >>> 8) & 255]! ^ D3[c & 255]! ^ keys[k + 1]!;
    const y =
      D0[c >>> 24]! ^ D1[(b >>> 16) & 255]! ^ D2[(a >>> 8) & 255]! ^ D3[d & 255]! ^ keys[k + 2]!;
    d = D0[d >>> 24]! ^ D1[(c >>> 16) & 255]! ^ D2[(b >>> 8) & 255]! ^ D3[a & 255]! ^ keys[k + 3]!;
    a = w;
    b = x;
    c = y;
  }
  block[0] = box(INVERSE_S, a, d, c, b) ^ keys[last]!;
  block[1] = box(INVERSE_S, b, a, d, c) ^ keys[last + 1]!;
  block[2] = box(INVERSE_S, c, b, a, d) ^ keys[last + 2]!;
  block[3] = box(INVERSE_S, d, c, b, a) ^ keys[last + 3]!;
}

/** One column of the last round, which has no column mix. */
function box(table: Uint8Array, a: number, b: number, c: number, d: number): number {
  return (
    (table[a >>> 24]! << 24) |
    (table[(b >>> 16) & 255]! << 16) |
    (table[(c >>> 8) & 255]! << 8) |
    table[d & 255]!
  );
}

function substitute(word: number): number {
  return box(S, word, word, word, word);
}

function fillTables(): void {
  S.set(sBox());
  INVERSE_S.set(inverseBox(S));
  rotate(columnWords(S, [2, 1, 1, 3]), [E0, E1, E2, E3]);
  rotate(columnWords(INVERSE_S, [14, 9, 13, 11]), [D0, D1, D2, D3]);
}

/** Writes `words` to each table, rotated right by one more byte each time. */
function rotate(words: Int32Array, tables: readonly Int32Array[]): void {
  for (const table of tables) {
    table.set(words);
    for (const [i, word] of words.entries()) words[i] = (word >>> 8) | (word << 24);
  }
}
