import {inspect, isDeepStrictEqual} from 'node:util';
import {describe, expect, it} from 'vitest';
import * as library from '../../src/index.js';
import {PaylensError} from '../../src/index.js';
import {HOSTILE, LyingArray, LyingBytes, resizableBuffer} from './hostile.js';
import {FUNCTIONS, type Row} from './rows.js';

const ROWS = Object.entries(FUNCTIONS);
const IS_FUNCTION = Object.entries(library).filter(([, value]) => typeof value === 'function');

type Path = readonly (string | number)[];

function isBranch(value: unknown): value is Record<string | number, unknown> {
  if (Array.isArray(value)) return true;
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** Every place in the arguments, the arguments themselves included. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path];
  if (!isBranch(value) || value instanceof Error) return own;
  return [...own, ...Object.keys(value).flatMap((key) => pathsOf(value[key], [...path, key]))];
}

/** The arguments with one value replaced. */
function replaced(given: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(given) ? [...given] : {...(given as object)}) as never;
  Reflect.set(copy, key, replaced(Reflect.get(given as object, key), rest, by));
  return copy;
}

/** The arguments with every value as `change` makes it, from the leaves up. */
function rebuilt(value: unknown, change: (value: unknown) => unknown): unknown {
  if (!isBranch(value) || value instanceof Error) return change(value);
  if (Array.isArray(value)) return change(value.map((one) => rebuilt(one, change)));
  const entries = Object.entries(value).map(([name, one]) => [name, rebuilt(one, change)]);
  return change(Object.fromEntries(entries));
}

async function resultOf({call, same}: Row, given: unknown[]): Promise<unknown> {
  const result = await call(...(given as never[]));
  return structuredClone(same ? same(result as never) : result);
}

/** What a call with bad arguments comes to: a result, or an error that is ours. */
async function refusal({call}: Row, given: unknown[]): Promise<unknown> {
  try {
    await call(...(given as never[]));
  } catch (error) {
    // 9001 and 9002 are of the command line.
    const isOurs = error instanceof PaylensError && ![1, 9001, 9002].includes(error.code);
    return isOurs ? 'refused' : error;
  }
  return 'answered';
}

/** A card number, the same with what makes it unusable, and a key. */
const SECRETS = ['4111111111111111', '4111111111111111 ', '0123456789ABCDEFFEDCBA9876543210'];

/** The arguments with a secret in place of each value, then in place of each name. */
function misplaced(given: unknown[], secret: string): unknown[][] {
  const paths = pathsOf(given);
  const values = paths.map((path) => replaced(given, path, secret));
  const names = paths.flatMap((path) => {
    const name = path.at(-1);
    if (typeof name !== 'string') return [];
    const parent = path.slice(0, -1);
    const owner = parent.reduce<unknown>((at, key) => Reflect.get(at as object, key), given);
    return [1, 'x', {}].map((value) =>
      replaced(given, parent, {...(owner as object), [secret]: value}),
    );
  });
  const nested = paths.map((path) => replaced(given, path, {[secret]: 1}));
  return [...values, ...names, ...nested] as unknown[][];
}

/** All that can be seen of the error of a call; empty without one. */
async function errorOf({call}: Row, given: unknown[]): Promise<string> {
  try {
    await call(...(given as never[]));
    return '';
  } catch (error) {
    const {stack, message} = error as Error;
    return [inspect(error, {depth: 9}), stack, message, JSON.stringify(error)].join('\n');
  }
}

it('has a row for every exported function', () => {
  expect(IS_FUNCTION.map(([name]) => name).sort()).toEqual(Object.keys(FUNCTIONS).sort());
});

