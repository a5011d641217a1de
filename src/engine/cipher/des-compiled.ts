import * as wasm from '../../platform/wasm-code.js';
import {
  BOXES,
  C0,
  DATA,
  DES_BLOCKS,
  type DesKernel,
  desMemory,
  IV,
  KEY_PASSES,
  KEY_TABLE,
  MASKED_PASSES,
  OUTPUT,
  SCHEDULE_BYTES,
  SINGLE_BOXES,
  STEP_KEY,
} from './des-memory.js';

/** The DES kernel in WebAssembly: a step of a derivation takes less than half of the time. */

type Code = wasm.Code;

const get = wasm.get;
const i32 = wasm.i32;
const assign = (local: number, value: Code): Code => [value, wasm.set(local)];
const word = (address: Code, offset: number): Code => [address, wasm.load32(offset)];
const write = (address: Code, offset: number, value: Code): Code => [
  [address, value, wasm.store32(offset)],
];
const and = (a: Code, bits: number): Code => [a, i32(bits), wasm.AND32];
const or = (a: Code, b: Code): Code => [a, b, wasm.OR32];
const xor32 = (a: Code, b: Code): Code => [a, b, wasm.XOR32];
const left = (a: Code, bits: number): Code => [a, i32(bits), wasm.SHIFT_LEFT];
const right = (a: Code, bits: number): Code => [a, i32(bits), wasm.SHIFT_RIGHT];
const rotated = (a: Code, bits: number): Code => [a, i32(bits & 31), wasm.ROTATE_LEFT];
const add = (a: Code, b: Code): Code => [a, b, wasm.ADD];

/** Swaps bits of two locals: those of `low` at the mask and those of `high` that many bits above. */
function swapped(high: number, low: number, bits: number, mask: number, x: number): Code {
  return [
    assign(x, and(xor32(right(get(high), bits), get(low)), mask)),
    assign(low, xor32(get(low), get(x))),
    assign(high, xor32(get(high), left(get(x), bits))),
  ];
}

/** The swaps of IP. */
const SWAPS = [
  [0, 1, 4, 0x0f0f0f0f],
  [0, 1, 16, 0x0000ffff],
  [1, 0, 2, 0x33333333],
  [1, 0, 8, 0x00ff00ff],
  [0, 1, 1, 0x55555555],
] as const;

/** IP, after which both halves are rotated left by three bits. */
function permuted(halves: readonly [number, number], x: number): Code {
  const swaps = SWAPS.map(([high, low, bits, mask]) =>
    swapped(halves[high], halves[low], bits, mask, x),
  );
  return [swaps, halves.map((half) => assign(half, rotated(get(half), 3)))];
}

/** The inverse of IP. */
function unpermuted(halves: readonly [number, number], x: number): Code {
  const swaps = SWAPS.toReversed().map(([high, low, bits, mask]) =>
    swapped(halves[high], halves[low], bits, mask, x),
  );
  return [halves.map((half) => assign(half, rotated(get(half), -3))), swaps];
}

/** What S-boxes give for four inputs in a local, one in the upper six bits of each byte. */
type Substitution = (inputs: number, isEven: number) => Code;

/** Two boxes a look-up: half of the instructions, which counts where many blocks are in progress. */
const byPairs: Substitution = (inputs) =>
  xor32(word(right(get(inputs), 16), BOXES), word(and(get(inputs), 0xffff), BOXES));

/** One box a look-up: the tables are in the nearest cache, which counts where few blocks are. */
const bySingles: Substitution = (inputs, isEven) => {
  const outputs = [24, 16, 8, 0].map((bits, i) =>
    word(and(right(get(inputs), bits), 0xfc), SINGLE_BOXES + 0x100 * (2 * i + isEven)),
  );
  return outputs.reduce(xor32);
};

/** XORs a half with f of the other one; the inputs of the S-boxes are kept in two locals. */
function round(
  [into, from]: readonly number[],
  key: readonly Code[],
  inputs: readonly number[],
  substituted: Substitution,
): Code {
  const expanded = [rotated(get(from!), -4), get(from!)].map((half, i) =>
    assign(inputs[i]!, xor32(and(half, 0xfcfcfcfc), key[i]!)),
  );
  const f = inputs.map((input, i) => substituted(input, i)).reduce(xor32);
  return [expanded, assign(into!, xor32(get(into!), f))];
}

