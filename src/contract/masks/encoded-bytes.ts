import {latin1Of} from '../../platform/bytes.js';
import {GROUP_END, MIN_CARD_DIGITS} from './digit-groups.js';
import {Layer} from './layer.js';

/** Hex or base64: characters that write a few bits each, which are units. */
export interface ByteEncoding {
  readonly bits: 4 | 6;
  /** As many units write whole bytes, which are one fewer. */
  readonly group: 2 | 4;
  /** Text that may be encoded, with what may divide it. */
  readonly runs: RegExp;
  /** The value of each character by its code; negative for others. */
  readonly values: Int8Array;
}

const BASE64_CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const HEX: ByteEncoding = {
  bits: 4,
  group: 2,
  runs: /[^g-z\u0080-\uffff]{24,}/gi,
  values: valuesOf('0123456789abcdef', '0123456789ABCDEF'),
};
/** Of the standard and for addresses, in lines or not. */
export const BASE64: ByteEncoding = {
  bits: 6,
  group: 4,
  runs: /[\w+/\r\n-]{16,}/g,
  values: valuesOf(`${BASE64_CHARS}+/`, `${BASE64_CHARS}-_`),
};

function valuesOf(...alphabets: readonly string[]): Int8Array {
  return Int8Array.from({length: 128}, (_, code) =>
    Math.max(...alphabets.map((alphabet) => alphabet.indexOf(String.fromCharCode(code)))),
  );
}

/** A code of digits in bytes. */
interface Code {
  /** The upper half of each digit. */
  readonly upper: number;
  /** How far apart two digits of a number may be. */
  readonly reach: number;
  /** For each byte 1 if it may divide digits beside others. Alone, or in UTF-16, any byte may. */
  readonly dividers: Uint8Array;
  /** What each byte is read as. */
  readonly characters: Uint8Array;
}

const LETTER = 0x78;

/** `other`: what bytes are read as that are no digits. */
function codeOf(
  [upper, reach]: readonly [number, number],
  other: (byte: number) => number,
  isDivider = (byte: number) => other(byte) === 0x20,
): Code {
  const tableOf = (value: (byte: number) => number) =>
    Uint8Array.from({length: 256}, (_, byte) => value(byte));
  const isDigit = (byte: number) => byte >> 4 === upper && (byte & 15) <= 9;
  return {
    upper,
    reach,
    dividers: tableOf((byte) => Number(isDivider(byte))),
    characters: tableOf((byte) => (isDigit(byte) ? 0x30 + (byte & 15) : other(byte))),
  };
}

/** With entities or tags between digits; also UTF-16, whose other byte has no width. */
const ASCII = codeOf(
  [3, 25],
  (byte) => byte,
  (byte) => byte < 0x80 || byte === 0xa0,
);
const CODES: readonly Code[] = [
  ASCII,
  // EBCDIC, whose marks are 40 to 7F.
  codeOf([15, 4], (byte) => (byte >> 6 === 1 ? 0x20 : LETTER)),
  // Unpacked digits.
  codeOf([0, 1], () => LETTER),
];
/** For each byte, the index of the code in which it is a digit; -1: it is none. */
const CODE_OF = Int8Array.from({length: 256}, (_, byte) =>
  (byte & 15) > 9 ? -1 : CODES.findIndex(({upper}) => upper === byte >> 4),
);

/** What an encoded text says. */
export interface Decoded {
  readonly layer: Layer;
  /** False if only its digits are read. */
  readonly isText: boolean;
}

/** What the hex or base64 in a text encodes, as far as it may hold card numbers. */
export function* decodings(source: Layer, encoding: ByteEncoding): Generator<Decoded> {
  for (const {0: text, index} of source.text.matchAll(encoding.runs)) {
    const run = runOf(text, index, encoding);
    for (const reading of readingsOf(run))
      yield {layer: decodedLayer(source, run, reading), isText: reading.code === ASCII};
  }
}

/** A text that may be encoded: its units and their places. */
interface Run {
  readonly index: number;
  readonly encoding: ByteEncoding;
  readonly units: Uint8Array;
  readonly places: Int32Array;
}

