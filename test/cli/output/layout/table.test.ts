import {describe, expect, it} from 'vitest';
import type {Layout} from '../../../../src/cli/output/layout/layout.js';
import {record, table} from '../../../../src/cli/output/layout/table.js';
import {UNLIMITED} from '../../../../src/cli/output/layout/text-width.js';

const lines = (layout: Layout, width = 1000) => layout(width).split('\n');

describe('table', () => {
  it('lays cells out as wide as the widest of their column', () => {
    expect(lines(table(['a', 'long'], [['first', 'x']]))).toEqual([
      '┌───────┬──────┐',
      '│ a     │ long │',
      '├───────┼──────┤',
      '│ first │ x    │',
      '└───────┴──────┘',
    ]);
  });

  it('gives a cell as many lines as it has, and a missing one none', () => {
    expect(lines(table([], [['a\nbb', 'c'], ['d']]))).toEqual([
      '┌────┬───┐',
      '│ a  │ c │',
      '│ bb │   │',
      '│ d  │   │',
      '└────┴───┘',
    ]);
  });

  it('has no column without values, and numbers on the right', () => {
    const rows = [
      ['x', '', '5', '-', '62994901190000000003'],
      ['y', '', '12', '', '1'],
    ];
    expect(lines(table(['a', 'none', 'n', 'nor', 'KSN'], rows))).toEqual([
      '┌───┬────┬──────────────────────┐',
      '│ a │  n │ KSN                  │',
      '├───┼────┼──────────────────────┤',
      '│ x │  5 │ 62994901190000000003 │',
      '│ y │ 12 │ 1                    │',
      '└───┴────┴──────────────────────┘',
    ]);
  });

  it('breaks no name, but becomes records where names have no room', () => {
    const rows = [['flipped-byte', 'docs/interface.md#hmac-header', '--no-color, which is long']];
    const shown = table(['name', 'place', 'option'], rows);
    for (let width = 40; width <= 200; width += 1) {
      const words = shown(width).split(/[\s│┌┐└┘─┬┴├┤┼]+/);
      expect(words).toEqual(expect.arrayContaining([...rows.flat().slice(0, 2), '--no-color,']));
    }
    expect(lines(shown, 60)[0]).toBe('flipped-byte');
    expect(lines(shown, 80)[0]).toContain('┌');
  });

  it('is lines with tabs between all cells for programs', () => {
    const rows = [['a\tb', '', 'one\ntwo\r']];
    const piped = 'x\ty\tz\na\\x09b\t\tone\\ntwo\\x0d';
    expect(table(['x', 'y', 'z'], rows)(UNLIMITED)).toBe(piped);
    expect(record([['name', 'value']], 'title')(UNLIMITED)).toBe('title\nname\tvalue');
  });

  it('is empty without head and rows', () => {
    expect(table([], [])(80)).toBe('');
  });

  it('counts what terminals show: two columns for wide characters, none for marks', () => {
    const widths = lines(table([], [['日本語'], ['e\u0301e'], ['💳'], ['abcdef']]));
    expect(widths.slice(1, -1)).toEqual([
      '│ 日本語 │',
      '│ e\u0301e     │',
      '│ 💳     │',
      '│ abcdef │',
    ]);
  });

  it.each(['ก็', 'नि', '🇩🇪', '한', 'e\u0301'])('cuts no text: %s', (name) => {
    expect(lines(table(['name'], [[name]]))[3]).toContain(`│ ${name}`);
  });

  it('paints the text of a cell and nothing around it', () => {
    const paint = (text: string) => `\u001b[32m${text}\u001b[39m`;
    expect(
      lines(
        table(
          [],
          [
            [{text: 'a', paint}, 'b'],
            ['ccc', 'd'],
          ],
        ),
      )[1],
    ).toBe('│ \u001b[32ma\u001b[39m   │ b │');
  });

  it.each([
    ['colours', '\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
    ['C1 controls', 'a\u009b31mb\u0085', 'a\\x9b31mb\\x85'],
    ['a change of direction', 'a\u202eb\u2066', 'a\\u{202e}b\\u{2066}'],
    [
      'characters without width',
      'a\u200b\u200d\ufeff\u00ad\u2060',
      'a\\u{200b}\\u{200d}\\u{feff}\\xad\\u{2060}',
    ],
    ['fillers and variation selectors', '\u3164\ufe0f\u{e0041}', '\\u{3164}\\u{fe0f}\\u{e0041}'],
    ['separators of lines', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
    ['halves of characters', 'a\ud800b', 'a\\u{d800}b'],
    ['a pile of marks', 'e\u0301\u0301\u0301\u0301\u0301', 'e\u0301\u0301\u0301\\u{301}\\u{301}'],
    ['a mark on the frame', '\u0301e', '\\u{301}e'],
  ])('shows %s as escapes', (_, text, shown) => {
    expect(lines(table([], [[text]]))[1]).toBe(`│ ${shown} │`);
  });

  // A layout that compares every cell with every other takes minutes for this.
  it('lays out 20,000 rows, and a cell of 20,000 lines', () => {
    const rows = Array.from({length: 20_000}, (_, i) => [String(i), 'x', 'y']);
    expect(lines(table(['a', 'b', 'c'], rows))).toHaveLength(20_004);
    const cell = Array.from({length: 20_000}, () => 'line').join('\n');
    expect(lines(table([], [[cell, '']]))).toHaveLength(20_002);
  });
});
