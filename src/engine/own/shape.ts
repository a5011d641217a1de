/** Copies a foreign value, reading each member once. Throws Misfit. */
export type Shape<T> = (value: unknown, at: string) => T;

/** A value that is not what it must be, and where it is. */
export class Misfit extends Error {
  constructor(at: string, expected: string, found: unknown) {
    super(`${at}: expected ${expected}, found ${valueKind(found)}`);
  }
}

/** The kind of a value, never the value itself: it may be card data. */
export function valueKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === GETTER) return 'a getter that throws';
  if (value === null) return 'null';
  if (value instanceof Promise) {
    value.catch(() => {});
    return 'a promise';
  }
  if (typeof value === 'number') return isLengthLike(value) ? String(value) : 'another number';
  if (typeof value === 'string') return `text of ${value.length} characters`;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

/** Lengths and offsets; a card number is longer. */
function isLengthLike(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1_000_000;
}

/** A text of some characters. */
export function text([min, max]: readonly [number, number], form?: RegExp): Shape<string> {
  return (value, at) => {
    const isText = typeof value === 'string' && value.length >= min && value.length <= max;
    if (isText && !/\p{Cs}/u.test(value) && (form?.test(value) ?? true)) return value;
    const expected = form
      ? `text of the form ${form.source}`
      : `text of ${min} to ${max} characters`;
    throw new Misfit(at, expected, value);
  };
}

export const flag: Shape<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value;
  throw new Misfit(at, 'true or false', value);
};

export function oneOf<T extends string | number | true>(...values: readonly T[]): Shape<T> {
  return (value, at) => {
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    throw new Misfit(at, values.join(' or '), value);
  };
}

export function number(min: number, max: number): Shape<number> {
  return (value, at) => {
    if (typeof value === 'number' && value >= min && value <= max) return value;
    throw new Misfit(at, `a number from ${min} to ${max}`, value);
  };
}

export function integer(min: number, max: number): Shape<number> {
  return (value, at) => {
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    const range = min > max ? 'no more of it' : `an integer from ${min} to ${max}`;
    throw new Misfit(at, range, value);
  };
}

/** A Uint8Array of any realm, copied. */
export function bytes(min: number, max: number): Shape<Uint8Array> {
  return (value, at) => {
    const isBytes = Object.prototype.toString.call(value) === '[object Uint8Array]';
    const {length} = isBytes ? (value as Uint8Array) : {length: -1};
    if (length >= min && length <= max) return Uint8Array.from(value as Uint8Array);
    const found = isBytes ? length : value;
    throw new Misfit(at, `a Uint8Array of ${min} to ${max} bytes`, found);
  };
}

export function func<F extends (...given: never[]) => unknown>(value: unknown, at: string): F {
  if (typeof value === 'function') return value as F;
  throw new Misfit(at, 'a function', value);
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, at) => (value === undefined ? undefined : shape(value, at));
}

/** Of an array, every element from the first to the last, holes too. */
export function arrayOf<T>(shape: Shape<T>, [min, max]: readonly [number, number]): Shape<T[]> {
  return (value, at) => {
    const length = Array.isArray(value) ? value.length : -1;
    if (length < min || length > max)
      throw new Misfit(at, `an array of ${min} to ${max}`, length < 0 ? value : length);
    return Array.from({length}, (_, i) => memberOf(value as object, i, `${at}[${i}]`, shape));
  };
}

/** The members of an object, each read once; of other names there may be any. */
export function members<T extends object>(
  shapes: {
    readonly [K in keyof T]-?: Shape<object extends Pick<T, K> ? T[K] | undefined : T[K]>;
  },
): Shape<T> {
  const all = Object.entries(shapes) as [string, Shape<unknown>][];
  return (value, at) => {
    if (typeof value !== 'object' || value === null || isWrongObject(value))
      throw new Misfit(at, 'an object', value);
    const found: Record<string, unknown> = {};
    for (const [name, shape] of all) {
      const member = memberOf(value, name, `${at}.${name}`, shape);
      if (member !== undefined) found[name] = member;
    }
    return found as T;
  };
}

/** Objects that people do not mean by one; a promise shows that a function is `async`. */
function isWrongObject(value: object): boolean {
  return Array.isArray(value) || value instanceof Promise;
}

function memberOf<T>(owner: object, name: string | number, at: string, shape: Shape<T>): T {
  let value: unknown;
  try {
    value = (owner as Readonly<Record<string | number, unknown>>)[name];
  } catch {
    throw new Misfit(at, 'a value', GETTER);
  }
  return shape(value, at);
}

/** In place of the value of a getter that throws. */
const GETTER = Symbol('getter');
