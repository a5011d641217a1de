import {PaylensError} from '../contract/paylens-error.js';
import {decodeInput} from '../engine/decode-input.js';

/** The members of an options object; one that is undefined counts as absent. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * The known members of an options object, each read once. Throws 2005, naming `name` or the member,
 * for anything but an object and for members of other names.
 */
export function membersOf(value: unknown, name: string, known: readonly string[]): Members {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(name, 'an object', value);
  const members: Record<string, unknown> = {};
  for (const member of Object.keys(value)) {
    const content = (value as Members)[member];
    if (content === undefined) continue;
    if (!known.includes(member)) {
      throw new PaylensError(2005, `${name}: expected members ${known.join(', ')}, found another`);
    }
    members[member] = content;
  }
  return members;
}

/** A text, if it is there. Throws 2005. */
export function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(name, 'a string', value);
}

/** One of the given texts, if it is there. Throws 2005. */
export function oneOf<T extends string>(
  value: unknown,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = textOf(value, name);
  const found = values.find((one) => one === text);
  if (found !== undefined || text === undefined) return found;
  throw new PaylensError(2005, `${name}: expected ${values.join(', ')}, found another text`);
}

/** True or false, if it is there. Throws 2005. */
export function flagOf(value: unknown, name: string): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  throw wrong(name, 'true or false', value);
}

/** A number in a range, if it is there. Throws 2005. */
export function numberOf(
  value: unknown,
  name: string,
  [from, to]: readonly [number, number],
): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= from && value <= to) return value;
  throw wrong(name, `a number from ${from} to ${to}`, value);
}

/** A function, if it is there. Throws 2005. */
export function functionOf(
  value: unknown,
  name: string,
): ((...given: readonly never[]) => unknown) | undefined {
  if (value === undefined || typeof value === 'function')
    return value as ((...given: readonly never[]) => unknown) | undefined;
  throw wrong(name, 'a function', value);
}

/** The elements of an array, or a single value as the only one; a copy. Throws 2005 on holes. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? Array.from({length: value.length}, (_, i) => value[i]) : [value];
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const tagOf = getter(Symbol.toStringTag);
const lengthOf = getter('length');
const setBytes = Uint8Array.prototype.set;

/** Internal properties of an array, which a subclass or a proxy cannot answer for. */
function getter(name: string | symbol): (this: unknown) => unknown {
  const {get} = Object.getOwnPropertyDescriptor(typedArray, name) ?? {};
  return get as (this: unknown) => unknown;
}

/**
 * A copy of the bytes of a Uint8Array of any realm, in memory of its own; undefined for anything
 * else. Throws 2005 if its buffer was transferred away.
 */
export function bytesOf(value: unknown, name: string): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || tagOf.call(value) !== 'Uint8Array')
    return undefined;
  const copy = new Uint8Array(lengthOf.call(value) as number);
  try {
    setBytes.call(copy, value as Uint8Array);
  } catch {
    throw new PaylensError(2005, `${name}: its ArrayBuffer is detached`);
  }
  return copy;
}

/**
 * A payload as text; bytes are text in UTF-8, or a binary dump. Throws 2005 for anything but a
 * string or a Uint8Array, and for text with half a surrogate pair.
 */
export function payloadOf(value: unknown): string {
  if (typeof value === 'string') {
    if (/\p{Cs}/u.test(value))
      throw new PaylensError(2005, 'payload: expected Unicode, found half a surrogate pair');
    return value;
  }
  const bytes = bytesOf(value, 'payload');
  if (bytes) return decodeInput(bytes);
  throw wrong('payload', 'a string or a Uint8Array', value);
}

/** The error 2005 of an argument of the wrong type. */
export function wrong(name: string, expected: string, found: unknown): PaylensError {
  return new PaylensError(2005, `${name}: expected ${expected}, found ${typeName(found)}`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'object' ? 'an object' : type === 'undefined' ? 'nothing' : `a ${type}`;
}
