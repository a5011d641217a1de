import {latin1Of} from '../../platform/bytes.js';
import {GROUP_END, MIN_CARD_DIGITS} from './digit-groups.js';
import {Layer} from './layer.js';

/** A code of digits in bytes. */
interface Code {
  /** The upper half of each digit. */
  readonly upper: number;
  /** How far apart two digits of a number may be. */
  readonly reach: number;
  /** Whether a byte may be between two digits of a number beside others; alone, or in UTF-16, any may. */
  readonly isDivider: (byte: number) => boolean;
  /** What each byte is read as. */
  readonly characters: Uint8Array;
}

/** Any letter. */
const LETTER = 0x78;

/** `other`: what bytes are read as that are no digits. */
function codeOf({
  other,
  ...code
}: Omit<Code, 'characters'> & {other: (byte: number) => number}): Code {
  const characters = Uint8Array.from({length: 256}, (_, byte) =>
    byte >> 4 === code.upper && (byte & 15) <= 9 ? 0x30 + (byte & 15) : other(byte),
  );
  return {...code, characters};
}

/** With blanks, entities or tags between digits; also UTF-16, whose other byte has no width. */
const ASCII = codeOf({
  upper: 3,
  reach: 25,
  isDivider: (byte) => byte < 0x80 || byte === 0xa0,
  other: (byte) => byte,
});
const EBCDIC_MARKS = 1;
const CODES: readonly Code[] = [
  ASCII,
  // EBCDIC, whose marks are 40 to 7F.
  codeOf({
    upper: 15,
    reach: 4,
    isDivider: (byte) => byte >> 6 === EBCDIC_MARKS,
    other: (byte) => (byte >> 6 === EBCDIC_MARKS ? 0x20 : LETTER),
  }),
  // Unpacked digits.
  codeOf({upper: 0, reach: 1, isDivider: () => false, other: () => LETTER}),
];

/** The index of the code in which a byte is a digit; -1: it is none. */
function codeIndex(byte: number): number {
  return (byte & 15) > 9 ? -1 : CODES.findIndex(({upper}) => upper === byte >> 4);
}

/** Hex or base64: characters that write a few bits each, which are units. */
export interface ByteEncoding {
  readonly bits: 4 | 6;
  /** As many units write whole bytes, which are one fewer. */
  readonly group: 2 | 4;
  /** Text that may be encoded, with what may divide it. */
  readonly runs: RegExp;
  /** The value of each character by its code; negative for others. */
  readonly values: Int8Array;
  /**
   * For each pair of units the digits that begin in the first, at each of its places in a group: two
   * bits each, 1 and the index of the code, or 0.
   */
  readonly digits: Uint8Array;
}

const BASE64_CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const HEX: ByteEncoding = {
  bits: 4,
  group: 2,
  runs: /[^g-z\u0080-\uffff]{24,}/gi,
  values: valuesOf('0123456789abcdef', '0123456789ABCDEF'),
  digits: digitsOf(4, [0]),
};
/** Of the standard and for addresses, in lines or not. */
export const BASE64: ByteEncoding = {
  bits: 6,
  group: 4,
  runs: /[\w+/\r\n-]{16,}/g,
  values: valuesOf(`${BASE64_CHARS}+/`, `${BASE64_CHARS}-_`),
  digits: digitsOf(6, [0, 1, 2]),
};

function valuesOf(...alphabets: readonly string[]): Int8Array {
  return Int8Array.from({length: 128}, (_, code) =>
    Math.max(...alphabets.map((alphabet) => alphabet.indexOf(String.fromCharCode(code)))),
  );
}

function digitsOf(bits: 4 | 6, places: readonly number[]): Uint8Array {
  const digit = (pair: number, at: number) => (1 + codeIndex(byteIn(pair, bits, at))) << (2 * at);
  return Uint8Array.from({length: 1 << (2 * bits)}, (_, pair) =>
    places.reduce((digits, at) => digits | digit(pair, at), 0),
  );
}

