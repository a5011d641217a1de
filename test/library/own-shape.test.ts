import {describe, expect, it} from 'vitest';
import {Guard} from '../../src/engine/own/guard.js';
import {
  arrayOf,
  bytes,
  flag,
  func,
  integer,
  Misfit,
  members,
  number,
  oneOf,
  optional,
  type Shape,
  text,
  valueKind,
} from '../../src/engine/own/shape.js';
import {errorOf} from '../engine/error-of.js';

describe('the kind of a value, without the value:', () => {
  it.each<[unknown, string]>([
    [undefined, 'nothing'],
    [null, 'null'],
    [Promise.resolve(), 'a promise'],
    [0, '0'],
    [-999_999, '-999999'],
    [1_000_000, 'another number'],
    [1.5, 'another number'],
    ['4111', 'text of 4 characters'],
    [true, 'true'],
    [[], 'an array'],
    [{}, 'an object'],
    [Symbol('s'), 'a symbol'],
    [() => 0, 'a function'],
  ])('%s', (value, kind) => expect(valueKind(value)).toBe(kind));
});

const PAIR = members<{a: number; b?: string | undefined}>({
  a: integer(0, 9),
  b: optional(text([1, 2])),
});

describe('a shape accepts', () => {
  it.each<[string, Shape<unknown>, unknown, unknown?]>([
    ['the shortest text', text([1, 3]), 'a'],
    ['the longest text', text([1, 3]), 'abc'],
    ['text of a form', text([1, 3], /^\d+$/), '12'],
    ['false', flag, false],
    ['one of several', oneOf<1 | 2 | 'x'>(1, 2, 'x'), 'x'],
    ['the least number', number(0, 1), 0],
    ['the largest number', number(0, 1), 1],
    ['the least integer', integer(2, 4), 2],
    ['the largest integer', integer(2, 4), 4],
    ['no bytes', bytes(0, 1), new Uint8Array(0)],
    ['a byte', bytes(1, 1), Uint8Array.of(7)],
    ['nothing', optional(flag), undefined],
    ['the shortest array', arrayOf(flag, [1, 2]), [true]],
    ['the longest array', arrayOf(flag, [1, 2]), [true, false]],
    ['members, without others', PAIR, {a: 1, c: 3}, {a: 1}],
    ['members, without those that are undefined', PAIR, {a: 1, b: undefined}, {a: 1}],
    ['all members', PAIR, {a: 9, b: 'xy'}],
  ])('%s', (_, shape, value, expected = value) => {
    expect(shape(value, 'x')).toEqual(expected);
  });

  it('bytes as a copy', () => {
    const given = Uint8Array.of(1, 2);
    const taken = bytes(1, 2)(given, 'x');
    given[0] = 9;
    expect([...taken]).toEqual([1, 2]);
  });
});

