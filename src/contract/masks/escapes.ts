import {normalised, Reading} from './reading.js';

const ESCAPE =
  /((?:%[c-f][\da-f])(?:%[89ab][\da-f]){1,3})|%([\da-f]{2})|\\(?:u([\da-f]{4})|u\{0{0,4}([\da-f]{2})\}|x([\da-f]{2}))|&#(?:x0{0,4}([\da-f]{1,6})|0{0,4}(\d{1,7}));|&(nbsp);|0x(3\d)(?![\da-f])|\\([^ux])/gi;
const WHITE: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'};

/** A text with its escapes read once: percent, backslash, entities; undefined without any. */
export function unescaped(reading: Reading): Reading | undefined {
  const {text} = reading;
  if (!/[%\\&]|0x/i.test(text)) return undefined;
  const result = new Reading(reading.keepsLength);
  let end = 0;
  for (const match of text.matchAll(ESCAPE)) {
    copy(reading, end, match.index, result);
    end = match.index + match[0].length;
    result.add(meaning(match), reading.start(match.index), reading.end(end - 1));
  }
  copy(reading, end, text.length, result);
  return end === 0 ? undefined : result;
}

function copy(reading: Reading, from: number, to: number, result: Reading): void {
  for (let i = from; i < to; i++)
    result.add(reading.text.charAt(i), reading.start(i), reading.end(i));
}

function meaning(match: RegExpMatchArray): string {
  const [, utf8, percent, unicode, braced, short, hexEntity, entity, blank, digit, other] = match;
  if (utf8 !== undefined) return decodedUtf8(utf8);
  if (blank !== undefined) return ' ';
  if (other !== undefined) return WHITE[other] ?? other;
  const hex = percent ?? unicode ?? braced ?? short ?? hexEntity ?? digit;
  const code = hex === undefined ? Number(entity) : Number.parseInt(hex, 16);
  return code > 0x10ffff ? '_' : normalised(String.fromCodePoint(code));
}

function decodedUtf8(escaped: string): string {
  try {
    return [...decodeURIComponent(escaped)].map(normalised).join('');
  } catch {
    return '_';
  }
}
