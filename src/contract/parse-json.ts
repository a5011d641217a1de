import {PaylensError} from './paylens-error.js';

/** A parsed JSON object: its own members only. */
export type JsonObject = Readonly<Record<string, unknown>>;

const DEEPEST = 8;

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
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
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

// Valid JSON is a sequence of these; numbers, literals and commas need no look.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;

/** Finds in valid JSON what JSON.parse lets pass: duplicates, `__proto__`, deep nesting. */
function checkStructure(text: string): void {
  const levels: Set<string>[] = [];
  for (const {0: token, 1: colon, index} of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open(levels, index);
    else if (token === '}' || token === ']') levels.pop();
    else if (colon !== undefined) checkMember(token.slice(0, -colon.length), levels.at(-1), index);
  }
}

function open(levels: Set<string>[], index: number): void {
  if (levels.length === DEEPEST)
    throw new PaylensError(2004, `nested deeper than ${DEEPEST} levels at character ${index}`);
  levels.push(new Set());
}

function checkMember(quoted: string, names: Set<string> | undefined, index: number): void {
  const name: string = JSON.parse(quoted);
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
