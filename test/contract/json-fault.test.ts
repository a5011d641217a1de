import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {findSyntaxFault} from '../../src/contract/json-fault.js';
import {parseJsonObject} from '../../src/contract/parse-json.js';

const reasonOf = (text: string) => {
  const {line, column, reason} = findSyntaxFault(text);
  return `${line}:${column} ${reason}`;
};

describe('the fault of a text that is no JSON', () => {
  it.each([
    ['', '1:1 expected a value, found the end'],
    ['{a: 1}', '1:2 expected a name in double quotes or a closing brace, found a letter'],
    ["{'a': 1}", '1:2 expected a name in double quotes or a closing brace, found a single quote'],
    [
      '{“a”: 1}',
      '1:2 expected a name in double quotes or a closing brace, found a typographic quote',
    ],
    ['{"a" 1}', '1:6 expected a colon, found a digit'],
    ['{"a"=1}', '1:5 expected a colon, found another character'],
    ['{"a": 1 "b": 2}', '1:9 expected a comma or a closing brace, found a double quote'],
    ['{"a": "b" "c": 1}', '1:11 expected a comma or a closing brace, found a double quote'],
    ['{"a": "b" 1}', '1:11 expected a comma or a closing brace, found a digit'],
    ['["a" 1]', '1:6 expected a comma or a closing bracket, found a digit'],
    ['[[] 1]', '1:5 expected a comma or a closing bracket, found a digit'],
    ['{"a": {} 1}', '1:10 expected a comma or a closing brace, found a digit'],
    ['{"a": true 1}', '1:12 expected a comma or a closing brace, found a digit'],
    ['{"a": 1, 2}', '1:10 expected a name in double quotes, found a digit'],
    ['[1E5 2]', '1:6 expected a comma or a closing bracket, found a digit'],
    ['["\\u00AF" 2]', '1:11 expected a comma or a closing bracket, found a digit'],
    ['["\\u00AG"]', '1:8 expected a hex digit, found a letter'],
    ['{"a": 1;}', '1:8 expected a comma or a closing brace, found a semicolon'],
    ['{"a": 1]', '1:8 expected a comma or a closing brace, found a closing bracket'],
    ['[1 2]', '1:4 expected a comma or a closing bracket, found a digit'],
    ['[1, ]', '1:5 expected a value, found a closing bracket'],
    ['[,1]', '1:2 expected a value or a closing bracket, found a comma'],
    ['{"a": undefined}', '1:7 expected a value, found a letter'],
    ['{"a": nul}', '1:10 expected null, found a closing brace'],
    ['{"a": tRue}', '1:8 expected true, found a letter'],
    ['{"a": 012}', '1:8 expected a comma or a closing brace, found a digit'],
    ['{"a": -x}', '1:8 expected a digit, found a letter'],
    ['{"a": 1.}', '1:9 expected a digit, found a closing brace'],
    ['{"a": 1e+}', '1:10 expected a digit, found a closing brace'],
    ['{"a": .5}', '1:7 expected a value, found a full stop'],
    [
      '{"a": "b\nc"}',
      '1:9 expected a closing quote or a character that is allowed, found a line break',
    ],
    ['{"a": "b\\x"}', '1:10 expected an escape, found a letter'],
    ['{"a": "b\\u00g0"}', '1:13 expected a hex digit, found a letter'],
    ['{"a": "b', '1:9 expected a closing quote or a character that is allowed, found the end'],
    ['{"a":\u00a01}', '1:6 expected a value, found a blank'],
    ['{"a":\u00001}', '1:6 expected a value, found a control character'],
    ['{"a": 1} {', '1:10 expected nothing more, found an opening brace'],
    ['// x\n{}', '1:1 expected a value, found a slash'],
    ['{\n\t"a": 1,\r\n\t"😀é": 2,\r\t"c": x\n}', '4:7 expected a value, found a letter'],
    ['{"😀": x}', '1:7 expected a value, found a letter'],
  ])('of %j is %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  // JSON.parse judges: what stands before the place can be continued, and not with what stands there.
  it('is the first place where it cannot be continued', () => {
    const piece = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '"a"', '1', '-', '.', 'e', '0', '+'],
      ...['true', 'nul', ' ', '\n', '\\', '\\u00e', 'é', '\u0007', '\u007f', '\u2028'],
    );
    let faults = 0;
    fc.assert(
      fc.property(fc.array(piece, {maxLength: 12}), (pieces) => {
        const text = pieces.join('');
        if (canBe(text) === 'whole') return;
        faults += 1;
        const {line, column} = findSyntaxFault(text);
        const lines = text.split('\n');
        const at = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0) + column - 1;
        expect(canBe(text.slice(0, at))).not.toBe('nothing');
        if (at < text.length) expect(canBe(text.slice(0, at + 1))).toBe('nothing');
      }),
      {numRuns: 3000},
    );
    expect(faults).toBeGreaterThan(2000);
  });

  it('names the byte that is no UTF-8, behind good characters of any length', () => {
    const before = new TextEncoder().encode('\uFEFF{\n"\uFFFD😀é": "');
    const bytes = Uint8Array.from([...before, 0xc3, 0x28, 0x22, 0x7d]);
    expect(() => parseJsonObject(bytes)).toThrow('line 2, column 9: expected UTF-8');
  });

  it('takes as long as the text is long', () => {
    const long = `{"a": "${'x'.repeat(4_000_000)}" ${'\n'.repeat(1_000_000)}x`;
    expect(findSyntaxFault(long).line).toBe(1_000_001);
  });
});

/** Whether text is JSON, the beginning of JSON, or neither: by where V8 says that it gave up. */
function canBe(text: string): 'whole' | 'beginning' | 'nothing' {
  try {
    JSON.parse(text);
    return 'whole';
  } catch (error) {
    const message = String(error);
    if (/Unexpected end|Unterminated string/.test(message)) return 'beginning';
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? -1);
    return position === text.length ? 'beginning' : 'nothing';
  }
}
