import {bytesFromLatin1} from './bytes.js';
import {unlessThrown} from './unless-thrown.js';

/** Writes WebAssembly (core specification 2.0, with vectors): one function per instruction or section. */

/** Bytes of a piece of a module, one per character, and pieces of it. */
export type Code = string | readonly Code[];

const bytes = String.fromCharCode;

/** An unsigned number (LEB128). */
function leb128(value: number): string {
  return value < 0x80 ? bytes(value) : bytes((value & 0x7f) | 0x80) + leb128(value >>> 7);
}

function signed(value: number): string {
  const isLast = value >= -64 && value < 64;
  return isLast ? bytes(value & 0x7f) : bytes((value & 0x7f) | 0x80) + signed(value >> 7);
}

function vector(items: readonly Code[]): Code {
  return [leb128(items.length), items];
}

function sized(code: Code): string {
  const whole = joined(code);
  return leb128(whole.length) + whole;
}

function joined(code: Code): string {
  return typeof code === 'string' ? code : code.map(joined).join('');
}

const I32 = bytes(0x7f);
const V128 = bytes(0x7b);
const END = bytes(0x0b);

const vectorCode = (code: number): string => bytes(0xfd) + leb128(code);
/** An access to whole words, or to whole vectors, at an address and this far from it. */
const access = (code: string, alignment: number, offset: number) =>
  code + bytes(alignment) + leb128(offset);

export const get = (local: number): Code => bytes(0x20) + leb128(local);
export const set = (local: number): Code => bytes(0x21) + leb128(local);
export const i32 = (value: number): Code => bytes(0x41) + signed(value);
export const load32 = (offset: number): Code => access(bytes(0x28), 2, offset);
export const store32 = (offset: number): Code => access(bytes(0x36), 2, offset);
export const call = (index: number): Code => bytes(0x10) + leb128(index);
export const LESS: Code = bytes(0x49);
export const ADD: Code = bytes(0x6a);
export const AND32: Code = bytes(0x71);
export const OR32: Code = bytes(0x72);
export const XOR32: Code = bytes(0x73);
export const SHIFT_LEFT: Code = bytes(0x74);
export const SHIFT_RIGHT: Code = bytes(0x76);
export const ROTATE_LEFT: Code = bytes(0x77);

/** Repeats `body` while it leaves a number other than 0. */
export const loop = (body: Code): Code => [bytes(0x03, 0x40), body, bytes(0x0d, 0), END];

/** 128 bits at an address; aligned. */
export const load = (offset: number): Code => access(vectorCode(0), 4, offset);
export const store = (offset: number): Code => access(vectorCode(11), 4, offset);
export const constant = (byte: number): Code => vectorCode(12) + bytes(byte).repeat(16);
/** Bytes of the first operand (0 to 15) and of the second one (16 to 31). */
export const shuffle = (order: readonly number[]): Code => vectorCode(13) + bytes(...order);
export const NOT: Code = vectorCode(77);
export const AND: Code = vectorCode(78);
export const AND_NOT: Code = vectorCode(79);
export const OR: Code = vectorCode(80);
export const XOR: Code = vectorCode(81);
/** Of each bit the first operand's where the third one's is set, else the second one's. */
export const SELECT: Code = vectorCode(82);
/** Shifts both halves. */
export const LEFT: Code = vectorCode(203);
export const RIGHT: Code = vectorCode(205);

/** A function of numbers without a result; its locals are its arguments, numbers, vectors. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  readonly numbers?: number;
  readonly vectors?: number;
  readonly body: Code;
}

/** A module with these functions, which may call each other by their index, on a given memory. */
function wasmModule(functions: readonly WasmFunction[], pages: number): Uint8Array {
  const types = functions.map(
    ({parameters}): Code => [bytes(0x60), vector(new Array<Code>(parameters).fill(I32)), bytes(0)],
  );
  const exports = functions.map(({name}, i): Code => [sized(name), bytes(0), leb128(i)]);
  const bodies = functions.map(({numbers = 0, vectors = 0, body}) => {
    const locals = [leb128(numbers) + I32, leb128(vectors) + V128];
    return sized([vector(locals), body, END]);
  });
  const memory = [sized(''), sized('memory'), bytes(2, 0), leb128(pages)];
  const sections: Code[] = [
    [bytes(1), sized(vector(types))],
    [bytes(2), sized(vector([memory]))],
    [bytes(3), sized(vector(functions.map((_, i) => leb128(i))))],
    [bytes(7), sized(vector(exports))],
    [bytes(10), sized(vector(bodies))],
  ];
  return bytesFromLatin1(`\0asm${joined([bytes(1, 0, 0, 0), sections])}`);
}

/** What is used of WebAssembly, which not all libraries of types declare alike. */
interface Runtime {
  readonly WebAssembly: {
    readonly Memory: new (size: {readonly initial: number}) => WasmMemory;
    readonly Module: new (code: Uint8Array) => object;
    readonly Instance: new (
      module: object,
      imports: Readonly<Record<string, {readonly memory: WasmMemory}>>,
    ) => {readonly exports: unknown};
  };
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** Memory of so many pages of 64 KiB; undefined where there is no WebAssembly, or no room. */
export function wasmMemory(pages: number): WasmMemory | undefined {
  const {WebAssembly: runtime} = globalThis as unknown as Runtime;
  return unlessThrown(() => new runtime.Memory({initial: pages}));
}

/** Compiles the functions; undefined where WebAssembly or its vectors are missing or forbidden. */
export function compileWasm(functions: readonly WasmFunction[], memory: WasmMemory): unknown {
  const {WebAssembly: runtime} = globalThis as unknown as Runtime;
  return unlessThrown(() => {
    const code = wasmModule(functions, memory.buffer.byteLength >> 16);
    return new runtime.Instance(new runtime.Module(code), {'': {memory}}).exports;
  });
}