const IDTECH = {deviceType: 'idtech', testKeys: true};
const REQUEST = {url: '/api/v1/partner/validate', body: '{}'};
const SIGNER = {partnerId: 'acme', partnerKey: 'k', sharedKey: 'k'};
/** Arguments of the right type that are wrong all the same, and those of another type. */
const WRONG: readonly (readonly [string, ...unknown[]])[] = [
  ['decrypt', 5],
  ['decrypt', '02', {ksn: 5}],
  ['decrypt', '02', {explain: 1}],
  ['decrypt', '02', {acme: 5}],
  ['inspect', '02', {deviceType: 5}],
  ['inspect', '02', {reveal: 1}],
  ['recognise', ['02']],
  ['parseKsn', 5],
  ['deriveKeys', 'FFFF9876543210E00001', {keyType: 'aes129'}],
  ['diagnose', {payload: '02', ksn: 5}],
  ['explain', 'Error 2601'],
  ['simulate', {...IDTECH, card: 'acme'}],
  ['simulate', {...IDTECH, card: {pan: '4111-1111-1111-1111'}}],
  ['simulate', {...IDTECH, card: {name: 'A'.repeat(27)}}],
  ['simulate', {...IDTECH, mode: 'beamed'}],
  ['simulate', {...IDTECH, deviceType: 'magtek', mode: 'emv', options: {form: 'v5'}}],
  ['simulate', {...IDTECH, options: {colour: 'blue'}}],
  ['simulate', {...IDTECH, options: {form: 'morse'}}],
  ['simulate', {...IDTECH, iv: '0F1E2D3C4B5A6978'}],
  ['simulate', {...IDTECH, serial: 'A2345678901'}],
  ['simulate', {...IDTECH, damage: 'acme'}],
  ['signRequest', REQUEST, {...SIGNER, method: 'oauth'}],
  ['signRequest', REQUEST, {...SIGNER, method: 'hmac', partnerId: 'a\nb'}],
  ['signRequest', REQUEST, {...SIGNER, method: 'basic', partnerId: 'a:b'}],
  ['signRequest', REQUEST, {...SIGNER, method: 'hmac', nonce: ''}],
  ['signRequest', REQUEST, {...SIGNER, method: 'digest-preemptive', nonce: 'a:b'}],
  ['signRequest', REQUEST, {...SIGNER, method: 'digest'}],
  ['signRequest', REQUEST, {...SIGNER, method: 'digest', challenge: 'Basic realm="x"'}],
  ['signRequest', {...REQUEST, url: '/a b'}, {...SIGNER, method: 'hmac'}],
  ['verifyRequest', {...REQUEST, headers: 5}, {partners: []}],
  ['unwrapKeyBlock', 5, {kbpk: '00'}],
  ['wrapKeyBlock', {header: 5, key: '00'}, {kbpk: '00'}],
  ['errorObjectOf', 5],
  ['PaylensError', 5, 'x'],
];

describe('a wrong argument', () => {
  it.each(WRONG)('of %s is 2005: %j %j', async (name, ...given) => {
    const call = async () => FUNCTIONS[String(name)]?.call(...(given as never[]));
    await expect(call()).rejects.toMatchObject({
      code: 2005,
      message: expect.stringMatching(/^A parameter has the wrong type or form: ./),
      hint: expect.not.stringContaining('--help'),
    });
  });

  it('is tried for every function that can refuse one', () => {
    const tried = new Set(WRONG.map(([name]) => name));
    const others = Object.keys(FUNCTIONS).filter((name) => !tried.has(name));
    expect(others).toEqual(['isDeviceType']);
  });
});

describe('exported constants', () => {
  const constants = Object.entries(library).filter(([, value]) => typeof value !== 'function');
  it.each(constants)('%s cannot be changed', (_, value) => {
    const isFrozen = (one: unknown): boolean =>
      typeof one !== 'object' ||
      one === null ||
      (Object.isFrozen(one) && Object.values(one).every(isFrozen));
    expect(isFrozen(value)).toBe(true);
  });
});

