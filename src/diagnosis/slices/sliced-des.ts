import {P, PC1, PC2, TOTAL_SHIFTS} from '../../engine/cipher/des-tables.js';
import * as wasm from '../../platform/wasm-code.js';
import {CIRCUITS} from './circuits.js';

/**
 * DES on bit slices: a slice holds one bit of 128 blocks or keys in 16 bytes, so that each gate works on
 * 128 lanes. Slices are numbered as FIPS 46-3 numbers bits, less one; tables hold offsets in bytes.
 */

export const SLICE_BYTES = 16;
export const LANES = 128;

/** E: the bit of R before the first one of each S-box, and the five after it. */
const e = (box: number, bit: number) => (4 * box + bit + 31) % 32;

const OPERATORS: Readonly<Record<string, wasm.Code>> = {
  '&': wasm.AND,
  '|': wasm.OR,
  '^': wasm.XOR,
  '-': wasm.AND_NOT,
};

// The arguments of `round`, and the first of the values of a circuit.
const [L, R, KEY, TABLE, VALUES] = [0, 1, 2, 3, 4];

/** The inputs of a box, its gates, and its outputs XORed to where P moves them. */
function boxCode({gates, outputs}: (typeof CIRCUITS)[number], box: number): wasm.Code {
  const inputs = [0, 1, 2, 3, 4, 5].map((bit): wasm.Code => {
    const keyBit = [wasm.get(TABLE), wasm.load32(4 * (6 * box + bit)), wasm.get(KEY), wasm.ADD];
    const own = [wasm.get(R), wasm.load(SLICE_BYTES * e(box, bit))];
    return [own, keyBit, wasm.load(0), wasm.XOR, wasm.set(VALUES + bit)];
  });
  const values = gates.map(({a, operator, b}, i): wasm.Code => {
    const gate = operator === '~' ? wasm.NOT : [wasm.get(VALUES + b), OPERATORS[operator] ?? []];
    return [wasm.get(VALUES + a), gate, wasm.set(VALUES + 6 + i)];
  });
  const results = outputs.map((output, bit): wasm.Code => {
    const offset = SLICE_BYTES * P.indexOf(4 * box + bit + 1);
    const sum = [wasm.get(L), wasm.load(offset), wasm.get(VALUES + output), wasm.XOR];
    return [wasm.get(L), sum, wasm.store(offset)];
  });
  return [inputs, values, results];
}

/** `round(l, r, key, table)`: l is XORed with f of r and the key bits of the table. */
const ROUND: wasm.WasmFunction = {
  name: 'round',
  parameters: 4,
  vectors: 6 + Math.max(...CIRCUITS.map(({gates}) => gates.length)),
  body: CIRCUITS.map(boxCode),
};

/** `des(l, r, key, table)`: sixteen rounds; R16 is in r, L16 in l. */
const DES: wasm.WasmFunction = {
  name: 'des',
  parameters: 4,
  body: TOTAL_SHIFTS.map((_, i) => {
    const table = [wasm.get(TABLE), wasm.i32(4 * 48 * i), wasm.ADD];
    return [wasm.get(i % 2), wasm.get(1 - (i % 2)), wasm.get(KEY), table, wasm.call(0)];
  }),
};

/** Repeats `body` for the numbers of local `i` from 0 up to those of `bytes`, in steps. */
function each(i: number, step: number, bytes: wasm.Code, body: wasm.Code): wasm.Code {
  const next = [wasm.get(i), wasm.i32(step), wasm.ADD, wasm.set(i)];
  return [wasm.i32(0), wasm.set(i), wasm.loop([body, next, wasm.get(i), bytes, wasm.LESS])];
}

/** The address of the slice in a group that the next number of a table chooses. */
const chosen = (group: number, table: number): wasm.Code => [
  [wasm.get(group), wasm.get(table), wasm.get(6), wasm.ADD, wasm.load32(0), wasm.ADD],
];

/** `mix(into, a, tableA, b, tableB, count)`: slices of two groups, chosen by tables, XORed. */
const MIX: wasm.WasmFunction = {
  name: 'mix',
  parameters: 6,
  numbers: 1,
  body: each(
    6,
    4,
    [wasm.get(5), wasm.i32(2), wasm.SHIFT_LEFT],
    [
      [wasm.get(0), chosen(1, 2), wasm.load(0), chosen(3, 4), wasm.load(0), wasm.XOR],
      [wasm.store(0), wasm.get(0), wasm.i32(SLICE_BYTES), wasm.ADD, wasm.set(0)],
    ],
  ),
};

