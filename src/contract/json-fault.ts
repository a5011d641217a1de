/** Position and reason of the first violation of JSON as we accept it, without any of the text. */
export interface JsonFault {
  /** Both count from 1; a column is a character. */
  readonly line: number;
  readonly column: number;
  /** What was expected, and the kind of character that was found. */
  readonly reason: string;
  /** True if everything before the end is JSON, and more of it is expected. */
  readonly isCut: boolean;
}

/** A fault as messages put it. */
export function describeFault({line, column, reason}: JsonFault): string {
  return `line ${line}, column ${column}: ${reason}`;
}

/** The fault at a position of `text`, with its line and column. */
export function faultAt(text: string, at: number, reason: string): JsonFault {
  let [line, start, column] = [1, 0, 1];
  for (let i = 0; i < at; i++) {
    if (text[i] !== '\n' && (text[i] !== '\r' || (text[i + 1] === '\n' && i + 1 < at))) continue;
    line += 1;
    start = i + 1;
  }
  for (let i = start; i < at; column++) i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  return {line, column, reason, isCut: at >= text.length};
}

/** The fault of a bracket that opens one level too many. */
export function tooDeepAt(text: string, at: number, deepest: number): JsonFault {
  return faultAt(text, at, `nested deeper than ${deepest} levels`);
}

/**
 * The first place where `text`, which JSON.parse refuses, cannot be continued to JSON (RFC 8259), or
 * where it is nested too deep.
 */
export function findSyntaxFault(text: string, deepest = Infinity): JsonFault {
  const open: string[] = [];
  let at = 0;
  let state: State = 'value';
  for (;;) {
    at = endOf(WHITE_SPACE, text, at);
    const step = stepFrom(state, text, at, open);
    if ('expected' in step)
      return faultAt(text, step.at, `expected ${step.expected}, found ${kindAt(text, step.at)}`);
    if (open.length > deepest) return tooDeepAt(text, at, deepest);
    ({at, state} = step);
  }
}

/** The first byte that is not valid UTF-8. */
export function findEncodingFault(bytes: Uint8Array): JsonFault {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const text = decoder.decode(bytes);
  // Invalid byte sequences have become U+FFFD, which may also be in the text itself.
  const again = new TextEncoder().encode(text);
  let end = 0;
  while (again[end] === bytes[end]) end += 1;
  // The bytes that continue a character.
  while ((again[end] ?? 0) >> 6 === 0b10) end -= 1;
  const at = decoder.decode(again.subarray(0, end)).length;
  const mark = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  return faultAt(text.slice(mark), at - mark, 'expected UTF-8, found another byte');
}

const BYTE_ORDER_MARK = '\uFEFF';

type State = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'next';
type Step = {readonly at: number} & ({readonly state: State} | {readonly expected: string});

const NAMES: Readonly<Record<Exclude<State, 'next'>, string>> = {
  value: 'a value',
  'value or ]': 'a value or a closing bracket',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or a closing brace',
  ':': 'a colon',
};

/** The state after one token; `open` lists the brackets and braces not yet closed. */
function stepFrom(state: State, text: string, at: number, open: string[]): Step {
  const character = text[at] ?? '';
  if (state === 'next') return stepBehindValue(character, at, open);
  if (state === ':' && character === ':') return {at: at + 1, state: 'value'};
  if (state === 'name or }' && character === '}') return close(at, open);
  if (state === 'value or ]' && character === ']') return close(at, open);
  const isName = state === 'name' || state === 'name or }';
  if (isName && character === '"') return stepThroughString(text, at, ':');
  if (state !== 'value' && state !== 'value or ]') return {at, expected: NAMES[state]};
  if (character === '"') return stepThroughString(text, at, 'next');
  if (character === '{' || character === '[') {
    open.push(character);
    return {at: at + 1, state: character === '{' ? 'name or }' : 'value or ]'};
  }
  if (/[-\d]/.test(character)) return stepThroughNumber(text, at);
  const literal = ['true', 'false', 'null'].find((each) => each[0] === character);
  return literal === undefined ? {at, expected: NAMES[state]} : stepThrough(literal, text, at);
}

