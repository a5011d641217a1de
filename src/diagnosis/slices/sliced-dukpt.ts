import {writeWord} from '../../engine/cipher/words.js';
import {VARIANT_MASKS, type Variant} from '../../engine/dukpt/key-usage.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import {bytesOfHex} from '../../platform/bytes.js';
import type {KeyRole} from '../candidates/key-candidates.js';
import {IP_TABLE, LANES, SLICE_BYTES, type SlicedDes, scheduleTable} from './sliced-des.js';

/** A key of 16 bytes, and the KSN of 10 bytes under which it is tried, if it needs one. */
export interface Lane {
  readonly bytes: Uint8Array;
  readonly ksn: Ksn | undefined;
}

const BLOCK_SLICES = 64;
const KEY_SLICES = 128;
const HALF = SLICE_BYTES * BLOCK_SLICES;
const GROUP_BYTES = SLICE_BYTES * KEY_SLICES;

// Addresses: the slices of constant bits, then groups of 128 slices.
const ZERO = 0;
const ONE = SLICE_BYTES;
const [GIVEN, KSN, KEY, MASKED, NEXT, WORKING, BLOCK, OUTPUT, TABLES] = Array.from(
  {length: 9},
  (_, group) => 2 * SLICE_BYTES + GROUP_BYTES * group,
) as [number, number, number, number, number, number, number, number, number];
/** KSN: the block that makes the initial key, then the register with the counter. */
const REGISTER = KSN + HALF;
const [LEFT, RIGHT] = [BLOCK, BLOCK + HALF / 2];

const COUNTER_BITS = 21;
const C0 = 'C0C0C0C000000000';

/** The same in all slices: each at its own place. */
const IN_ORDER = Array.from({length: KEY_SLICES}, (_, bit) => SLICE_BYTES * bit);

/** For each bit of a block, where it is after the rounds: R16 L16, before the inverse of IP. */
const FINAL = IN_ORDER.slice(0, BLOCK_SLICES).map((offset) => {
  return SLICE_BYTES * ((IP_TABLE.indexOf(offset) + 32) % BLOCK_SLICES);
});

/** The same with the bytes of each word reversed, as a machine reads it that stores its end first. */
const FINAL_WORDS = FINAL.map((_, bit) => FINAL[bit ^ 0x18]!);

/** The tables that never change, one behind the other, and where each begins. */
const FIXED: readonly (readonly number[])[] = [
  ...[IP_TABLE, FINAL, FINAL_WORDS, IN_ORDER.map(() => ZERO), IN_ORDER],
  ...[scheduleTable(false), scheduleTable(true)],
];
const [INITIAL, INVERSE, WORDS, ZEROS, ALL, ENCIPHER, DECIPHER, FREE] = [...FIXED, []].map(
  (_, i) => TABLES + 4 * FIXED.slice(0, i).flat().length,
) as [number, number, number, number, number, number, number, number];

