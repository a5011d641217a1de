import type {ErrorCode} from '../contract/error-catalogue.js';
import {PaylensError} from '../contract/paylens-error.js';
import {Secret} from '../contract/secret.js';
import {decodeInput} from '../engine/decode-input.js';

/** The members of an options object; one that is undefined counts as absent. */
export type Members = Readonly<Record<string, unknown>>;

/** No KSN, PEM or header is longer: longer text is rejected unread. */
const MAX_TEXT_CHARS = 65_536;
/** Limit of payloads to decrypt, 64 KiB as in a request; in UTF-8 up to four bytes a character. */
const MAX_PAYLOAD_CHARS = 65_536;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ELEMENTS = 10_000;

/**
 * The known members of an options object, each read once, in an object without a prototype: what
 * others added to Object.prototype is not an option. Throws 2005, naming `name` or the member, for
 * anything but a plain object and for members of other names.
 */
export function membersOf(value: unknown, name: string, known: readonly string[]): Members {
  const members: Record<string, unknown> = Object.create(null);
  if (value === undefined) return members;
  for (const [member, content] of entriesOf(value, name)) {
    if (content === undefined) continue;
    if (!known.includes(member)) {
      // A name that is not an ordinary word is not repeated: it may be a key.
      const found = /^[a-z][a-z_-]{0,30}$/i.test(member) ? member : 'another';
      throw new PaylensError(2005, `${name}: expected members ${known.join(', ')}, found ${found}`);
    }
    members[member] = content;
  }
  return members;
}

/** The members of a plain object, each read once. Throws 2005 for anything else. */
export function entriesOf(value: unknown, name: string): readonly (readonly [string, unknown])[] {
  return guarded(name, () => {
    if (tagOf(value) !== 'Object') throw wrong(name, 'an object', value);
    const object = value as Members;
    const names = Object.keys(object);
    if (names.length > MAX_ELEMENTS)
      throw new PaylensError(2005, `${name}: expected at most ${MAX_ELEMENTS} members`);
    return names.map((member) => [member, object[member]] as const);
  });
}

/** What `read` returns; an error of a getter or a proxy becomes 2005. */
export function guarded<T>(name: string, read: () => T, fault = 'it cannot be read'): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PaylensError) throw error;
    throw new PaylensError(2005, `${name}: ${fault}`, {cause: error});
  }
}

/** A text, if it is there. Throws 2005, also for half a surrogate pair and for a huge one. */
export function textOf(
  value: unknown,
  name: string,
  max: number = MAX_TEXT_CHARS,
): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw wrong(name, 'a string', value);
  if (value.length > max)
    throw new PaylensError(2005, `${name}: expected at most ${max} characters`);
  return assertUnicode(value, name);
}

/** A text that must be there. Throws 2005. */
export function required(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (text !== undefined) return text;
  throw wrong(name, 'a string', value);
}

/** The bytes of a text in UTF-8, as a secret, if it is there. Throws 2005. */
export function secretText(value: unknown, name: string): Secret | undefined {
  const text = textOf(value, name);
  return text === undefined ? undefined : Secret.ofText(text);
}

function assertUnicode(text: string, name: string): string {
  if (!/\p{Cs}/u.test(text)) return text;
  throw new PaylensError(2005, `${name}: expected Unicode, found half a surrogate pair`);
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

/** A whole number in a range, if it is there. Throws 2005. */
export function integerOf(
  value: unknown,
  name: string,
  range: readonly [number, number],
): number | undefined {
  const number = numberOf(value, name, range);
  if (number === undefined || Number.isInteger(number)) return number;
  throw new PaylensError(2005, `${name}: expected a whole number`);
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

/**
 * The elements of an array, or a single value as the only one; a copy. Throws 2005 for a huge array.
 */
export function listOf(value: unknown, name: string, max = MAX_ELEMENTS): readonly unknown[] {
  if (value === undefined) return [];
  return guarded(name, () => {
    if (!Array.isArray(value)) return [value];
    const {length} = value;
    if (!(length <= max)) throw new PaylensError(2005, `${name}: expected at most ${max} elements`);
    return Array.from({length}, (_, i) => value[i]);
  });
}

/** Whether a value is an array; false for one that cannot be read. */
export function isArray(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayName = getter(Symbol.toStringTag);
const lengthOf = getter('length');
const setBytes = Uint8Array.prototype.set;

/** Internal properties of an array, which a subclass or a proxy cannot answer for. */
function getter(name: string | symbol): (this: unknown) => unknown {
  const {get} = Object.getOwnPropertyDescriptor(typedArray, name) ?? {};
  return get as (this: unknown) => unknown;
}

/**
 * A copy of the bytes of a Uint8Array of any realm, in separate memory; undefined for anything
 * else. Throws 2005 if its buffer was transferred away, `code` if it has more than `max` bytes.
 */
export function bytesOf(
  value: unknown,
  name: string,
  {max = MAX_BYTES, code = 2005 as ErrorCode} = {},
): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || typedArrayName.call(value) !== 'Uint8Array')
    return undefined;
  const length = lengthOf.call(value) as number;
  if (length > max) throw new PaylensError(code, `${name}: expected at most ${max} bytes`);
  const copy = new Uint8Array(length);
  try {
    setBytes.call(copy, value as Uint8Array);
  } catch {
    throw new PaylensError(2005, `${name}: its ArrayBuffer is detached, or has become too short`);
  }
  return copy;
}

/**
 * A payload as text; bytes are text in UTF-8, or a binary dump. Throws 2005 for anything but a
 * string or a Uint8Array, and for text with half a surrogate pair; 2006 for more than `max`
 * characters.
 */
export function payloadOf(value: unknown, max: number = MAX_PAYLOAD_CHARS): string {
  if (typeof value === 'string') {
    if (value.length > max)
      throw new PaylensError(2006, `expected at most ${max} characters, found ${value.length}`);
    return assertUnicode(value, 'payload');
  }
  const bytes = bytesOf(value, 'payload', {max: 4 * max, code: 2006});
  if (bytes) return decodeInput(bytes);
  throw wrong('payload', 'a string or a Uint8Array', value);
}

/** The error 2005 of an argument of the wrong type. */
export function wrong(name: string, expected: string, found: unknown): PaylensError {
  return new PaylensError(2005, `${name}: expected ${expected}, found ${typeName(found)}`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isArray(value)) return 'an array';
  const tag = tagOf(value);
  return tag === undefined || tag === 'Object' ? 'an object' : `a value of type ${tag}`;
}

/** `Object` for plain objects and those of most classes, `Map`, `Promise`; undefined for no object. */
function tagOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return /^\[object (\w{1,40})\]$/.exec(Object.prototype.toString.call(value))?.[1];
  } catch {
    return undefined;
  }
}
