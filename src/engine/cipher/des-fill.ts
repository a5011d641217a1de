import {BOXES, desWords, KEY_TABLE, SINGLE_BOXES} from './des-memory.js';
import {P, PC1, PC2, S_BOXES, TOTAL_SHIFTS} from './des-tables.js';

/**
 * The tables of the DES kernel. Halves are rotated left by three bits, so that E needs no table: the
 * upper six bits of each byte are the input of an S-box. The two bits below them, in the first and
 * third byte of a half of a schedule word, number the pair of S-boxes of which a round has four; so
 * 16 bits are the address of a word as they are.
 */

/** The S-boxes in each table, counted from 0: for the upper six bits, for the lower six bits. */
const PAIRS = [
  [0, 2],
  [4, 6],
  [1, 3],
  [5, 7],
] as const;

const BOXES_AT = BOXES >> 2;
const SINGLES_AT = SINGLE_BOXES >> 2;
const KEYS_AT = KEY_TABLE >> 2;

/** The numbers of the pairs, in the words of part 0 (S-boxes 1 to 4) and part 4 (S-boxes 5 to 8). */
const PAIR_NUMBERS = [
  [0, 0x00000200],
  [4, 0x01000300],
] as const;

/** Fills the tables, once. */
export function fillDesTables(): void {
  if (desWords[BOXES_AT] !== 0) return;
  fillBoxes();
  fillKeyTable();
}

function fillBoxes(): void {
  const singles = S_BOXES.map((_, box) => spTable(box));
  for (const [box, words] of singles.entries()) desWords.set(words, SINGLES_AT + 64 * box);
  for (const [table, [upper, lower]] of PAIRS.entries()) {
    for (let i = 0; i < 64; i++)
      fillRow((i << 8) | (table << 6), singles[upper]![i]!, singles[lower]!);
  }
}

function fillRow(at: number, high: number, low: Int32Array): void {
  for (let j = 0; j < 64; j++) desWords[BOXES_AT + at + j] = high ^ low[j]!;
}

/** P of the output of one S-box, for each of its 64 inputs, rotated. */
function spTable(box: number): Int32Array {
  const outputs = S_BOXES[box]!;
  const words = Array.from({length: 16}, (_, output) => throughP(output << (28 - 4 * box)));
  return Int32Array.from({length: 64}, (_, input) => {
    const row = ((input >> 4) & 2) | (input & 1);
    return words[outputs[16 * row + ((input >> 1) & 15)]!]!;
  });
}

/** P of the output of all S-boxes, rotated. */
function throughP(output: number): number {
  let word = 0;
  for (const from of P) word = (word << 1) | ((output >>> (32 - from)) & 1);
  return (word << 3) | (word >>> 29);
}

/**
 * The key schedule is linear, so that of a key is the XOR of the schedules of its parts. A part is
 * seven bits of a byte of the left half and of the byte at the same position of the right half:
 * those that PC-1 moves to C (parts 0 to 3), or those that it moves to D (parts 4 to 7). For each
 * part and each of its values the table has sixteen words, one per round: C feeds only S-boxes 1 to
 * 4, D only 5 to 8, so one word holds the part's share of both words of the round, S-boxes 1 3 5 7
 * in the upper half and 2 4 6 8 in the lower half.
 *
 * Single bits come from the standard's tables, all other values are the XOR of two smaller ones.
 */
function fillKeyTable(): void {
  const places = placesInRoundKey();
  PC1.forEach((keyBit, position) => {
    writeBitSchedule(KEYS_AT + 16 * rowOf(keyBit - 1, position < 28), position, places);
  });
  for (let row = 0; row < 8 * 128; row++) sumSingleBits(row);
  for (const [part, numbers] of PAIR_NUMBERS) {
    const at = KEYS_AT + 2048 * part;
    for (let word = at; word < at + 2048; word++) desWords[word]! ^= numbers;
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
    desWords[at + round] = 1 << ((box & 1 ? 0 : 16) + (box & 2 ? 0 : 8) + 7 - (place % 6));
  });
}

/** Fills a row with more than one set bit; all rows with fewer bits must be complete. */
function sumSingleBits(row: number): void {
  const value = row & 127;
  const lowest = value & -value;
  if (value === lowest) return;
  const at = KEYS_AT + 16 * row;
  for (let word = at; word < at + 16; word++) {
    desWords[word] = desWords[word - 16 * lowest]! ^ desWords[word - 16 * (value ^ lowest)]!;
  }
}
