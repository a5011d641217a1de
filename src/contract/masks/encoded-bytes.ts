import {GROUP_END, MIN_CARD_DIGITS, markLength} from './digit-groups.js';
import {Reading} from './reading.js';

/** What characters are, besides units of that value. */
const NONE = 255;
const SEPARATOR = 254;
/** Between two units of one encoded text, and between two bytes that are digits of one number. */
const MAX_SEPARATORS = 3;
const MAX_BYTES_BETWEEN = 24;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Hex or base64: its units of a few bits. */
interface Encoding {
  readonly bits: 4 | 6;
  readonly minUnits: number;
  readonly units: Uint8Array;
}

const HEX: Encoding = {
  bits: 4,
  minUnits: 2 * MIN_CARD_DIGITS,
  units: unitTable((character) =>
    /[\da-f]/i.test(character)
      ? Number.parseInt(character, 16)
      : /[a-z]/i.test(character)
        ? NONE
        : SEPARATOR,
  ),
};
const SIX_BITS: Encoding = {
  bits: 6,
  minUnits: 16,
  units: unitTable((character) => {
    const index = BASE64.indexOf(character.replace('-', '+').replace('_', '/'));
    return /[\r\n]/.test(character) ? SEPARATOR : index < 0 ? NONE : index;
  }),
};

function unitTable(value: (character: string) => number): Uint8Array {
  return Uint8Array.from({length: 128}, (_, code) => value(String.fromCharCode(code)));
}

/** How a byte is read as a character, after the text before it; its digits begin at `zero`. */
const CODES = [
  // The other byte of UTF-16 has no width.
  {zero: 0x30, read: (byte: number) => (byte === 0 ? '' : String.fromCharCode(byte))},
  // EBCDIC, whose marks are 40 to 7F.
  {
    zero: 0xf0,
    read: (byte: number) =>
      byte >= 0xf0 && byte <= 0xf9 ? String(byte - 0xf0) : byte >> 6 === 1 ? ' ' : 'x',
  },
  // Unpacked digits: a number begins with another than zero, else every filler would be one.
  {
    zero: 0,
    read: (byte: number, before: string) =>
      byte > 9 || (byte === 0 && !/\d/.test(before)) ? 'x' : String(byte),
  },
];
/** The code in which a byte is a digit, or NONE. */
const DIGIT_CODES = Uint8Array.from({length: 256}, (_, byte) => {
  const code = CODES.findIndex(({zero}) => byte >= zero && byte <= zero + 9);
  return code < 0 ? NONE : code;
});

/** Visits what the hex in a text encodes, as far as it may hold card numbers. */
export function readHex(reading: Reading, visit: (decoded: Reading) => void): void {
  readUnits(reading, HEX, visit);
}

/** Visits what the base64 in a text encodes, also where line breaks divide it. */
export function readBase64(reading: Reading, visit: (decoded: Reading) => void): void {
  readUnits(reading, SIX_BITS, visit);
}

function readUnits(reading: Reading, encoding: Encoding, visit: (decoded: Reading) => void): void {
  const {text} = reading;
  const stretch = new Stretch(reading, encoding, visit);
  let between = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const unit = encoding.units[code] ?? (encoding === HEX ? SEPARATOR : NONE);
    const mark = encoding === HEX ? markLength(text, i, code) : 0;
    if (unit < 64 && mark === 0) {
      stretch.add(unit, i, between > 0);
      between = 0;
    } else if (unit === NONE || ++between > MAX_SEPARATORS) stretch.finish();
    if (mark > 0) i += mark - 1;
  }
  stretch.finish();
}

/** Units that stand together. */
class Stretch {
  readonly #reading: Reading;
  readonly #encoding: Encoding;
  readonly #visit: (decoded: Reading) => void;
  readonly #values: number[] = [];
  readonly #places: number[] = [];
  readonly #gaps: boolean[] = [];
  #count = 0;

  constructor(reading: Reading, encoding: Encoding, visit: (decoded: Reading) => void) {
    this.#reading = reading;
    this.#encoding = encoding;
    this.#visit = visit;
  }

  add(value: number, place: number, gap: boolean): void {
    this.#values[this.#count] = value;
    this.#gaps[this.#count] = gap;
    this.#places[this.#count++] = place;
  }

  /** Bytes may begin at any unit. */
  finish(): void {
    const {bits, minUnits} = this.#encoding;
    if (this.#count >= minUnits)
      for (let first = 0; first < (bits === 4 ? 2 : 4); first++) {
        const bytes = this.#bytesFrom(first);
        for (const code of digitCodes(bytes))
          if (code < 2 || bits === 4) this.#decode(bytes, first, code);
      }
    this.#count = 0;
  }

  #bytesFrom(first: number): Uint8Array {
    const {bits} = this.#encoding;
    const bytes = new Uint8Array(((this.#count - first) * bits) >> 3);
    let value = 0;
    let ready = 0;
    for (let i = first, count = 0; count < bytes.length; i++) {
      value = ((value << bits) | (this.#values[i] ?? 0)) & 0xffff;
      ready += bits;
      if (ready < 8) continue;
      ready -= 8;
      bytes[count++] = value >> ready;
    }
    return bytes;
  }

  #decode(bytes: Uint8Array, first: number, code: number): void {
    const decoded = new Reading(true);
    let before = '';
    const unitAt = (bit: number) => first + Math.floor(bit / this.#encoding.bits);
    for (let i = 0; i < bytes.length; i++) {
      const [start, end] = [unitAt(8 * i), unitAt(8 * i + 7)];
      if (this.#encoding === HEX && (this.#gaps[start] || this.#gaps[end]))
        decoded.add(GROUP_END, 0, 0);
      const character = CODES[code]?.read(bytes[i] ?? 0, before) ?? '';
      before = character;
      const [from, to] = [this.#places[start] ?? 0, this.#places[end] ?? 0];
      decoded.add(character, this.#reading.start(from), this.#reading.end(to));
    }
    this.#visit(decoded);
  }
}

/** The codes in which enough bytes are digits, near each other. */
function digitCodes(bytes: Uint8Array): Set<number> {
  const found = new Set<number>();
  const counts = [0, 0, 0];
  const last = [0, 0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const code = DIGIT_CODES[bytes[i] ?? 0] ?? NONE;
    if (code === NONE) continue;
    const count = i - (last[code] ?? 0) > MAX_BYTES_BETWEEN ? 1 : (counts[code] ?? 0) + 1;
    counts[code] = count;
    last[code] = i;
    if (count === MIN_CARD_DIGITS) found.add(code);
  }
  return found;
}