describe('a shape refuses', () => {
  it.each<[string, Shape<unknown>, unknown, string]>([
    [
      'short text',
      text([1, 3]),
      '',
      'x: expected text of 1 to 3 characters, found text of 0 characters',
    ],
    [
      'long text',
      text([1, 3]),
      'abcd',
      'x: expected text of 1 to 3 characters, found text of 4 characters',
    ],
    [
      'half a surrogate pair',
      text([1, 3]),
      '\ud800',
      'x: expected text of 1 to 3 characters, found text of 1 characters',
    ],
    [
      'text of another form',
      text([1, 3], /^\d+$/),
      'a',
      'x: expected text of the form ^\\d+$, found text of 1 characters',
    ],
    ['1 for true', flag, 1, 'x: expected true or false, found 1'],
    ['none of several', oneOf<1 | 2>(1, 2), 3, 'x: expected 1 or 2, found 3'],
    [
      'a number below',
      number(0, 1),
      -0.5,
      'x: expected a number from 0 to 1, found another number',
    ],
    ['a number above', number(0, 1), 2, 'x: expected a number from 0 to 1, found 2'],
    [
      'no number',
      number(0, 1),
      '1',
      'x: expected a number from 0 to 1, found text of 1 characters',
    ],
    ['an integer below', integer(2, 4), 1, 'x: expected an integer from 2 to 4, found 1'],
    ['an integer above', integer(2, 4), 5, 'x: expected an integer from 2 to 4, found 5'],
    ['a fraction', integer(2, 4), 2.5, 'x: expected an integer from 2 to 4, found another number'],
    ['any integer of none', integer(2, 1), 2, 'x: expected no more of it, found 2'],
    [
      'few bytes',
      bytes(1, 2),
      new Uint8Array(0),
      'x: expected a Uint8Array of 1 to 2 bytes, found 0',
    ],
    [
      'many bytes',
      bytes(1, 2),
      new Uint8Array(3),
      'x: expected a Uint8Array of 1 to 2 bytes, found 3',
    ],
    [
      'an array for bytes',
      bytes(1, 2),
      [1],
      'x: expected a Uint8Array of 1 to 2 bytes, found an array',
    ],
    ['an object for a function', func, {}, 'x: expected a function, found an object'],
    ['a short array', arrayOf(flag, [1, 2]), [], 'x: expected an array of 1 to 2, found 0'],
    [
      'a long array',
      arrayOf(flag, [1, 2]),
      [true, true, true],
      'x: expected an array of 1 to 2, found 3',
    ],
    [
      'an object for an array',
      arrayOf(flag, [1, 2]),
      {},
      'x: expected an array of 1 to 2, found an object',
    ],
    ['an element', arrayOf(flag, [1, 2]), [true, 0], 'x[1]: expected true or false, found 0'],
    ['an array for an object', PAIR, [], 'x: expected an object, found an array'],
    ['null for an object', PAIR, null, 'x: expected an object, found null'],
    [
      'a promise for an object',
      PAIR,
      Promise.resolve({a: 1}),
      'x: expected an object, found a promise',
    ],
    ['a member', PAIR, {a: 10}, 'x.a: expected an integer from 0 to 9, found 10'],
    [
      'a getter that throws',
      PAIR,
      {
        get a() {
          throw new Error('4111');
        },
      },
      'x.a: expected a value, found a getter that throws',
    ],
  ])('%s', (_, shape, value, message) => {
    expect(() => shape(value, 'x')).toThrow(Misfit);
    expect(() => shape(value, 'x')).toThrow(message);
  });
});

describe('a guard', () => {
  const guard = new Guard('acme');
  const thrown = (error: unknown) =>
    errorOf(() =>
      guard.call(
        'read',
        () => {
          throw error;
        },
        flag,
      ),
    );
  it.each([
    ['a code of a payload', {code: 2102, message: 'ends early'}, 2102, /ends early/],
    [
      'a code of paylens',
      {code: 1203, message: 'x', stack: ''},
      9040,
      /acme, read: threw Error 1203$/,
    ],
    ['a code of Node', {code: 'ERR_X', stack: ''}, 9040, /threw Error ERR_X$/],
    ['another code', {code: 10_000, stack: ''}, 9040, /threw Error$/],
    ['code 0', {code: 0, stack: ''}, 9040, /threw Error$/],
    ['a name', {name: 'TypeError', stack: ''}, 9040, /threw TypeError$/],
    ['a name that is none', {name: '4111 1111', stack: ''}, 9040, /threw Error$/],
    [
      'a place',
      {message: 'm', stack: 'Error: m\n at read (/a/b/mine.mjs:3:14)'},
      9040,
      /at mine.mjs:3:14$/,
    ],
    [
      'a place with a number',
      {message: 'm', stack: 'Error: m\n at /a/x123456.mjs:3:14'},
      9040,
      /threw Error$/,
    ],
    [
      'a place in its message',
      {message: 'at a.js:1:2', stack: 'Error: at a.js:1:2'},
      9040,
      /threw Error$/,
    ],
  ])('passes on or names %s', (_, error, code, message) => {
    const found = thrown(error);
    expect(found.code).toBe(code);
    expect(`${found.message}`).toMatch(message);
  });

  it('cuts and masks what it passes on', () => {
    const {detail, hint} = thrown({
      code: 2100,
      detail: `4111111111111111 ${'x'.repeat(400)}`,
      hint: 5,
    });
    expect(detail).not.toContain('4111111111111111');
    expect(detail.length).toBeLessThanOrEqual(300);
    expect(hint).not.toBe(5);
  });

  it('waits for a promise, and names what it rejects with', async () => {
    await expect(guard.wait('about', async () => true, flag)).resolves.toBe(true);
    await expect(guard.wait('about', async () => 5, flag)).rejects.toMatchObject({code: 9040});
    await expect(
      guard.wait('write', () => Promise.reject({code: 9001}), flag),
    ).rejects.toMatchObject({code: 9001});
    await expect(
      guard.wait('write', () => Promise.reject({code: 2100}), flag),
    ).rejects.toMatchObject({code: 9040});
  });
});