function runOf(text: string, index: number, encoding: ByteEncoding): Run {
  const units = new Uint8Array(text.length);
  const places = new Int32Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const value = encoding.values[text.charCodeAt(i)]!;
    if (value < 0) continue;
    units[length] = value;
    places[length++] = index + i;
  }
  return {index, encoding, units: units.subarray(0, length), places};
}

/** The byte that begins in a unit, which is `at` that place of a group. */
function byteIn({units, encoding: {bits}}: Run, unit: number, at: number): number {
  return (((units[unit]! << bits) | units[unit + 1]!) >> (2 * bits - 8 - 2 * at)) & 255;
}

/** The bytes of a run from one of its first units on, as digits of a code. */
interface Reading {
  readonly first: number;
  readonly code: Code;
  /** The last digit, how many up to it are near each other, and the most that are. */
  last: number;
  count: number;
  most: number;
}

/** The readings in which as many bytes are digits as a card number has, near each other. */
function readingsOf(run: Run): Reading[] {
  const {bits, group} = run.encoding;
  const readings: Reading[] = [];
  for (let unit = 0; unit < run.units.length - 1; unit++) {
    for (let at = 0; at < group - 1 && at <= unit; at++) {
      const code = CODE_OF[byteIn(run, unit, at)]!;
      if (code < 0) continue;
      const first = (unit - at) % group;
      const i = CODES.length * first + code;
      readings[i] ??= {first, code: CODES[code]!, last: 0, count: 0, most: 0};
      addDigit(run, readings[i], ((unit - first) * bits + 7) >> 3);
    }
  }
  return readings.filter(({most}) => most >= MIN_CARD_DIGITS);
}

/** Counts a digit, with those before it if what is between them may divide the digits of a number. */
function addDigit(run: Run, reading: Reading, digit: number): void {
  const {first, code, last} = reading;
  const {bits, group} = run.encoding;
  let isNear = digit - last <= code.reach;
  let others = 0;
  let isDivided = true;
  for (let byte = last + 1; isNear && byte < digit; byte++) {
    const value = byteIn(run, first + Math.floor((8 * byte) / bits), byte % (group - 1));
    // One that goes on a character of UTF-8 belongs to the one before.
    if (value !== 0 && value >> 6 !== 2) others++;
    isDivided &&= code.dividers[value] === 1;
    isNear = isDivided || others < 2;
  }
  reading.count = isNear ? reading.count + 1 : 1;
  reading.most = Math.max(reading.most, reading.count);
  reading.last = digit;
}

function decodedLayer(source: Layer, run: Run, reading: Reading): Layer {
  /** Kept as soon as a character is hidden, which few texts have. */
  let begins: Int32Array | undefined;
  const placeOf = (at: number, unit: 0 | 1) => {
    if (!begins) {
      begins = new Int32Array(run.units.length);
      decodedText(run, reading, begins);
    }
    return run.places[begins[at]! + unit]!;
  };
  return new Layer(decodedText(run, reading), true, {
    source,
    start: (at) => placeOf(at, 0),
    end: (at) => placeOf(at, 1) + 1,
  });
}

/** `begins` gets the unit in which each character begins; that of a group's end is not asked for. */
function decodedText(run: Run, {first, code}: Reading, begins?: Int32Array): string {
  const {units, places, encoding} = run;
  const {bits, group} = encoding;
  const text = new Uint8Array(units.length);
  let length = 0;
  let end = run.index;
  let isNumber = false;
  for (let unit = first; unit < units.length - 1; unit++) {
    const at = (unit - first) % group;
    if (at === group - 1) continue;
    const byte = byteIn(run, unit, at);
    const last = places[unit + 1]!;
    if (bits === 4 && last - end > 1) text[length++] = GROUP_END;
    end = last + 1;
    // A number in unpacked digits begins with another than zero, else every filler would be one.
    isNumber = byte <= 9 && (isNumber || byte > 0);
    const isFiller = code.upper === 0 && !isNumber;
    const character = isFiller ? LETTER : code.characters[byte]!;
    if (character === 0) continue;
    if (begins) begins[length] = unit;
    text[length++] = character;
  }
  return latin1Of(text.subarray(0, length));
}