/** Two rounds take sixteen bytes of a schedule. */
const TWO_ROUNDS = 16;

/** The locals of blocks in progress. */
interface Progress {
  /** Left and right half of each block. */
  readonly pairs: readonly (readonly [number, number])[];
  /** The addresses of the passes: of each block, or of all. */
  readonly pointers: readonly number[];
  /** The end of the first ones. */
  readonly end: number;
  /** The first of five others. */
  readonly free: number;
}

const FREE_LOCALS = 5;

/** Locals from `first` for the halves of blocks and all that it takes to process them. */
function progress(
  first: number,
  count: number,
  pointers: readonly number[],
  end: number,
): Progress {
  const pairs = Array.from({length: count}, (_, i) => [first + 2 * i, first + 2 * i + 1] as const);
  return {pairs, pointers, end, free: first + 2 * count};
}

/** Two rounds of all blocks. */
function twoRounds({pairs, pointers, free}: Progress): Code {
  const isShared = pointers.length < pairs.length;
  const inputs = [free, free + 1];
  const shared = [free + 2, free + 3];
  return [0, 1].map((second): Code => {
    const keys = pointers.map((from) =>
      [8 * second, 8 * second + 4].map((offset) => word(get(from), offset)),
    );
    const loaded = isShared ? shared.map((local, i) => assign(local, keys[0]![i]!)) : [];
    const all = pairs.map((pair, i) => {
      const halves = [pair[second]!, pair[1 - second]!];
      return isShared
        ? round(halves, shared.map(get), inputs, byPairs)
        : round(halves, keys[i]!, inputs, bySingles);
    });
    return [loaded, all];
  });
}

/** Processes blocks under their passes. */
function processed(of: Progress): Code {
  const {pairs, pointers, end, free} = of;
  const [pointer] = pointers as [number];
  const [x, passEnd] = [free, free + 4];
  const next = pointers.map((from) => assign(from, add(get(from), i32(TWO_ROUNDS))));
  const pass = [
    assign(passEnd, add(get(pointer), i32(SCHEDULE_BYTES))),
    wasm.loop([twoRounds(of), next, get(pointer), get(passEnd), wasm.LESS]),
    pairs.map(([l, r]) => [get(l), get(r), wasm.set(l), wasm.set(r)]),
  ];
  return [
    pairs.map((pair) => permuted(pair, x)),
    wasm.loop([pass, get(pointer), get(end), wasm.LESS]),
    pairs.map((pair) => unpermuted(pair, x)),
  ];
}

/** `two(a, b, bytes)`: two blocks, each under its own passes. */
function twoBlocks(): wasm.WasmFunction {
  const end = 3;
  const blocks = progress(4, 2, [0, 1], end);
  const halves = blocks.pairs.flat();
  return {
    name: 'two',
    parameters: 3,
    numbers: 1 + halves.length + FREE_LOCALS,
    body: [
      assign(end, add(get(0), get(2))),
      halves.map((half, i) => assign(half, word(i32(DES_BLOCKS), 4 * i))),
      processed(blocks),
      halves.map((half, i) => write(i32(DES_BLOCKS), 4 * i, get(half))),
    ],
  };
}

/** The bytes of a local in reverse order. */
function reversed(local: number): Code {
  return or(and(rotated(get(local), 8), 0x00ff00ff), and(rotated(get(local), -8), 0xff00ff00));
}

/** `name(from, to, passes, bytes)`: decrypts some blocks at once in CBC mode. */
function chaining(name: string, count: number): wasm.WasmFunction {
  const [at, to, passes, bytes, pointer, end] = [0, 1, 2, 3, 4, 5];
  const blocks = progress(6, count, [pointer], end);
  const halves = blocks.pairs.flat();
  return {
    name,
    parameters: 4,
    numbers: 2 + halves.length + FREE_LOCALS,
    body: wasm.loop([
      assign(pointer, get(passes)),
      assign(end, add(get(passes), get(bytes))),
      halves.map((half, i) => [
        assign(half, word(get(at), DATA + 4 * i)),
        assign(half, reversed(half)),
      ]),
      processed(blocks),
      halves.map((half, i) =>
        write(get(at), OUTPUT + 4 * i, xor32(reversed(half), word(get(at), IV + 4 * i))),
      ),
      assign(at, add(get(at), i32(8 * count))),
      [get(at), get(to), wasm.LESS],
    ]),
  };
}