/** The byte that begins in the first of two units, which is at that place of a group. */
function byteIn(pair: number, bits: 4 | 6, at: number): number {
  return (pair >> (2 * bits - 8 - 2 * at)) & 255;
}

/** What an encoded text says. */
export interface Decoded {
  readonly layer: Layer;
  /** False if only its digits are read. */
  readonly isText: boolean;
}

/** What the hex or base64 in a text encodes, as far as it may hold card numbers. */
export function* decodings(source: Layer, encoding: ByteEncoding): Generator<Decoded> {
  for (const {0: text, index} of source.text.matchAll(encoding.runs)) {
    const run = new Run(text, index, encoding);
    for (const reading of readingsOf(run))
      yield {layer: decodedLayer(source, run, reading), isText: reading.code === ASCII};
  }
}

/** A text that may be encoded: its units and their places. */
class Run {
  readonly index: number;
  readonly encoding: ByteEncoding;
  readonly units: Uint8Array;
  readonly places: Int32Array;

  constructor(text: string, index: number, encoding: ByteEncoding) {
    const units = new Uint8Array(text.length);
    const places = new Int32Array(text.length);
    let length = 0;
    for (let i = 0; i < text.length; i++) {
      const value = encoding.values[text.charCodeAt(i)]!;
      if (value < 0) continue;
      units[length] = value;
      places[length++] = index + i;
    }
    this.index = index;
    this.encoding = encoding;
    this.units = units.subarray(0, length);
    this.places = places;
  }

  /** A unit and the one behind it. */
  pair(unit: number): number {
    return (this.units[unit]! << this.encoding.bits) | this.units[unit + 1]!;
  }

  /** A byte of those that begin with the unit `first`. */
  byte(first: number, index: number): number {
    const {bits, group} = this.encoding;
    const unit = first + Math.floor((8 * index) / bits);
    return byteIn(this.pair(unit), bits, index % (group - 1));
  }
}

/** The bytes of a run from one of its first units on, as digits of a code. */
interface Reading {
  readonly first: number;
  readonly code: Code;
  /** The last digit, how many before it are near each other, and the most that are. */
  last: number;
  count: number;
  most: number;
}

/** The readings in which as many bytes are digits as a card number has, near each other. */
function readingsOf(run: Run): Reading[] {
  const {bits, group, digits} = run.encoding;
  const readings: Reading[] = [];
  for (let unit = 0; unit < run.units.length - 1; unit++) {
    let found = digits[run.pair(unit)]!;
    for (let at = 0; found > 0 && at <= unit; at++, found >>= 2) {
      if ((found & 3) === 0) continue;
      const first = (unit - at) % group;
      const code = (found & 3) - 1;
      const i = CODES.length * first + code;
      readings[i] ??= {first, code: CODES[code]!, last: 0, count: 0, most: 0};
      addDigit(run, readings[i], ((unit - first) * bits + 7) >> 3);
    }
  }
  return readings.filter(({most}) => most >= MIN_CARD_DIGITS);
}

function addDigit(run: Run, reading: Reading, index: number): void {
  reading.count = isNear(run, reading, index) ? reading.count + 1 : 1;
  reading.most = Math.max(reading.most, reading.count);
  reading.last = index;
}

/** Whether the last digit and the one at `index` may be of one number, by the bytes between them. */
function isNear(run: Run, {first, code, last}: Reading, index: number): boolean {
  if (index - last > code.reach) return false;
  let count = 0;
  let areDividers = true;
  for (let between = last + 1; between < index && (count < 2 || areDividers); between++) {
    const byte = run.byte(first, between);
    if (byte !== 0) count++;
    areDividers &&= code.isDivider(byte);
  }
  return count < 2 || areDividers;
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
    const byte = byteIn(run.pair(unit), bits, at);
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