/** `blend(into, from, mask, count)`: replaces slices in the lanes of a mask. */
const BLEND: wasm.WasmFunction = {
  name: 'blend',
  parameters: 4,
  numbers: 1,
  body: each(
    4,
    SLICE_BYTES,
    [wasm.get(3), wasm.i32(4), wasm.SHIFT_LEFT],
    [
      [0, 1, 0].map((group) => {
        const slice = [wasm.get(group), wasm.get(4), wasm.ADD];
        return group === 0 ? slice : [slice, wasm.load(0)];
      }),
      [wasm.load(0), wasm.get(2), wasm.load(0), wasm.SELECT, wasm.store(0)],
    ],
  ),
};

// The locals of `transpose`: its argument, a pair of rows, their addresses, their values.
const [ROWS, PAIR, UPPER, A, B] = [0, 1, 2, 3, 4];

/** Swaps, of each pair of rows `step` apart, the columns that are `step` apart. */
function swapColumns(step: number): wasm.Code {
  const other = SLICE_BYTES * step;
  const pairs = [
    [wasm.get(PAIR), wasm.i32(-other), wasm.AND32, wasm.i32(1), wasm.SHIFT_LEFT],
    [wasm.get(PAIR), wasm.i32(other - 1), wasm.AND32, wasm.ADD],
    [wasm.get(ROWS), wasm.ADD, wasm.set(UPPER)],
    [wasm.get(UPPER), wasm.load(0), wasm.set(A)],
    [wasm.get(UPPER), wasm.load(other), wasm.set(B)],
    [wasm.get(UPPER), swappedRow(step, true), wasm.store(0)],
    [wasm.get(UPPER), swappedRow(step, false), wasm.store(other)],
  ];
  return each(PAIR, SLICE_BYTES, wasm.i32((SLICE_BYTES * LANES) / 2), pairs);
}

const BYTES = [...Array(16).keys()];
/** The bits of a byte that are in the first of two columns 4, 2 or 1 apart. */
const FIRST_COLUMNS: Readonly<Record<number, number>> = {4: 0xf0, 2: 0xcc, 1: 0xaa};

/** The upper or the lower one of two rows with the columns swapped. */
function swappedRow(step: number, isUpper: boolean): wasm.Code {
  const first = FIRST_COLUMNS[step];
  if (first === undefined) {
    const size = step / 8;
    const [own, others] = isUpper ? [0, 16 - size] : [size, 16];
    const bytes = BYTES.map((byte) => byte + ((byte & size) === 0 ? own : others));
    return [wasm.get(A), wasm.get(B), wasm.shuffle(bytes)];
  }
  const of = (row: number) => [
    wasm.get(row),
    wasm.constant(isUpper ? first : first ^ 0xff),
    wasm.AND,
  ];
  return isUpper
    ? [of(A), of(B), wasm.i32(step), wasm.RIGHT, wasm.OR]
    : [of(A), wasm.i32(step), wasm.LEFT, of(B), wasm.OR];
}

/** `transpose(rows)`: 128 rows of 128 bits, in place. */
const TRANSPOSE: wasm.WasmFunction = {
  name: 'transpose',
  parameters: 1,
  numbers: 2,
  vectors: 2,
  body: [64, 32, 16, 8, 4, 2, 1].map(swapColumns),
};

const PAGES = 3;

/** The functions of the module, on addresses in its memory. */
export interface SlicedDes {
  readonly memory: {readonly buffer: ArrayBuffer};
  des(l: number, r: number, key: number, table: number): void;
  mix(into: number, a: number, tableA: number, b: number, tableB: number, count: number): void;
  blend(into: number, from: number, mask: number, count: number): void;
  transpose(rows: number): void;
}

/** Compiles the module; undefined where WebAssembly or its vectors are missing or forbidden. */
export function slicedDes(): SlicedDes | undefined {
  const memory = wasm.wasmMemory(PAGES);
  const functions = memory && wasm.compileWasm([ROUND, DES, MIX, BLEND, TRANSPOSE], memory);
  return memory && functions ? {memory, ...(functions as Omit<SlicedDes, 'memory'>)} : undefined;
}

/** For each round the offsets of its 48 key bits in the slices of a key; in the order of decryption. */
export function scheduleTable(isReversed: boolean): number[] {
  const rounds = TOTAL_SHIFTS.map((shift) =>
    PC2.map((position) => {
      const half = position <= 28 ? 0 : 28;
      return SLICE_BYTES * (PC1[half + ((position - 1 - half + shift) % 28)]! - 1);
    }),
  );
  return (isReversed ? rounds.reverse() : rounds).flat();
}

/** IP: for each bit of L0 and R0, the offset of the bit of the block. */
export const IP_TABLE: readonly number[] = Array.from({length: 64}, (_, i) => {
  const [row, column] = [i >> 3, i & 7];
  const first = row < 4 ? 58 + 2 * row : 57 + 2 * (row - 4);
  return SLICE_BYTES * (first - 8 * column - 1);
});