describe.each(ROWS)('%s', (name, row) => {
  it('answers its own arguments', async () => {
    await expect(resultOf(row, row.given())).resolves.toBeDefined();
  });

  it('refuses each other value in each place, or answers', {timeout: 120_000}, async () => {
    const wrong: unknown[] = [];
    for (const path of pathsOf(row.given())) {
      for (const [what, value] of HOSTILE) {
        const found = await refusal(row, replaced(row.given(), path, value) as unknown[]);
        if (typeof found !== 'string') wrong.push([path.join('.'), what, `${found}`]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('repeats no card number and no key in an error, wherever one was given', async () => {
    const told: unknown[] = [];
    for (const secret of SECRETS) {
      for (const given of misplaced(row.given(), secret)) {
        const shown = await errorOf(row, given);
        if (shown.includes(secret.trim())) told.push(shown);
      }
    }
    expect(told).toEqual([]);
  });

  it('refuses to be called without anything', async () => {
    expect(await refusal(row, [])).toBe(name === 'isDeviceType' ? 'answered' : 'refused');
  });

  it('refuses texts of 100 million characters', {timeout: 60_000}, async () => {
    const huge = 'A'.repeat(100_000_000);
    const texts = pathsOf(row.given()).filter((path) => {
      const found = path.reduce<unknown>((at, key) => Reflect.get(at as object, key), row.given());
      return typeof found === 'string' || found instanceof Uint8Array;
    });
    for (const path of texts) {
      const found = await refusal(row, replaced(row.given(), path, huge) as unknown[]);
      expect([path, found]).toEqual([path, EXPECTED[name] ?? 'refused']);
    }
  });

  it('leaves frozen arguments as they were', async () => {
    const given = rebuilt(row.given(), (value) =>
      isBranch(value) && !(value instanceof Error) ? Object.freeze(value) : value,
    ) as unknown[];
    const before = snapshot(given);
    await resultOf(row, given);
    expect(snapshot(given)).toEqual(before);
  });

  it('reads every member once', async () => {
    const expected = await resultOf(row, row.given());
    const given = rebuilt(row.given(), once) as unknown[];
    expect(
      await resultOf(
        row,
        [...row.given().keys()].map((at) => given[at]),
      ),
    ).toEqual(expected);
  });

  it('asks no array and no bytes what they say of themselves', async () => {
    const expected = await resultOf(row, row.given());
    const given = row.given().map((one) =>
      rebuilt(one, (value) => {
        if (Array.isArray(value)) return LyingArray.from(value);
        return value instanceof Uint8Array ? lying(value) : value;
      }),
    );
    expect(await resultOf(row, given)).toEqual(expected);
  });

  it('takes bytes in shared, resizable and foreign memory', async () => {
    const expected = await resultOf(row, row.given());
    for (const make of [shared, resizable, (bytes: Uint8Array) => Buffer.from(bytes)]) {
      const given = rebuilt(row.given(), (one) => (one instanceof Uint8Array ? make(one) : one));
      expect(await resultOf(row, given as unknown[])).toEqual(expected);
    }
  });

  it('does not take what was added to all objects for an option', async () => {
    const expected = await resultOf(row, row.given());
    const names = pathsOf(row.given()).flatMap((path) =>
      path.filter((key) => !/^\d+$/.test(`${key}`)),
    );
    const taken: unknown[] = [];
    for (const option of new Set(names)) {
      if (INNER.has(option)) continue;
      const found = await polluted(`${option}`, () => resultOf(row, row.given()));
      if (!isDeepStrictEqual(found, expected)) taken.push([option, found]);
    }
    expect(taken).toEqual([]);
  });

  it('gives results that share no memory', async () => {
    const given = row.given();
    const result = await row.call(...(given as never[]));
    const buffers = [...buffersOf(result), ...buffersOf(given)];
    expect(new Set(buffers).size).toBe(buffers.length);
    for (const one of bytesIn(result)) expect(one.buffer.byteLength).toBe(one.length);
  });

  it('gives results that nobody else holds', async () => {
    const first = await resultOf(row, row.given());
    scramble(await row.call(...(row.given() as never[])));
    expect(await resultOf(row, row.given())).toEqual(first);
  });
});

/** Members of the engine's own objects, too: who changes these of all objects breaks everything. */
const INNER: ReadonlySet<string | number> = new Set(['ksn', 'iv', 'mode']);

/** A huge text is no type of terminal, and an error may have a long detail. */
const EXPECTED: Readonly<Record<string, string>> = {
  isDeviceType: 'answered',
  PaylensError: 'answered',
};

function snapshot(value: unknown): unknown {
  return rebuilt(value, (one) => (one instanceof Uint8Array ? [...one] : one));
}

/** Members that answer once. */
function once(value: unknown): unknown {
  if (!isBranch(value) || value instanceof Error) return value;
  const made = Array.isArray(value) ? [] : {};
  for (const name of Object.keys(value)) {
    let content: unknown = value[name];
    const get = () => {
      const found = content;
      content = Symbol('read again');
      return found;
    };
    Object.defineProperty(made, name, {get, enumerable: true, configurable: true});
  }
  return made;
}

function lying(bytes: Uint8Array): LyingBytes {
  const made = new LyingBytes(bytes.byteLength);
  Uint8Array.prototype.set.call(made, bytes);
  return made;
}

function shared(bytes: Uint8Array): Uint8Array {
  const made = new Uint8Array(new SharedArrayBuffer(bytes.length));
  made.set(bytes);
  return made;
}

function resizable(bytes: Uint8Array): Uint8Array {
  const made = new Uint8Array(resizableBuffer(bytes.length));
  made.set(bytes);
  return made;
}

async function polluted<T>(name: string, run: () => Promise<T>): Promise<T | unknown> {
  Object.defineProperty(Object.prototype, name, {value: 7, configurable: true, writable: true});
  try {
    return await run();
  } catch (error) {
    return error;
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

function bytesIn(value: unknown): Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  return isBranch(value) ? Object.values(value).flatMap(bytesIn) : [];
}

function buffersOf(value: unknown): ArrayBufferLike[] {
  return bytesIn(value).map(({buffer}) => buffer);
}

/** Changes whatever can be changed. */
function scramble(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(0xaa);
  if (!isBranch(value)) return;
  for (const name of Object.keys(value)) {
    scramble(value[name]);
    Reflect.set(value, name, 'changed');
  }
}
