import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {withoutComments} from '../../../src/cli/verify/json-with-comments.js';

const STRINGS = ['//', '/* a */', ',]', '"', '\\', '\\"//', 'caf\u00e9', '\n', ',}'];

/** Any JSON, as tokens between which white space and comments may be. */
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    {maxDepth: 4},
    fc.constantFrom<unknown>(...STRINGS, 1, -1.5e3, true, null),
    fc.array(tie('value'), {maxLength: 3}),
    fc.dictionary(fc.constantFrom(...STRINGS, 'a', 'b'), tie('value'), {maxKeys: 3}),
  ),
})).value;

function tokensOf(json: string): string[] {
  return json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
}

describe('JSON with comments', () => {
  it('is read as the JSON without them, at the same places', () => {
    const between = fc.constantFrom(
      '',
      ' ',
      '\n',
      '// x, "y" }\n',
      '/* , ] " */',
      '/**/',
      '//\r\n',
    );
    const gaps = fc.array(between, {minLength: 200, maxLength: 200});
    fc.assert(
      fc.property(value, gaps, fc.boolean(), (original, fill, isTrailing) => {
        const tokens = tokensOf(JSON.stringify(original));
        const parts = tokens.flatMap((token, i) => {
          const closes = /^[}\]]$/.test(token) && !/^[[{]$/.test(tokens[i - 1] ?? '');
          return [fill[2 * i] ?? '', isTrailing && closes ? ',' : '', fill[2 * i + 1] ?? '', token];
        });
        const text = parts.join('') + (fill.at(-1) ?? '');
        const bare = withoutComments(text);
        expect(JSON.parse(bare)).toEqual(original);
        expect(bare.length).toBe(text.length);
        expect(bare.split('\n').length).toBe(text.split('\n').length);
      }),
      {numRuns: 500},
    );
  });

  it.each(['[,]', '{,}', '[1,,]', '{"a":,}', '[1] /', '["// a]', '{"a" 1,}', '/* 1', ',1'])(
    'hides no fault: %s',
    (text) => {
      expect(() => JSON.parse(withoutComments(text))).toThrow(SyntaxError);
    },
  );

  it('takes linear time', () => {
    for (const text of [
      `["${'//'.repeat(1e6)}"]`,
      `[1${','.repeat(5e5)}]`,
      '/*'.repeat(5e5),
      `"${'\\"'.repeat(5e5)}`,
      `[${' '.repeat(1e6)}`,
      `[${', '.repeat(5e5)}`,
    ])
      expect(withoutComments(text).length).toBe(text.length);
  });
});
