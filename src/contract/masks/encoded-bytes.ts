import {latin1Of} from '../../platform/bytes.js';
import {GROUP_END, MIN_CARD_DIGITS} from './digit-groups.js';
import {Layer} from './layer.js';

/** Hex or base64: characters that write a few bits each. */
export interface ByteEncoding {
  readonly bits: 4 | 6;
  /** Text that may be encoded, with what may divide it. */
  readonly runs: RegExp;
  /** The value of each character by its code; negative for others. */
  readonly values: readonly number[];
}

const BASE64_CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const HEX: ByteEncoding = {
  bits: 4,
  runs: /[^g-z\u0080-\uffff]{24,}/gi,
  values: valuesOf('0123456789abcdef', '0123456789ABCDEF'),
};
/** Of the standard and for addresses, in lines or not. */
export const BASE64: ByteEncoding = {
  bits: 6,
  runs: /[\w+/\r\n-]{16,}/g,
  values: valuesOf(`${BASE64_CHARS}+/`, `${BASE64_CHARS}-_`),
};

function valuesOf(...alphabets: readonly string[]): readonly number[] {
  return Array.from({length: 128}, (_, code) =>
    Math.max(...alphabets.map((alphabet) => alphabet.indexOf(String.fromCharCode(code)))),
  );
}

/** A code of digits in bytes. */
interface Code {
  /** The upper half of each digit. */
  readonly upper: number;
  /** How far apart two digits of a number may be. */
  readonly reach: number;
  /** What each byte is read as. */
  readonly characters: Uint8Array;
}

/** `other`: what bytes are read as that are no digits. */
function codeOf(upper: number, reach: number, other: (byte: number) => number): Code {
  const characters = Uint8Array.from({length: 256}, (_, byte) =>
    byte >> 4 === upper && (byte & 15) <= 9 ? 0x30 + (byte & 15) : other(byte),
  );
  return {upper, reach, characters};
}

const CODES: readonly Code[] = [
  // ASCII, with entities or tags between digits, and UTF-16, whose other byte has no width.
  codeOf(3, 25, (byte) => byte),
  // EBCDIC, whose marks are 40 to 7F.
  codeOf(15, 4, (byte) => (byte >> 6 === 1 ? 0x20 : 0x78)),
  // Unpacked digits.
  codeOf(0, 1, () => 0x78),
];
/** For each byte, the index of the code in which it is a digit; -1: it is none. */
const CODE_OF = Int8Array.from({length: 256}, (_, byte) =>
  (byte & 15) > 9 ? -1 : CODES.findIndex(({upper}) => upper === byte >> 4),
);

/** What the hex or base64 in a text encodes, as far as it may hold card numbers. */
export function* decodings(source: Layer, encoding: ByteEncoding): Generator<Layer> {
  for (const {0: text, index} of source.text.matchAll(encoding.runs)) {
    const run = runOf(text, index, encoding);
    // Bytes may begin at any unit.
    for (let first = 0; first < (encoding.bits === 4 ? 2 : 4); first++) {
      const bytes = bytesFrom(run, first);
      for (const code of digitCodes(bytes)) yield decodedLayer(source, run, {first, bytes}, code);
    }
  }
}

/** A text that may be encoded: its units, which are the characters that write bits, and their places. */
interface Run {
  readonly index: number;
  readonly bits: 4 | 6;
  readonly values: Uint8Array;
  readonly places: Int32Array;
}

function runOf(text: string, index: number, encoding: ByteEncoding): Run {
  const values = new Uint8Array(text.length);
  const places = new Int32Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const value = encoding.values[text.charCodeAt(i)]!;
    if (value < 0) continue;
    values[length] = value;
    places[length++] = index + i;
  }
  return {index, bits: encoding.bits, values: values.subarray(0, length), places};
}

/** The bytes of a run from one of its units on: two units write each. */
interface RunBytes {
  readonly first: number;
  readonly bytes: Uint8Array;
}

function bytesFrom({bits, values}: Run, first: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, ((values.length - first) * bits) >> 3));
  if (bits === 4)
    for (let i = 0, unit = first; i < bytes.length; i++, unit += 2)
      bytes[i] = (values[unit]! << 4) | values[unit + 1]!;
  else
    for (let i = 0, unit = first; i < bytes.length; i += 3, unit += 4) {
      bytes[i] = (values[unit]! << 2) | (values[unit + 1]! >> 4);
      bytes[i + 1] = (values[unit + 1]! << 4) | (values[unit + 2]! >> 2);
      bytes[i + 2] = (values[unit + 2]! << 6) | values[unit + 3]!;
    }
  return bytes;
}

/** The unit in which a byte begins. */
function unitOf(byte: number, bits: 4 | 6): number {
  return bits === 4 ? 2 * byte : Math.floor((4 * byte) / 3);
}

/** The codes in which as many bytes are digits as a card number has, near each other. */
function digitCodes(bytes: Uint8Array): Code[] {
  const counts = CODES.map(() => 0);
  const last = CODES.map(() => -1);
  const most = CODES.map(() => 0);
  for (let at = 0; at < bytes.length; at++) {
    const code = CODE_OF[bytes[at]!]!;
    if (code < 0) continue;
    const isNear = at - last[code]! <= CODES[code]!.reach;
    counts[code] = isNear ? counts[code]! + 1 : 1;
    most[code] = Math.max(most[code]!, counts[code]!);
    last[code] = at;
  }
  return CODES.filter((_, code) => most[code]! >= MIN_CARD_DIGITS);
}

function decodedLayer(
  source: Layer,
  {index, bits, places}: Run,
  {first, bytes}: RunBytes,
  code: Code,
): Layer {
  const text = new Uint8Array(2 * bytes.length);
  /** The unit in which each character begins; that of a group's end is not asked for. */
  const units = new Int32Array(text.length);
  let length = 0;
  let end = index;
  let isNumber = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const unit = first + unitOf(i, bits);
    const last = places[unit + 1]!;
    if (bits === 4 && last - end > 1) text[length++] = GROUP_END;
    end = last + 1;
    // A number in unpacked digits begins with another than zero, else every filler would be one.
    isNumber = byte <= 9 && (isNumber || byte > 0);
    const isFiller = code.upper === 0 && !isNumber;
    const character = isFiller ? 0x78 : code.characters[byte]!;
    if (character === 0) continue;
    units[length] = unit;
    text[length++] = character;
  }
  return new Layer(latin1Of(text.subarray(0, length)), true, {
    source,
    start: (at) => places[units[at]!]!,
    end: (at) => places[units[at]! + 1]! + 1,
  });
}
