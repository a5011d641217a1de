/** Writes WebAssembly (core specification 2.0, with vectors): one function per instruction or section. */

/** Bytes of a piece of a module, and pieces of it. */
export type Code = readonly (number | Code)[];

/** An unsigned number (LEB128). */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

function vector(items: readonly Code[]): Code {
  return [unsigned(items.length), items];
}

function sized(code: Code): Code {
  const bytes = flattened(code);
  return [unsigned(bytes.length), bytes];
}

function flattened(code: Code, bytes: number[] = []): number[] {
  for (const one of code) {
    if (typeof one === 'number') bytes.push(one);
    else flattened(one, bytes);
  }
  return bytes;
}

const I32 = 0x7f;
const V128 = 0x7b;
const VECTOR = 0xfd;

export const get = (local: number): Code => [0x20, unsigned(local)];
export const set = (local: number): Code => [0x21, unsigned(local)];
export const i32 = (value: number): Code => [0x41, signed(value)];
export const load32 = (offset: number): Code => [0x28, 2, unsigned(offset)];
export const call = (index: number): Code => [0x10, unsigned(index)];
export const ADD: Code = [0x6a];
export const AND32: Code = [0x71];
export const SHIFT_LEFT: Code = [0x74];
export const LESS: Code = [0x49];

/** Repeats `body` while it leaves a number other than 0. */
export const loop = (body: Code): Code => [0x03, 0x40, body, 0x0d, 0, 0x0b];

/** 128 bits at an address; aligned. */
export const load = (offset: number): Code => [VECTOR, 0, 4, unsigned(offset)];
export const store = (offset: number): Code => [VECTOR, 11, 4, unsigned(offset)];
export const constant = (byte: number): Code => [VECTOR, 12, new Array<number>(16).fill(byte)];
/** Bytes of the first operand (0 to 15) and of the second one (16 to 31). */
export const shuffle = (bytes: readonly number[]): Code => [VECTOR, 13, bytes];
export const NOT: Code = [VECTOR, 77];
export const AND: Code = [VECTOR, 78];
export const AND_NOT: Code = [VECTOR, 79];
export const OR: Code = [VECTOR, 80];
export const XOR: Code = [VECTOR, 81];
/** Of each bit the first operand's where the third one's is set, else the second one's. */
export const SELECT: Code = [VECTOR, 82];
/** Shifts both halves. */
export const LEFT: Code = [VECTOR, unsigned(203)];
export const RIGHT: Code = [VECTOR, unsigned(205)];

/** A function of numbers without a result; its locals are its arguments, numbers, vectors. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  readonly numbers?: number;
  readonly vectors?: number;
  readonly body: Code;
}

/** A module with these functions, which may call each other by their index, and a memory. */
export function wasmModule(
  functions: readonly WasmFunction[],
  pages: number,
): Uint8Array<ArrayBuffer> {
  const types = functions.map(
    ({parameters}): Code => [0x60, vector(new Array<Code>(parameters).fill([I32])), 0],
  );
  const exports = functions.map(({name}, i): Code => [text(name), 0, unsigned(i)]);
  const bodies = functions.map(({numbers = 0, vectors = 0, body}) => {
    const locals: Code[] = [
      [unsigned(numbers), I32],
      [unsigned(vectors), V128],
    ];
    return sized([vector(locals), body, 0x0b]);
  });
  const sections: Code[] = [
    [1, sized(vector(types))],
    [3, sized(vector(functions.map((_, i) => unsigned(i))))],
    [5, sized(vector([[0, unsigned(pages)]]))],
    [7, sized(vector([[text('memory'), 2, 0], ...exports]))],
    [10, sized(vector(bodies))],
  ];
  return Uint8Array.from(flattened([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, sections]));
}

function text(name: string): Code {
  return sized([...name].map((letter) => letter.charCodeAt(0)));
}
