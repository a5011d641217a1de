import type {Layer} from './layer.js';
import {inAscii} from './normalised.js';

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

/** Tags, marks of hex bytes, and escaped blanks before a digit: each divides groups as a blank does. */
const SEPARATOR_MARK = /<\/?[a-z]{1,10} ?\/?>|(?<!\d)0x|\\x|%(?:25){0,3}(?:20|09)(?=\d)/gi;

/** A text with a blank for each mark; undefined without any. */
export function withoutMarks(source: Layer): Layer | undefined {
  return source.rewritten(SEPARATOR_MARK, () => ' ');
}
