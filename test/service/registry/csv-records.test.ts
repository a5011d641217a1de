import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {csvRecords} from '../../../src/service/registry/csv-records.js';

const read = (text: string) => [...csvRecords(text)];

describe('csvRecords', () => {
  // RFC 4180, section 2, by its numbered rules.
  it.each<[string, string, readonly (readonly string[])[]]>([
    [
      'CRLF after every record (1)',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'no line end after the last record (2)',
      'a,b\r\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'LF alone',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['spaces as part of a field (4)', ' a , b ', [[' a ', ' b ']]],
    ['quoted fields (5)', '"a","b"', [['a', 'b']]],
    ['line ends and commas in quotes (6)', '"a\r\nb","c,d"', [['a\r\nb', 'c,d']]],
    ['doubled quotes (7)', '"a""b"', [['a"b']]],
    ['empty fields', ',""', [['', '']]],
    ['empty lines left out', '\r\na\n\n \nb', [['a'], ['b']]],
  ])('reads %s', (_, text, fields) => {
    expect(read(text).map((record) => 'fields' in record && record.fields)).toEqual(fields);
  });

  it.each([
    ['a quote in a bare field', 'x\na"b,c\nd', [2, 'quote inside an unquoted field']],
    ['text after a closing quote', 'x\n"a"b,c\nd', [2, 'expected a comma after the closing quote']],
    ['a quote that is not closed', 'x\n"a,c\nd', [2, 'unterminated quoted field']],
    ['a bare carriage return', 'x\na\rb\nd', [2, 'a bare carriage return']],
  ])('names the line of %s and goes on with the next', (_, text, [line, fault]) => {
    expect(read(text)).toEqual([
      {line: 1, fields: ['x']},
      {line, fault},
      {line: 3, fields: ['d']},
    ]);
  });

  it.each([
    [';', 'semicolon'],
    ['\t', 'tab'],
  ] as const)('reads fields between %j, where the others are ordinary', (separator, name) => {
    const others = [',', ';', '\t'].filter((each) => each !== separator).join('');
    const text = `a${separator}"b${separator}""c"""${separator}${others}\r\n"x"y`;
    expect([...csvRecords(text, separator)]).toEqual([
      {line: 1, fields: ['a', `b${separator}"c"`, others]},
      {line: 2, fault: `expected a ${name} after the closing quote`},
    ]);
  });

  it.each([',', ';', '\t'] as const)('leaves out lines without a field between %j', (separator) => {
    const blank = [
      '   ',
      '\t\t\t',
      '\u00a0 \u3000 ',
      separator,
      separator.repeat(9),
      ` ${separator} `,
    ];
    const lines = blank.flatMap((line) => [line, 'a']);
    const records = [...csvRecords(lines.join('\r\n'), separator)];
    expect(records.map(({line}) => line)).toEqual(blank.map((_, index) => 2 * index + 2));
    expect([...csvRecords(`${blank.join('\n')}\n`, separator)]).toEqual([]);
    expect([...csvRecords(`""${separator}""`, separator)]).toHaveLength(1);
    expect([...csvRecords(`${separator.repeat(4000)}x`, separator)]).toHaveLength(1);
  });

  it.each([
    [4090, false],
    [4097, true],
  ])('reads a quoted field of %i characters, or reports it as unterminated: %s', (length, open) => {
    const [record] = csvRecords(`"${'x'.repeat(length)}",b`);
    expect(record && 'fault' in record).toBe(open);
  });

  it('counts the lines inside a quoted field', () => {
    expect(read('"a\nb\nc"\nd').map(({line}) => line)).toEqual([1, 4]);
  });

  it('reads back every field that is written by the rules', () => {
    const field = fc.string({unit: 'grapheme', maxLength: 20});
    fc.assert(
      fc.property(fc.array(fc.array(field, {minLength: 2, maxLength: 4})), (records) => {
        const text = records.map((record) => record.map(quote).join(',')).join('\r\n');
        expect(read(text).map((record) => 'fields' in record && record.fields)).toEqual(records);
      }),
    );
  });

  it('reads text of any kind without an error of its own', () => {
    const text = fc.string({unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ')});
    fc.assert(
      fc.property(text, (any) => {
        expect(() => read(any)).not.toThrow();
      }),
    );
  });
});

function quote(field: string): string {
  return `"${field.replaceAll('"', '""')}"`;
}
