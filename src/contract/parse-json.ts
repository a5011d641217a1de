import {PaylensError} from './paylens-error.js';

/** A parsed JSON object: its own members only. */
export type JsonObject = Readonly<Record<string, unknown>>;

const DEEPEST = 8;
const UTF8 = new TextDecoder('utf-8', {fatal: true});

/**
 * Reads one JSON object, strictly (contract, Bodies): UTF-8, no duplicate members at any level, no
 * `__proto__`, at most 8 levels. A byte order mark is skipped. Bytes or text alike.
 * Throws 2004, which says where, and never quotes the text.
 */
export function parseJsonObject(input: Uint8Array | string): JsonObject {
  const text = typeof input === 'string' ? input.replace(/^\uFEFF/, '') : decode(input);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PaylensError(2004, `expected an object, found ${kindOf(value)}`);
  checkStructure(text);
  return value as JsonObject;
}

/** What JSON calls the kind of `value`, with its article: `a number`, `null`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new PaylensError(2004, 'the bytes are not UTF-8');
  }
}

// The text of a SyntaxError quotes the input, so only its position is taken.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    const where = position === undefined ? 'it breaks off or is empty' : `at character ${position}`;
    throw new PaylensError(2004, `syntax error: ${where}`);
  }
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Finds in valid JSON what JSON.parse lets pass: duplicates, `__proto__`, deep nesting. */
function checkStructure(text: string): void {
  const levels: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (OPENING[code] === 1) open(levels, at);
    else if (CLOSING[code] === 1) levels.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      if (isName(text, end)) checkMember(text.slice(at, end), levels.at(-1), at);
      at = end - 1;
    }
  }
}

const OPENING = characters('{[');
const CLOSING = characters('}]');
const WHITE_SPACE = characters(' \t\n\r');

function characters(text: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of text) table[character.charCodeAt(0)] = 1;
  return table;
}

/** The position behind the string of valid JSON that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
}

/** Whether the string that ends before `end` is the name of a member. */
function isName(text: string, end: number): boolean {
  let next = end;
  while (WHITE_SPACE[text.charCodeAt(next)] === 1) next += 1;
  return text.charCodeAt(next) === COLON;
}

function open(levels: Set<string>[], index: number): void {
  if (levels.length === DEEPEST)
    throw new PaylensError(2004, `nested deeper than ${DEEPEST} levels at character ${index}`);
  levels.push(new Set());
}

function checkMember(quoted: string, names: Set<string> | undefined, index: number): void {
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  if (name === '__proto__')
    throw new PaylensError(2004, `unsafe member name __proto__ at character ${index}`);
  if (names?.has(name))
    throw new PaylensError(2004, `duplicate member ${printableName(name)}at character ${index}`);
  names?.add(name);
}

// A name that is not an ordinary word could be anything, card data too.
function printableName(name: string): string {
  return /^[a-z]\w{0,30}$/i.test(name) ? `${name} ` : '';
}
