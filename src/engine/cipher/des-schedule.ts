import {PC1, PC2, TOTAL_SHIFTS} from './des-tables.js';

/**
 * The DES key schedule by table: it is linear, so the schedule of a key is the XOR of the
 * schedules of its bytes.
 */

/** Words of a DES key schedule: two a round, S-boxes 1 3 5 7 in the first, 2 4 6 8 in the second. */
export const SCHEDULE_WORDS = 32;

/** For each key byte and each value of its upper seven bits (the eighth is parity) a schedule. */
let table: Int32Array | undefined;

/**
 * Writes the schedule of the key `left`, `right` (big-endian words) to `into` from `offset` on;
 * `reversed` gives the order of deciphering. Parity bits are ignored.
 */
export function writeSchedule(
  into: Int32Array,
  offset: number,
  left: number,
  right: number,
  reversed: boolean,
): void {
  table ??= buildTable();
  const t = table;
  const a = (left >>> 25) << 5;
  const b = (128 + ((left >>> 17) & 127)) << 5;
  const c = (256 + ((left >>> 9) & 127)) << 5;
  const d = (384 + ((left >>> 1) & 127)) << 5;
  const e = (512 + (right >>> 25)) << 5;
  const f = (640 + ((right >>> 17) & 127)) << 5;
  const g = (768 + ((right >>> 9) & 127)) << 5;
  const h = (896 + ((right >>> 1) & 127)) << 5;
  const flip = reversed ? SCHEDULE_WORDS - 2 : 0;
  for (let w = 0; w < SCHEDULE_WORDS; w++) {
    into[offset + (w ^ flip)] =
      t[a + w]! ^ t[b + w]! ^ t[c + w]! ^ t[d + w]! ^ t[e + w]! ^ t[f + w]! ^ t[g + w]! ^ t[h + w]!;
  }
}

/**
 * The three passes of TDES encryption, 96 words, for a key of four words (K1 K2 K1) or six
 * (NIST SP 800-67: E, D, E).
 */
export function encipherPasses(key: Int32Array): Int32Array {
  const passes = new Int32Array(3 * SCHEDULE_WORDS);
  const third = key.length === 4 ? 0 : 4;
  writeSchedule(passes, 0, key[0]!, key[1]!, false);
  writeSchedule(passes, SCHEDULE_WORDS, key[2]!, key[3]!, true);
  writeSchedule(passes, 2 * SCHEDULE_WORDS, key[third]!, key[third + 1]!, false);
  return passes;
}

/** The three passes of TDES decryption (D, E, D), as `encipherPasses`. */
export function decipherPasses(key: Int32Array): Int32Array {
  const passes = new Int32Array(3 * SCHEDULE_WORDS);
  const third = key.length === 4 ? 0 : 4;
  writeSchedule(passes, 0, key[third]!, key[third + 1]!, true);
  writeSchedule(passes, SCHEDULE_WORDS, key[2]!, key[3]!, false);
  writeSchedule(passes, 2 * SCHEDULE_WORDS, key[0]!, key[1]!, true);
  return passes;
}

/** 8 x 128 schedules: those of single bits from the standard's tables, the others by XOR. */
function buildTable(): Int32Array {
  const built = new Int32Array(8 * 128 * SCHEDULE_WORDS);
  const positions = placesInRoundKey();
  PC1.forEach((keyBit, position) => {
    const row = ((keyBit - 1) >> 3) * 128 + (64 >> ((keyBit - 1) & 7));
    writeBitSchedule(built.subarray(row * SCHEDULE_WORDS), position, positions);
  });
  for (let row = 0; row < 8 * 128; row++) sumSingleBits(built, row);
  return built;
}

/** For each of the 56 positions of C and D its place in the round key, -1 where PC-2 drops it. */
function placesInRoundKey(): Int8Array {
  const places = new Int8Array(56).fill(-1);
  PC2.forEach((position, place) => {
    places[position - 1] = place;
  });
  return places;
}

/** The schedule of the key whose only set bit stands at `position` of C and D. */
function writeBitSchedule(into: Int32Array, position: number, places: Int8Array): void {
  const half = position < 28 ? 0 : 28;
  TOTAL_SHIFTS.forEach((shift, round) => {
    const place = places[half + ((position - half + 28 - shift) % 28)]!;
    if (place < 0) return;
    const box = Math.floor(place / 6);
    into[2 * round + (box & 1)] = 1 << (24 - 8 * (box >> 1) + 5 - (place % 6));
  });
}

/** Fills a row of more than one set bit; rows of fewer bits are complete by then. */
function sumSingleBits(built: Int32Array, row: number): void {
  const lowest = row & 127 & -(row & 127);
  const rest = (row & 127) ^ lowest;
  if (rest === 0) return;
  const from = row * SCHEDULE_WORDS;
  for (let w = from; w < from + SCHEDULE_WORDS; w++) {
    built[w] = built[w - lowest * SCHEDULE_WORDS]! ^ built[w - rest * SCHEDULE_WORDS]!;
  }
}
