import {GROUP_END, MIN_CARD_DIGITS} from './digit-groups.js';
import {Layer} from './layer.js';

/** Hex or base64: characters that write a few bits each. */
export interface ByteEncoding {
  readonly bits: 4 | 6;
  /** Text that may be encoded, with what may divide it. */
  readonly runs: RegExp;
  /** Every character by its value; with the alternatives of some. */
  readonly digits: string;
}

export const HEX: ByteEncoding = {
  bits: 4,
  runs: /[^g-z\u0080-\uffff]{24,}/gi,
  digits: '0123456789abcdef0123456789ABCDEF',
};
/** Of the standard and for addresses, in lines or not. */
export const BASE64: ByteEncoding = {
  bits: 6,
  runs: /[\w+/\r\n-]{16,}/g,
  digits: ['+/', '-_']
    .map((last) => `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${last}`)
    .join(''),
};
const NONE = 255;
/** Between two bytes that are digits of one number. */
const MAX_BYTES_BETWEEN = 24;

/** How a byte may be read as a character. */
const CODES: readonly (readonly string[])[] = [
  // ASCII, and UTF-16, whose other byte has no width.
  (byte: number) => (byte === 0 ? '' : String.fromCharCode(byte)),
  // EBCDIC, whose marks are 40 to 7F.
  (byte: number) => (byte >= 0xf0 && byte <= 0xf9 ? `${byte - 0xf0}` : byte >> 6 === 1 ? ' ' : 'x'),
  // Unpacked digits.
  (byte: number) => (byte > 9 ? 'x' : `${byte}`),
].map((read) => Array.from({length: 256}, (_, byte) => read(byte)));
const UNPACKED = 2;
/** A number in unpacked digits begins with another than zero, else every filler would be one. */
const FILLER = /(?<!\d\0?)0(?:\0?0)*/g;

/** What the hex or base64 in a text encodes, as far as it may hold card numbers. */
export function* decodings(source: Layer, encoding: ByteEncoding): Generator<Layer> {
  for (const {0: run, index} of source.text.matchAll(encoding.runs))
    yield* decodedRun(source, encoding, run, index);
}

/** Twelve packed digits in base64. */
const MIN_UNITS = 8;

/** Bytes may begin at any unit. */
function* decodedRun(
  source: Layer,
  {bits, digits}: ByteEncoding,
  run: string,
  index: number,
): Generator<Layer> {
  const values: number[] = [];
  const places: number[] = [];
  for (let i = 0; i < run.length; i++) {
    const value = digits.indexOf(run.charAt(i));
    if (value >= 0) values[places.push(index + i) - 1] = value & ((1 << bits) - 1);
  }
  if (values.length < MIN_UNITS) return;
  for (let first = 0; first < (bits === 4 ? 2 : 4); first++) {
    const bytes = bytesOfUnits(values, first, bits);
    for (const code of digitCodes(bytes)) {
      const layer = new Layer(true);
      for (const [i, byte] of bytes.entries()) {
        const from = first + Math.floor((8 * i) / bits);
        const to = first + Math.floor((8 * i + 7) / bits);
        const start = places[from]!;
        const end = places[to]! + 1;
        const isApart = start - (places[from - 1] ?? start - 1) > 1 || end - start > 2;
        if (bits === 4 && isApart) layer.add(GROUP_END, 0, 0);
        layer.add(CODES[code]![byte]!, source.start(start), source.end(end - 1));
      }
      if (code === UNPACKED)
        layer.text = layer.text.replace(FILLER, (zeros) => zeros.replaceAll('0', 'x'));
      yield layer;
    }
  }
}

function bytesOfUnits(values: readonly number[], first: number, bits: 4 | 6): Uint8Array {
  const bytes = new Uint8Array(((values.length - first) * bits) >> 3);
  for (let i = 0; i < bytes.length; i++) {
    const bit = 8 * i;
    const unit = first + Math.floor(bit / bits);
    const three =
      (values[unit]! << (2 * bits)) | (values[unit + 1]! << bits) | (values[unit + 2] ?? 0);
    bytes[i] = three >> (3 * bits - 8 - (bit % bits));
  }
  return bytes;
}

/** The code in which a byte is a digit, or NONE. */
const DIGIT_CODES = Uint8Array.from({length: 256}, (_, byte) => {
  const code = [0x30, 0xf0, 0].findIndex((zero) => byte >= zero && byte <= zero + 9);
  return code < 0 ? NONE : code;
});

/** The codes in which as many bytes are digits as a card number has, near each other. */
function digitCodes(bytes: Uint8Array): Set<number> {
  const found = new Set<number>();
  const counts = [0, 0, 0];
  const last = [0, 0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const code = DIGIT_CODES[bytes[i]!]!;
    if (code === NONE) continue;
    const count = i - last[code]! > MAX_BYTES_BETWEEN ? 1 : counts[code]! + 1;
    counts[code] = count;
    last[code] = i;
    if (count === MIN_CARD_DIGITS) found.add(code);
  }
  return found;
}
