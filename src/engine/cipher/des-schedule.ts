import {PC1, PC2, TOTAL_SHIFTS} from './des-tables.js';

/**
 * DES key schedules from a table. The key schedule is linear, so that of a key is the XOR of the
 * schedules of its parts. A part is seven bits of a byte of the left half and of the byte at the
 * same position of the right half: those that PC-1 moves to C (parts 0 to 3), or those that it
 * moves to D (parts 4 to 7).
 */

/**
 * Words of a DES key schedule: two per round, S-boxes 1 3 5 7 in the first, 2 4 6 8 in the second.
 * The low six bits of each byte are key bits. The bits above them, in the second and the fourth
 * byte, number the pair of S-boxes, of which a round has four.
 */
export const SCHEDULE_WORDS = 32;

/** Words of the three passes of TDES. */
export const PASSES_WORDS = 3 * SCHEDULE_WORDS;

/**
 * For each part and each of its values sixteen words, one per round. C feeds only S-boxes 1 to 4, D
 * only 5 to 8, so one word holds the part's share of both schedule words: the first in the upper
 * half, the second in the lower half.
 */
const table = new Int32Array(8 * 128 * 16);

/** The numbers of the pairs, in the words of part 0 (S-boxes 1 to 4) and part 4 (S-boxes 5 to 8). */
const PAIR_NUMBERS = [
  [0, 0x00000080],
  [4, 0x004000c0],
] as const;
let filled = false;

/**
 * Writes the schedule of the key `left`, `right` (big-endian words) to `into`, starting at
 * `offset`; `reversed` gives the order for decryption. Parity bits are ignored.
 */
export function writeSchedule(
  into: Int32Array,
  offset: number,
  left: number,
  right: number,
  reversed: boolean,
): void {
  if (!filled) fillTable();
  const c0 = (((left >>> 25) & 0x70) | (right >>> 28)) << 4;
  const c1 = (0x80 | ((left >>> 17) & 0x70) | ((right >>> 20) & 15)) << 4;
  const c2 = (0x100 | ((left >>> 9) & 0x70) | ((right >>> 12) & 15)) << 4;
  const c3 = (0x180 | ((left >>> 1) & 0x70) | ((right >>> 4) & 15)) << 4;
  const d0 = (0x200 | ((left >>> 22) & 0x78) | ((right >>> 25) & 7)) << 4;
  const d1 = (0x280 | ((left >>> 14) & 0x78) | ((right >>> 17) & 7)) << 4;
  const d2 = (0x300 | ((left >>> 6) & 0x78) | ((right >>> 9) & 7)) << 4;
  const d3 = (0x380 | ((left << 2) & 0x78) | ((right >>> 1) & 7)) << 4;
  const flip = reversed ? 15 : 0;
  for (let round = 0; round < 16; round++) {
    const c = table[c0 + round]! ^ table[c1 + round]! ^ table[c2 + round]! ^ table[c3 + round]!;
    const d = table[d0 + round]! ^ table[d1 + round]! ^ table[d2 + round]! ^ table[d3 + round]!;
    const at = offset + 2 * (round ^ flip);
    into[at] = (c & 0xffff0000) | (d >>> 16);
    into[at + 1] = (c << 16) | (d & 0xffff);
  }
}

/**
 * Writes the three passes of TDES encryption (E, D, E), 96 words, of a key of four words (K1 K2
 * K1) or six (NIST SP 800-67).
 */
export function writeEncipherPasses(into: Int32Array, key: ArrayLike<number>): void {
  writeSchedule(into, 0, key[0]!, key[1]!, false);
  writeSchedule(into, SCHEDULE_WORDS, key[2]!, key[3]!, true);
  if (key.length === 4) copySchedule(into, 0, 2 * SCHEDULE_WORDS);
  else writeSchedule(into, 2 * SCHEDULE_WORDS, key[4]!, key[5]!, false);
}

/** Writes the three passes of TDES decryption (D, E, D); see `writeEncipherPasses`. */
export function writeDecipherPasses(into: Int32Array, key: ArrayLike<number>): void {
  writeSchedule(into, 2 * SCHEDULE_WORDS, key[0]!, key[1]!, true);
  writeSchedule(into, SCHEDULE_WORDS, key[2]!, key[3]!, false);
  if (key.length === 4) copySchedule(into, 2 * SCHEDULE_WORDS, 0);
  else writeSchedule(into, 0, key[4]!, key[5]!, true);
}

/** Faster at this length than `copyWithin`. */
function copySchedule(passes: Int32Array, from: number, to: number): void {
  for (let w = 0; w < SCHEDULE_WORDS; w++) passes[to + w] = passes[from + w]!;
}

/**
 * Takes single bits from the standard's tables, and all other values as the XOR of two smaller
 * ones.
 */
function fillTable(): void {
  filled = true;
  const places = placesInRoundKey();
  PC1.forEach((keyBit, position) => {
    writeBitSchedule(16 * rowOf(keyBit - 1, position < 28), position, places);
  });
  for (let row = 0; row < 8 * 128; row++) sumSingleBits(row);
  for (const [part, numbers] of PAIR_NUMBERS) {
    for (let at = 2048 * part; at < 2048 * (part + 1); at++) table[at]! ^= numbers;
  }
}

/** The row of the table for the key whose only set bit is `bit` (0 to 63). */
function rowOf(bit: number, inC: boolean): number {
  const part = ((bit >> 3) & 3) + (inC ? 0 : 4);
  const inByte = bit & 7;
  const ofLeft = bit < 32;
  if (inC) return 128 * part + ((ofLeft ? 0x40 : 8) >> inByte);
  return 128 * part + (ofLeft ? 0x40 >> (inByte - 3) : 4 >> (inByte - 4));
}

/** The position in the round key for each of the 56 positions of C and D; -1 if PC-2 drops it. */
function placesInRoundKey(): Int8Array {
  const places = new Int8Array(56).fill(-1);
  PC2.forEach((position, place) => {
    places[position - 1] = place;
  });
  return places;
}

/** Writes the schedule of the key whose only set bit is at `position` of C and D. */
function writeBitSchedule(at: number, position: number, places: Int8Array): void {
  const half = position < 28 ? 0 : 28;
  TOTAL_SHIFTS.forEach((shift, round) => {
    const place = places[half + ((position - half + 28 - shift) % 28)]!;
    if (place < 0) return;
    const box = Math.floor(place / 6) & 3;
    table[at + round] = 1 << ((box & 1 ? 0 : 16) + (box & 2 ? 0 : 8) + 5 - (place % 6));
  });
}

/** Fills a row with more than one set bit; all rows with fewer bits must be complete. */
function sumSingleBits(row: number): void {
  const value = row & 127;
  const lowest = value & -value;
  if (value === lowest) return;
  for (let at = 16 * row; at < 16 * row + 16; at++) {
    table[at] = table[at - 16 * lowest]! ^ table[at - 16 * (value ^ lowest)]!;
  }
}
