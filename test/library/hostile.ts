/** Bytes that lie of their length, species and iterator. */
export class LyingBytes extends Uint8Array {
  static get [Symbol.species](): never {
    return fail();
  }
  override get length(): number {
    return 1;
  }
  override get buffer(): never {
    return fail();
  }
  override [Symbol.iterator](): never {
    return fail();
  }
  override slice(): never {
    return fail();
  }
}

/** An array with an iterator and a species of its own. */
export class LyingArray<T> extends Array<T> {
  static override get [Symbol.species](): never {
    return fail();
  }
  override [Symbol.iterator](): never {
    return fail();
  }
  override map(): never {
    return fail();
  }
}

/** Values that no function expects, each with a name. */
export const HOSTILE: readonly (readonly [name: string, value: unknown])[] = [
  ['null', null],
  ['true', true],
  ['NaN', Number.NaN],
  ['a negative number', -1],
  ['a fraction', 1.5],
  ['a bigint', 10n],
  ['a symbol', Symbol('s')],
  ['a function', () => 'text'],
  ['an empty text', ''],
  ['half a surrogate pair', 'ab\ud800cd'],
  ['a String object', Object('FFFF9876543210E00001')],
  ['a text of the prototype', '__proto__'],
  ['an empty array', []],
  ['an array of holes', new Array(3)],
  ['a huge array of holes', new Array(2 ** 32 - 1)],
  ['nested arrays', [[[]]]],
  ['an empty object', {}],
  ['an object without a prototype', Object.create(null)],
  ['a member __proto__', JSON.parse('{"__proto__": {"testKeys": true}}')],
  ['an object that holds itself', circle()],
  ['an object with toJSON', {toJSON: () => 'FFFF9876543210E00001'}],
  ['an object with toString', {toString: () => 'hmac'}],
  ['a getter that throws', Object.defineProperty({}, 'bdk', {get: fail, enumerable: true})],
  ['a map', new Map([['testKeys', true]])],
  ['a promise', Promise.resolve({})],
  ['a date', new Date(0)],
  ['an ArrayBuffer', new ArrayBuffer(8)],
  ['a DataView', new DataView(new ArrayBuffer(8))],
  ['other numbers', new Uint16Array(4)],
  ['clamped bytes', new Uint8ClampedArray(16)],
  ['no bytes', new Uint8Array(0)],
  ['bytes', new Uint8Array(7)],
  ['detached bytes', detached()],
  ['bytes beyond the end of their buffer', cutOff()],
  ['shared bytes', new Uint8Array(new SharedArrayBuffer(5))],
  ['a Buffer', Buffer.from('abc')],
  ['a proxy of bytes', new Proxy(new Uint8Array(16), {})],
  ['a proxy of an array', new Proxy([], {get: fail})],
  ['a proxy whose traps throw', new Proxy({}, throwing())],
  ['a proxy that was revoked', revoked()],
  ['a proxy of a signal', new Proxy(new AbortController().signal, {})],
  ['an array that lies', new LyingArray(1, 2)],
  ['a long text', 'A'.repeat(70_000)],
];

function fail(): never {
  throw new TypeError('a trap');
}

function circle(): object {
  const found: {self?: object} = {};
  found.self = found;
  return found;
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(16);
  structuredClone(bytes.buffer, {transfer: [bytes.buffer]});
  return bytes;
}

function cutOff(): Uint8Array {
  const buffer = resizableBuffer(16);
  const bytes = new Uint8Array(buffer, 8, 8);
  buffer.resize(4);
  return bytes;
}

/** ES2024, which our types do not know yet. */
export function resizableBuffer(length: number): ArrayBuffer & {resize(length: number): void} {
  return Reflect.construct(ArrayBuffer, [length, {maxByteLength: 2 * length}]);
}

function revoked(): object {
  const {proxy, revoke} = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function throwing(): ProxyHandler<object> {
  return {
    get: fail,
    has: fail,
    ownKeys: fail,
    getOwnPropertyDescriptor: fail,
    getPrototypeOf: fail,
  };
}
