import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {parseJsonObject} from '../../src/contract/parse-json.js';
import {PaylensError} from '../../src/contract/paylens-error.js';

function errorOf(input: string | Uint8Array): PaylensError {
  try {
    parseJsonObject(input);
  } catch (error) {
    if (error instanceof PaylensError) return error;
  }
  throw new Error('no PaylensError was thrown');
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
}

const A31 = 'a'.repeat(31);

function twice(name: string): string {
  return `{"${name}":1,"${name}":2}`;
}

describe('parseJsonObject', () => {
  it('reads an object', () => {
    expect(parseJsonObject('{"a": [1, {"b": null}]}')).toEqual({a: [1, {b: null}]});
  });

  it('reads UTF-8 bytes', () => {
    expect(parseJsonObject(new TextEncoder().encode('{"reference":"é😀"}'))).toEqual({
      reference: 'é😀',
    });
  });

  it.each([
    ['in text', '\uFEFF{}'],
    ['in bytes', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)],
  ])('skips a byte order mark %s', (_, input) => {
    expect(parseJsonObject(input)).toEqual({});
  });

  it.each([
    ['a list', '[]', 'expected an object, found an array'],
    ['null', 'null', 'expected an object, found null'],
    ['a number', '7', 'expected an object, found a number'],
    ['text', '"x"', 'expected an object, found a string'],
    ['nothing', '', 'line 1, column 1: expected a value, found the end'],
    ['an object that breaks off', '{"a":', 'line 1, column 6: expected a value, found the end'],
    ['a comment', '{} // x', 'line 1, column 4: expected nothing more, found a slash'],
    [
      'a trailing comma',
      '{\n  "a": 1,\n}',
      'line 3, column 1: expected a name in double quotes, found a closing brace',
    ],
    ['a duplicate member', '{"ksn":"1","ksn":"2"}', 'line 1, column 12: duplicate member ksn'],
    ['a duplicate below the top', '{"a":{"b":1,"b":2}}', 'line 1, column 13: duplicate member b'],
    ['a duplicate in a list', '{"a":[{"b":1,"b":2}]}', 'line 1, column 14: duplicate member b'],
    [
      'a duplicate written with escapes',
      '{"ksn":1,"\\u006bsn":2}',
      'line 1, column 10: duplicate member ksn',
    ],
    [
      'a duplicate that is no word',
      '{"4111 1":1,"4111 1":2}',
      'line 1, column 13: duplicate member',
    ],
    ['a duplicate in capitals', '{"KSN":1,"KSN":2}', 'line 1, column 10: duplicate member KSN'],
    ['a duplicate of 31 letters', twice(A31), `line 1, column 38: duplicate member ${A31}`],
    ['a duplicate of 32 letters', twice(`${A31}a`), 'line 1, column 39: duplicate member'],
    ['a duplicate that begins with a digit', twice('4a'), 'line 1, column 9: duplicate member'],
    ['a duplicate that ends with a digit', twice('a4'), 'line 1, column 9: duplicate member'],
    ['__proto__', '{"__proto__":{}}', 'line 1, column 2: unsafe member name __proto__'],
    [
      '__proto__ with blanks',
      '{"__proto__" \n :1}',
      'line 1, column 2: unsafe member name __proto__',
    ],
    [
      '__proto__ with escapes',
      '{"__\\u0070roto__":1}',
      'line 1, column 2: unsafe member name __proto__',
    ],
    ['nine levels', nested(9), 'line 1, column 41: nested deeper than 8 levels'],
    [
      'nine levels of lists',
      `{"a":${'['.repeat(8)}${']'.repeat(8)}}`,
      'line 1, column 13: nested deeper than 8 levels',
    ],
    [
      'nine levels before another fault',
      `{"a":${'['.repeat(20)}x`,
      'line 1, column 13: nested deeper than 8 levels',
    ],
    [
      'nine levels behind another fault',
      `{"a":x${'['.repeat(20)}`,
      'line 1, column 6: expected a value, found a letter',
    ],
    [
      'bytes that are not UTF-8',
      Uint8Array.of(0x7b, 0xff, 0x7d),
      'line 1, column 2: expected UTF-8, found another byte',
    ],
  ])('refuses %s', (_, input, detail) => {
    const error = errorOf(input);
    expect({code: error.code, detail: error.detail}).toEqual({code: 2004, detail});
  });

  it.each([
    ['eight levels', nested(8)],
    ['one name on different levels', '{"a":{"a":1},"b":[{"a":1},{"a":2}]}'],
    ['brackets and quotes inside text', '{"a":"[[[[[[[[[{\\"a\\":1","b":"\\\\"}'],
    ['a text equal to a name', '{"a":"b","b":"a"}'],
    ['__proto__ as a value', '{"a":"__proto__"}'],
  ])('accepts %s', (_, text) => {
    expect(parseJsonObject(text)).toEqual(JSON.parse(text));
  });

  it('never quotes the text in a syntax error', () => {
    expect(errorOf('{"devicePayload":4111111111111111x}').message).not.toContain('4111');
  });

  it('reads every flat object as JSON.parse does', () => {
    const flat = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double(), fc.boolean()));
    fc.assert(
      fc.property(flat, (object) => {
        fc.pre(!Object.hasOwn(object, '__proto__'));
        const text = JSON.stringify(object);
        expect(parseJsonObject(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses every flat object with a member twice', () => {
    const members = fc.array(fc.tuple(fc.string(), fc.string()), {minLength: 1});
    fc.assert(
      fc.property(members, (pairs) => {
        const texts = [...pairs, ...pairs.slice(0, 1)].map((pair) =>
          pair.map((part) => JSON.stringify(part)).join(':'),
        );
        expect(errorOf(`{${texts.join(',')}}`).code).toBe(2004);
      }),
    );
  });
});
