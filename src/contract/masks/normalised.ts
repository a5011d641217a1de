import type {Layer} from './layer.js';

/** A text after NFKC, without characters of no width, with digits of any script in ASCII. */
export function normalised(source: Layer): Layer {
  return source.rewritten(/[\0\P{ASCII}]/gu, ([character]) => inAscii(character)) ?? source;
}

const KNOWN = new Map<string, string>();
const MAX_KNOWN = 16_384;

/** A character in ASCII, where any letter may be an `x`; nothing if it has no width. */
export function inAscii(character: string): string {
  const known = KNOWN.get(character);
  if (known !== undefined) return known;
  const characters = [...character.normalize('NFKC')].map(plainCharacter).join('');
  // A word in one character stands for a letter.
  const ascii = /[\da-f]/i.test(characters) ? characters : characters.slice(0, 1);
  if (KNOWN.size < MAX_KNOWN) KNOWN.set(character, ascii);
  return ascii;
}

function plainCharacter(character: string): string {
  if (character >= '\x01' && character <= '\x7f') return character;
  if (/[\0\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character)) return '';
  if (/\p{Nd}/u.test(character)) return String(digitValue(character.codePointAt(0) ?? 0));
  if (/\p{L}/u.test(character)) return 'x';
  return /[\p{Pd}\u2212\s]/u.test(character) ? ' ' : '_';
}

/** Digits of every script follow each other, beginning at a code point that ends with 0 or 6. */
function digitValue(code: number): number {
  const isFromZero = /\p{Nd}/u.test(String.fromCodePoint((code & ~15) | 5));
  return (code & 15) - (isFromZero ? 0 : 6);
}
