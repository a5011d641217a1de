/** A text as it is read, and where each of its characters stands in the original. */
export class Reading {
  text: string;
  /** True if a hidden character becomes as many asterisks as it has in the original. */
  readonly keepsLength: boolean;
  readonly #offset: number;
  /** Start and end of each character; empty for a part of the original as it stands. */
  readonly #places: number[] = [];

  constructor(keepsLength: boolean, text = '', offset = 0) {
    this.keepsLength = keepsLength;
    this.text = text;
    this.#offset = offset;
  }

  /** Adds characters that all stand at the same place. */
  add(characters: string, start: number, end: number): void {
    this.text += characters;
    for (let i = 0; i < characters.length; i++) this.#places.push(start, end);
  }

  start(index: number): number {
    return this.#places[2 * index] ?? this.#offset + index;
  }

  end(index: number): number {
    return this.#places[2 * index + 1] ?? this.#offset + index + 1;
  }
}

/** Anything but ASCII without NUL. */
const FOREIGN = /\0|\P{ASCII}/u;

/** Part of a text: after NFKC, without characters of no width, digits of any script in ASCII. */
export function normalisedPart(
  text: string,
  from: number,
  to: number,
  keepsLength: boolean,
): Reading {
  const part = text.slice(from, to);
  if (!FOREIGN.test(part)) return new Reading(keepsLength, part, from);
  const reading = new Reading(keepsLength);
  let start = from;
  for (const character of part) {
    reading.add(normalised(character), start, start + character.length);
    start += character.length;
  }
  return reading;
}

const KNOWN = new Map<string, string>();
const MAX_KNOWN = 16_384;

/** One character in ASCII, where any letter may be an `x`; nothing if it has no width. */
export function normalised(character: string): string {
  if (character >= '\x01' && character <= '\x7f') return character;
  const known = KNOWN.get(character);
  if (known !== undefined) return known;
  const ascii = [...character.normalize('NFKC')].map(inAscii).join('');
  if (KNOWN.size < MAX_KNOWN) KNOWN.set(character, ascii);
  return ascii;
}

function inAscii(character: string): string {
  if (character >= '\x01' && character <= '\x7f') return character;
  if (/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character) || character === '\0')
    return '';
  if (/\p{Nd}/u.test(character)) return String(digitValue(character.codePointAt(0) ?? 0));
  if (/\p{L}/u.test(character)) return 'x';
  return /[\p{Pd}\u2212\s]/u.test(character) ? ' ' : '_';
}

/** Digits of every script follow each other, beginning at a code point that ends with 0 or 6. */
function digitValue(code: number): number {
  const isFromZero = /\p{Nd}/u.test(String.fromCodePoint((code & ~15) | 5));
  return (code & 15) - (isFromZero ? 0 : 6);
}
