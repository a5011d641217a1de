import {
  BACKSLASH,
  describeFault,
  faultAt,
  findEncodingFault,
  findSyntaxFault,
  type JsonFault,
  QUOTE,
  tooDeepAt,
} from './json-fault.js';
import {PaylensError} from './paylens-error.js';

/** A parsed JSON object: its own members only. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** JSON that was read, or where it is at fault. */
export type ReadJson = {readonly value: unknown} | {readonly fault: JsonFault};

const DEEPEST = 8;
const UTF8 = new TextDecoder('utf-8', {fatal: true});

/**
 * Reads one JSON object, strictly (docs/contract.md#bodies): UTF-8, no duplicate members at any
 * level, no `__proto__`, at most 8 levels. A byte order mark is skipped. Bytes or text alike.
 * Throws 2004, which says where, and never quotes the text.
 */
export function parseJsonObject(input: Uint8Array | string): JsonObject {
  const read = readJson(input);
  if ('fault' in read) throw new PaylensError(2004, describeFault(read.fault));
  if (isJsonObject(read.value)) return read.value;
  throw new PaylensError(2004, `expected an object, found ${kindOf(read.value)}`);
}

/**
 * Like parseJsonObject, for the body of a request, which has no byte order mark (RFC 8259, 8.1).
 */
export function parseBody(input: Uint8Array | string): JsonObject {
  if (isMarked(input)) throw new PaylensError(2004, 'expected an object, found a byte order mark');
  return parseJsonObject(input);
}

/** The object of a body; undefined if it holds none. */
export function bodyObject(input: Uint8Array | string): JsonObject | undefined {
  try {
    return parseBody(input);
  } catch {
    return undefined;
  }
}

/** Whether a text, or its bytes, begins with a byte order mark: files may, bodies may not. */
export function isMarked(input: Uint8Array | string): boolean {
  if (typeof input === 'string') return input.startsWith('\uFEFF');
  return UTF8_MARK.every((byte, index) => input[index] === byte);
}

const UTF8_MARK = [0xef, 0xbb, 0xbf];

/** Whether a value that was read is an object: no array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads JSON of any kind as strictly as `parseJsonObject` does. */
export function readJson(input: Uint8Array | string): ReadJson {
  const text = typeof input === 'string' ? input.replace(/^\uFEFF/, '') : decode(input);
  if (typeof text !== 'string') return {fault: text};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The text of a SyntaxError quotes the input.
    return {fault: findSyntaxFault(text, DEEPEST)};
  }
  const fault = findStructureFault(text);
  return fault ? {fault} : {value};
}

function decode(bytes: Uint8Array): string | JsonFault {
  try {
    return UTF8.decode(bytes);
  } catch {
    return findEncodingFault(bytes);
  }
}

const COLON = 0x3a;

/** Finds problems in valid JSON that JSON.parse accepts: duplicates, `__proto__`, deep nesting. */
function findStructureFault(text: string): JsonFault | undefined {
  const levels: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (OPENING[code] === 1) {
      if (levels.length === DEEPEST) return tooDeepAt(text, at, DEEPEST);
      levels.push(new Set());
    } else if (CLOSING[code] === 1) levels.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      const why = isName(text, end) && faultOfName(text.slice(at, end), levels.at(-1));
      if (why) return faultAt(text, at, why);
      at = end - 1;
    }
  }
  return undefined;
}

const OPENING = characters('{[');
const CLOSING = characters('}]');
const BLANKS = characters(' \t\n\r');

function characters(text: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of text) table[character.charCodeAt(0)] = 1;
  return table;
}

/** The position after the string of valid JSON that begins at `start`. */
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
  while (BLANKS[text.charCodeAt(next)] === 1) next += 1;
  return text.charCodeAt(next) === COLON;
}

function faultOfName(quoted: string, names: Set<string> | undefined): string | undefined {
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  if (name === '__proto__') return 'unsafe member name __proto__';
  // A name that is not an ordinary word could be anything, card data too.
  if (names?.has(name)) return `duplicate member${/^[a-z_]{1,31}$/i.test(name) ? ` ${name}` : ''}`;
  names?.add(name);
  return undefined;
}

/** The JSON type of `value` with its article: `a number`, `null`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
