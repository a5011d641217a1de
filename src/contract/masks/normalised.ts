import {bytesFromLatin1, utf8Of} from '../../platform/bytes.js';
import type {Layer} from './layer.js';

/** A text after NFKC, without characters of no width, with digits of any script in ASCII. */
export function normalised(source: Layer): Layer {
  return source.rewritten(/[\0\P{ASCII}]/gu, ([character]) => inAscii(character)) ?? source;
}

const MAX_KNOWN = 16_384;

/** A character in ASCII, where any letter may be an `x`; nothing if it has no width. */
const inAscii = remembering((character) => {
  const characters = [...character.normalize('NFKC')].map(plainCharacter).join('');
  // A word in one character stands for a letter.
  return /[\da-f]/i.test(characters) ? characters : characters.slice(0, 1);
});

/** Keeps what a text is read as, since most texts are there many times. */
function remembering(read: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const ascii = read(text);
    if (known.size < MAX_KNOWN) known.set(text, ascii);
    return ascii;
  };
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

const ESCAPE =
  /((?:%[c-f][\da-f])(?:%[89ab][\da-f]){1,3})|%([\da-f]{2})|(\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2})|\\(?:u([\da-f]{4})|u\{0{0,4}([\da-f]{2})\}|x([\da-f]{2}))|&#(?:x0*([\da-f]{1,6})|0*(\d{1,7}));?|&(nbsp|ensp|emsp|thinsp|shy|zwn?j|amp);|0x(3\d)(?![\da-f])|\\([^ux])/gi;
const WHITE: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'};
/** Entities that are not numeric; the others are a blank. */
const NAMED: Readonly<Record<string, string>> = {amp: '&', shy: '', zwj: '', zwnj: ''};

/** A text with its escapes read once: percent, backslash, entities; undefined without any. */
export function unescaped(source: Layer): Layer | undefined {
  return source.rewritten(ESCAPE, (match) => {
    const [, utf8, percent, pair, unicode, braced, short, hexEntity, entity, name, digit, other] =
      match;
    if (utf8 !== undefined) return decodedUtf8(utf8);
    if (pair !== undefined) return inAscii(JSON.parse(`"${pair.toLowerCase()}"`));
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? ' ';
    if (other !== undefined) return WHITE[other] ?? other;
    const hex = percent ?? unicode ?? braced ?? short ?? hexEntity ?? digit;
    const code = hex === undefined ? Number(entity) : Number.parseInt(hex, 16);
    return code > 0x10ffff ? '_' : inAscii(String.fromCodePoint(code));
  });
}

function decodedUtf8(escaped: string): string {
  try {
    return [...decodeURIComponent(escaped)].map(inAscii).join('');
  } catch {
    return '_';
  }
}

const BEYOND_ASCII = /[\xc2-\xf4][\x80-\xbf]{1,3}/g;

/** Bytes as text: a blank or a dash beyond ASCII has two or three of them in UTF-8. */
export function fromUtf8(source: Layer): Layer {
  return source.rewritten(BEYOND_ASCII, ([bytes]) => utf8InAscii(bytes)) ?? source;
}

const utf8InAscii = remembering((bytes) =>
  [...utf8Of(bytesFromLatin1(bytes))].map(inAscii).join(''),
);

/** Tags, marks of hex bytes, and escaped blanks before a digit: each divides groups as a blank does. */
const SEPARATOR_MARK = /<\/?[a-z]{1,10} ?\/?>|(?<!\d)0x|\\x|%(?:25){0,3}(?:20|09)(?=\d)/gi;

/** A text with a blank for each mark; undefined without any. */
export function withoutMarks(source: Layer): Layer | undefined {
  return source.rewritten(SEPARATOR_MARK, () => ' ');
}
