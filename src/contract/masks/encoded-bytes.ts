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

/** Codes of digits in bytes: the upper half of each, and what other bytes are read as. */
const CODES = [
  // ASCII, and UTF-16, whose other byte has no width.
  {upper: 3, other: (byte: number) => byte},
  // EBCDIC, whose marks are 40 to 7F.
  {upper: 15, other: (byte: number) => (byte >> 6 === 1 ? 0x20 : 0x78)},
  // Unpacked digits.
  {upper: 0, other: () => 0x78},
] as const;
type Code = (typeof CODES)[number];

/** What the hex or base64 in a text encodes, as far as it may hold card numbers. */
export function* decodings(source: Layer, encoding: ByteEncoding): Generator<Layer> {
  for (const {0: text, index} of source.text.matchAll(encoding.runs)) {
    // Bytes may begin at any unit.
    for (let first = 0; first < (encoding.bits === 4 ? 2 : 4); first++) {
      const run = {text, index, first, encoding};
      const codes = digitCodes(run);
      for (const code of CODES)
        if ((codes >> code.upper) & 1) yield decodedLayer(source, run, code);
    }
  }
}

/** A text that may be encoded, where it stands, and at which of its units the bytes begin. */
interface Run {
  readonly text: string;
  readonly index: number;
  readonly first: number;
  readonly encoding: ByteEncoding;
}

/** Calls `use` with each byte, and with the places of the two units that write it. */
function forEachByte(
  {text, first, encoding: {bits, values}}: Run,
  use: (byte: number, place: number, lastPlace: number) => void,
): void {
  let toSkip = first;
  let value = 0;
  let held = 0;
  let before = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = values[text.charCodeAt(i)]!;
    if (unit < 0 || toSkip-- > 0) continue;
    value = ((value << bits) | unit) & 0xffff;
    held += bits;
    if (held >= 8) {
      held -= 8;
      use((value >> held) & 0xff, before, i);
    }
    before = i;
  }
}

/** How far apart two digits of a number may be in each code; in ASCII with entities or tags between. */
const REACHES: Readonly<Record<number, number>> = {0: 1, 3: 25, 15: 4};

/** The codes in which as many bytes are digits as a card number has, near each other: a bit each. */
function digitCodes(run: Run): number {
  let codes = 0;
  let at = 0;
  const counts = new Array<number>(16).fill(0);
  const last = new Array<number>(16).fill(0);
  forEachByte(run, (byte) => {
    at++;
    const upper = byte >> 4;
    const reach = REACHES[upper];
    if (reach === undefined || (byte & 15) > 9) return;
    counts[upper] = at - last[upper]! > reach ? 1 : counts[upper]! + 1;
    last[upper] = at;
    if (counts[upper] === MIN_CARD_DIGITS) codes |= 1 << upper;
  });
  return codes;
}

function decodedLayer(source: Layer, run: Run, code: Code): Layer {
  const text = new Uint8Array(run.text.length);
  const ranges = new Int32Array(2 * text.length);
  let length = 0;
  let end = 0;
  let isNumber = false;
  forEachByte(run, (byte, place, lastPlace) => {
    if (run.encoding.bits === 4 && lastPlace - end > 1) text[length++] = GROUP_END;
    end = lastPlace + 1;
    const isDigit = byte >> 4 === code.upper && (byte & 15) <= 9;
    // A number in unpacked digits begins with another than zero, else every filler would be one.
    isNumber = isDigit && (code.upper > 0 || isNumber || byte > 0);
    const character = isNumber ? 0x30 + (byte & 15) : code.other(byte);
    if (character === 0) return;
    ranges[2 * length] = source.start(run.index + place);
    ranges[2 * length + 1] = source.end(run.index + lastPlace);
    text[length++] = character;
  });
  return new Layer(latin1Of(text.subarray(0, length)), true, ranges);
}