/** The bits of the two words of a key that are the number of each of its parts. */
const KEY_PARTS: readonly Code[] = [
  ...[25, 17, 9, 1].map((bits) =>
    or(and(right(get(1), bits), 0x70), and(right(get(2), bits + 3), 0x0f)),
  ),
  ...[24, 16, 8, 0].map((bits) =>
    or(and(right(left(get(1), 2), bits), 0x78), and(right(get(2), bits + 1), 0x07)),
  ),
];

/** `name(into, left, right)`: sums the parts, four rounds at once, and mixes C and D. */
function scheduling(name: string, isReversed: boolean): wasm.WasmFunction {
  const part = (i: number) => 3 + i;
  const [c, d] = [part(8), part(9)];
  const sum = (parts: readonly number[], rounds: number): Code =>
    parts.map((i): Code => {
      const offset = KEY_TABLE + (i << 13) + 16 * rounds;
      return [get(part(i)), wasm.load(offset), i % 4 === 0 ? [] : wasm.XOR];
    });
  // The upper halves of D and C, then the lower ones.
  const mixed = (of: number) =>
    [2, 0].flatMap((half) =>
      [16, 0].flatMap((word) => [0, 1].map((i) => 4 * of + word + half + i)),
    );
  const rounds = [0, 1, 2, 3].map((four): Code => {
    const order = isReversed ? [3, 2, 1, 0] : [0, 1, 2, 3];
    const at = 32 * (isReversed ? 3 - four : four);
    const stored = [0, 2].map((i): Code => {
      const bytes = order.slice(i, i + 2).flatMap(mixed);
      return [get(0), get(c), get(d), wasm.shuffle(bytes), wasm.store(at + 8 * i)];
    });
    return [assign(c, sum([0, 1, 2, 3], four)), assign(d, sum([4, 5, 6, 7], four)), stored];
  });
  const rows = KEY_PARTS.map((number, i) => assign(part(i), left(number, 6)));
  return {name, parameters: 3, numbers: 8, vectors: 2, body: [rows, rounds]};
}

/** The functions that are called by their index. */
const SCHEDULE = 0;
const TWO = 1;

/** `step(left, right)`. */
function stepping(): wasm.WasmFunction {
  const [a, b] = [2, 3];
  const key = (i: number) => word(i32(STEP_KEY), 4 * i);
  const block = (i: number) => word(i32(DES_BLOCKS), 4 * i);
  const schedules = [
    [i32(KEY_PASSES), key(0), key(1), wasm.call(SCHEDULE)],
    [i32(MASKED_PASSES), xor32(key(0), i32(C0)), key(1), wasm.call(SCHEDULE)],
  ];
  const lefts = [xor32(get(0), get(a)), xor32(xor32(get(0), get(a)), i32(C0))];
  return {
    name: 'step',
    parameters: 2,
    numbers: 2,
    body: [
      [assign(a, key(2)), assign(b, key(3)), schedules],
      lefts.map((word, i) => [
        write(i32(DES_BLOCKS), 8 * i, word),
        write(i32(DES_BLOCKS), 8 * i + 4, xor32(get(1), get(b))),
      ]),
      [i32(KEY_PASSES), i32(MASKED_PASSES), i32(SCHEDULE_BYTES), wasm.call(TWO)],
      write(i32(STEP_KEY), 0, xor32(xor32(block(2), get(a)), i32(C0))),
      write(i32(STEP_KEY), 4, xor32(block(3), get(b))),
      write(i32(STEP_KEY), 8, xor32(block(0), get(a))),
      write(i32(STEP_KEY), 12, xor32(block(1), get(b))),
    ],
  };
}

/** Compiles the kernel; undefined where WebAssembly or its vectors are missing or forbidden. */
export function compiledDes(): DesKernel | undefined {
  if (!desMemory) return undefined;
  const functions = [
    scheduling('schedule', false),
    twoBlocks(),
    chaining('five', 5),
    chaining('pair', 2),
    scheduling('reversed', true),
    stepping(),
  ];
  const exports = wasm.compileWasm(functions, desMemory) as DesKernel | undefined;
  if (!exports) return undefined;
  // V8 looks up the functions in a module's own object one by one.
  const {schedule, reversed, two, five, pair, step} = exports;
  return {schedule, reversed, two, five, pair, step};
}