function stepBehindValue(character: string, at: number, open: string[]): Step {
  const bracket = open.at(-1);
  if (bracket === undefined) return {at, expected: 'nothing more'};
  if (character === ',') return {at: at + 1, state: bracket === '{' ? 'name' : 'value'};
  if (character === (bracket === '{' ? '}' : ']')) return close(at, open);
  return {at, expected: `a comma or a closing ${bracket === '{' ? 'brace' : 'bracket'}`};
}

function close(at: number, open: string[]): Step {
  open.pop();
  return {at: at + 1, state: 'next'};
}

function stepThroughString(text: string, start: number, state: State): Step {
  for (let at = start + 1; ; ) {
    while (isPlain(text.charCodeAt(at))) at += 1;
    if (text[at] === '"') return {at: at + 1, state};
    if (text[at] !== '\\') return {at, expected: 'a closing quote or a character that is allowed'};
    if (text[at + 1] === 'u') {
      const end = endOf(HEX_DIGITS, text, at + 2);
      if (end < at + 6) return {at: end, expected: 'a hex digit'};
      at = end;
    } else {
      if (!'"\\/bfnrt'.includes(text[at + 1] ?? ' ')) return {at: at + 1, expected: 'an escape'};
      at += 2;
    }
  }
}

/** Also false for NaN, the code after the end of the text. */
function isPlain(code: number): boolean {
  return code >= 0x20 && code !== QUOTE && code !== BACKSLASH;
}

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;

function stepThroughNumber(text: string, start: number): Step {
  const whole = text[start] === '-' ? start + 1 : start;
  let at = endOf(INTEGER, text, whole);
  if (at === whole) return {at, expected: 'a digit'};
  for (const prefix of [FRACTION, EXPONENT]) {
    const digits = endOf(prefix, text, at);
    if (digits === at) continue;
    at = endOf(DIGITS, text, digits);
    if (at === digits) return {at, expected: 'a digit'};
  }
  return {at, state: 'next'};
}

function stepThrough(literal: string, text: string, start: number): Step {
  for (let i = 0; i < literal.length; i++)
    if (text[start + i] !== literal[i]) return {at: start + i, expected: literal};
  return {at: start + literal.length, state: 'next'};
}

const WHITE_SPACE = /[ \t\n\r]*/y;
const HEX_DIGITS = /[\da-f]{0,4}/iy;
const INTEGER = /(?:0|[1-9]\d*)?/y;
const FRACTION = /\.?/y;
const EXPONENT = /(?:e[+-]?)?/iy;
const DIGITS = /\d*/y;

/** Where the match of a pattern that also matches the empty string ends. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

/** The kind of a character, with its article; never the character itself, which may be a key's. */
function kindAt(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  if (at >= text.length) return 'the end';
  return kinds().find(([pattern]) => pattern.test(character))?.[1] ?? 'another character';
}

/** A function, since the tables of Unicode take time to load, and few commands need them. */
const kinds = (): readonly (readonly [RegExp, string])[] => [
  [/\p{L}/u, 'a letter'],
  [/\p{N}/u, 'a digit'],
  [/"/, 'a double quote'],
  [/'/, 'a single quote'],
  [/[`\u2018-\u201f\u00ab\u00bb]/, 'a typographic quote'],
  [/,/, 'a comma'],
  [/:/, 'a colon'],
  [/;/, 'a semicolon'],
  [/\./, 'a full stop'],
  [/[-+]/, 'a plus or minus sign'],
  [/\{/, 'an opening brace'],
  [/\}/, 'a closing brace'],
  [/\[/, 'an opening bracket'],
  [/\]/, 'a closing bracket'],
  [/</, 'an angle bracket'],
  [/\//, 'a slash'],
  [/\\/, 'a backslash'],
  [/[\n\r]/, 'a line break'],
  [/\t/, 'a tab'],
  [/\ufeff/, 'a byte order mark'],
  [/\p{Z}/u, 'a blank'],
  [/\p{Cc}/u, 'a control character'],
];