/** The addresses of constant slices for the bits of some bytes. */
function constants(bytes: Uint8Array): number[] {
  return Array.from({length: 8 * bytes.length}, (_, bit) =>
    ((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1 ? ONE : ZERO,
  );
}

/** TDES DUKPT of 128 keys at once (ANSI X9.24-1:2009, Annex A), and the first blocks under them. */
export class SlicedDukpt {
  /** The first two blocks of each lane, decrypted each on its own: four words. */
  readonly blocks: Int32Array;
  readonly #des: SlicedDes;
  readonly #bytes: Uint8Array;
  /** Of what is known later, by its name. */
  readonly #tables = new Map<string, number>();
  /** Of the blocks of each ciphertext. */
  readonly #blocks = new Map<Uint8Array, readonly number[]>();
  #free = TABLES;

  constructor(des: SlicedDes) {
    this.#des = des;
    this.#bytes = new Uint8Array(des.memory.buffer);
    this.#write(FIXED.flat());
    this.#bytes.fill(0xff, ONE, ONE + SLICE_BYTES);
    this.blocks = new Int32Array(des.memory.buffer, OUTPUT, 4 * LANES);
  }

  /** Derives the transaction keys of at most 128 lanes of one role. */
  load(lanes: readonly Lane[], role: KeyRole): void {
    this.#bytes.fill(0, GIVEN, GIVEN + 2 * GROUP_BYTES);
    lanes.forEach(({bytes, ksn}, lane) => {
      this.#bytes.set(bytes, GIVEN + SLICE_BYTES * lane);
      if (ksn) this.#writeKsn(KSN + SLICE_BYTES * lane, ksn);
    });
    this.#des.transpose(GIVEN);
    this.#des.transpose(KSN);
    if (role === 'bdk') this.#writeInitialKeys();
    else this.#xor(KEY, GIVEN, 'none');
    if (role === 'transaction' || role === 'working') return;
    const counters = lanes.reduce((all, {ksn}) => all | (ksn?.counter ?? 0), 0);
    for (let bit = COUNTER_BITS - 1; bit >= 0; bit--) if ((counters >> bit) & 1) this.#step(bit);
  }

  /** Makes the working keys of a setting. */
  vary(variant: Variant, selfEncrypted: boolean): void {
    const varied = selfEncrypted ? MASKED : WORKING;
    this.#xor(varied, KEY, VARIANT_MASKS[variant]);
    if (!selfEncrypted) return;
    for (const half of [0, HALF]) {
      this.#move(BLOCK, varied + half, INITIAL);
      this.#encrypt(varied);
      this.#move(WORKING + half, BLOCK, INVERSE);
    }
  }

  /** Decrypts the first two blocks of a ciphertext, or the only one, to `blocks`. */
  decrypt(ciphertext: Uint8Array): void {
    const tables = this.#blocks.get(ciphertext) ?? this.#blockTables(ciphertext);
    for (const [i, table] of tables.entries()) {
      this.#move(BLOCK, 0, table);
      this.#rounds(WORKING, DECIPHER, ENCIPHER);
      this.#move(OUTPUT + HALF * i, BLOCK, WORDS);
    }
    if (tables.length < 2) this.#bytes.fill(0, OUTPUT + HALF, OUTPUT + GROUP_BYTES);
    this.#des.transpose(OUTPUT);
  }

  /** Writes the tables of the first two blocks, or the only one. */
  #blockTables(ciphertext: Uint8Array): readonly number[] {
    const starts = ciphertext.length < 16 ? [0] : [0, 8];
    const tables = starts.map((at) => {
      const bits = constants(ciphertext.subarray(at, at + 8));
      return this.#write(IP_TABLE.map((offset) => bits[offset / SLICE_BYTES]!));
    });
    this.#blocks.set(ciphertext, tables);
    return tables;
  }

  /** Zeroes all keys and plaintexts, and forgets the ciphertexts. */
  wipe(): void {
    this.#bytes.fill(0, GIVEN, TABLES);
    this.#tables.clear();
    this.#blocks.clear();
    this.#free = FREE;
  }

  #write(table: readonly number[]): number {
    const address = this.#free;
    new Int32Array(this.#bytes.buffer, address, table.length).set(table);
    this.#free += 4 * table.length;
    return address;
  }

  /** The address of a table, which is written once. */
  #table(name: string, make: () => readonly number[]): number {
    const address = this.#tables.get(name) ?? this.#write(make());
    this.#tables.set(name, address);
    return address;
  }

  /** The slices of a block, chosen by a table. */
  #move(into: number, from: number, table: number): void {
    this.#des.mix(into, from, table, 0, ZEROS, BLOCK_SLICES);
  }

  /** The keys at `from`, each half XORed with a mask of 16 hex digits. */
  #xor(into: number, from: number, mask: string): void {
    const bytes = () => (mask === 'none' ? new Uint8Array(16) : bytesOfHex(mask + mask));
    const table = this.#table(`mask ${mask}`, () => constants(bytes()));
    this.#des.mix(into, from, ALL, 0, table, KEY_SLICES);
  }

  /** TDES of the block under the keys at `key`, in three passes of these schedules. */
  #rounds(key: number, outer: number, inner: number): void {
    this.#des.des(LEFT, RIGHT, key, outer);
    this.#des.des(RIGHT, LEFT, key + HALF, inner);
    this.#des.des(LEFT, RIGHT, key, outer);
  }

  #encrypt(key: number): void {
    this.#rounds(key, ENCIPHER, DECIPHER);
  }

  #writeKsn(at: number, {left, right, counter}: Ksn): void {
    writeWord(this.#bytes, at, left);
    writeWord(this.#bytes, at + 4, right & ~0x1f);
    writeWord(this.#bytes, at + 8, (left << 16) | (right >>> 16));
    writeWord(this.#bytes, at + 12, ((right << 16) & ~0x1fffff) | counter);
  }

  #writeInitialKeys(): void {
    this.#xor(MASKED, GIVEN, C0);
    for (const [half, key] of [
      [0, GIVEN],
      [HALF, MASKED],
    ] as const) {
      this.#move(BLOCK, KSN, INITIAL);
      this.#encrypt(key);
      this.#move(KEY + half, BLOCK, INVERSE);
    }
  }

  /** A step of the non-reversible key generation, in the lanes whose counter has the bit (A.2). */
  #step(bit: number): void {
    const register = this.#table(`register ${bit}`, () =>
      IP_TABLE.map((offset) => (offset > lastOf(bit) ? ZERO : REGISTER + offset)),
    );
    this.#xor(MASKED, KEY, C0);
    for (const [half, key] of [
      [HALF, KEY],
      [0, MASKED],
    ] as const) {
      this.#des.mix(BLOCK, 0, register, key + HALF, INITIAL, BLOCK_SLICES);
      this.#des.des(LEFT, RIGHT, key, ENCIPHER);
      this.#des.mix(NEXT + half, BLOCK, INVERSE, key + HALF, ALL, BLOCK_SLICES);
    }
    this.#des.blend(KEY, NEXT, REGISTER + lastOf(bit), KEY_SLICES);
  }
}

/** The offset of a bit of the counter in the register: the lowest one is the last. */
function lastOf(bit: number): number {
  return SLICE_BYTES * (BLOCK_SLICES - 1 - bit);
}
