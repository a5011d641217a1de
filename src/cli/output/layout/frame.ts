import CliTable from 'cli-table3';
import {widthOf} from './text-width.js';
import {wrapText} from './wrap-text.js';

/** A text in a frame: without characters that cannot be seen. */
export interface PlainCell {
  readonly text: string;
  readonly paint: (text: string) => string;
}

type Cells = readonly PlainCell[];

/** A column of nothing else is right-aligned. */
const NUMBER = /^-?\d{1,6}(?:\.\d+)?$/;

/**
 * Rows in a frame, below a rule if there is a head, in columns of these widths. `across` has lines
 * below a row that take all columns; the last column is as wide as they need.
 */
export function framed(
  {head, rows, across = []}: {head: Cells; rows: readonly Cells[]; across?: readonly string[][]},
  natural: readonly number[],
): string {
  const widths = widened(natural, Math.max(0, ...across.flat().map(widthOf)));
  const aligned = widths.map((_, i) => isOfNumbers(rows, i));
  const linesOf = (row: Cells) => rowLines(row, widths, aligned);
  const [heads, blocks] = [head.length > 0 ? linesOf(head) : [], rows.map(linesOf)];
  const [top = '', ...drawn] = drawnLines([...heads, ...blocks.flat()]);
  let next = heads.length;
  const body = blocks.flatMap((block, i) => {
    const spread = (across[i] ?? []).map((line) => `│ ${line.padEnd(top.length - 4)} │`);
    next += block.length;
    return [...drawn.slice(next - block.length, next), ...spread];
  });
  const rule = top.replace('┌', '├').replaceAll('┬', '┼').replace('┐', '┤');
  const titles = head.length > 0 ? [...drawn.slice(0, heads.length), rule] : [];
  return [top, ...titles, ...body, ...drawn.slice(next)].join('\n');
}

/** Columns that the frame takes. */
export function frameOf(columns: number): number {
  return 3 * columns + 1;
}

function widened(widths: readonly number[], across: number): number[] {
  const inner = widths.reduce((total, width) => total + width, frameOf(widths.length) - 4);
  const more = Math.max(0, across - inner);
  return widths.map((width, i) => (i === widths.length - 1 ? width + more : width));
}

function isOfNumbers(rows: readonly Cells[], column: number): boolean {
  const texts = rows.map((row) => row[column]?.text ?? '');
  return texts.every((text) => /^-?$/.test(text) || NUMBER.test(text));
}

/** The lines of a row, as the cells of each. */
function rowLines(row: Cells, widths: readonly number[], aligned: readonly boolean[]): string[][] {
  const columns = widths.map((width, i) => wrapText(row[i]?.text ?? '', width).split('\n'));
  const height = columns.reduce((most, {length}) => Math.max(most, length), 1);
  return Array.from({length: height}, (_, index) =>
    widths.map((width, i) => {
      const line = columns[i]?.[index] ?? '';
      const gap = ' '.repeat(Math.max(width - widthOf(line), 0));
      const painted = line === '' ? '' : (row[i]?.paint(line) ?? line);
      return aligned[i] ? gap + painted : painted + gap;
    }),
  );
}

/** cli-table3 compares each row with all before it, so that it gets some at a time. */
const LINES_AT_ONCE = 64;
const WITHOUT_RULES = {mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': ''};

/**
 * The lines, and those of the frame before and after them. Cells come padded: given widths,
 * cli-table3 would cut a cell whose script it thinks wider than `widthOf` does.
 */
function drawnLines(lines: string[][]): string[] {
  const drawn: string[] = [];
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const isLast = from + LINES_AT_ONCE >= lines.length;
    const table = new CliTable({chars: WITHOUT_RULES, style: {head: [], border: []}});
    table.push(...lines.slice(from, from + LINES_AT_ONCE));
    const part = table.toString().split('\n');
    drawn.push(...part.slice(from === 0 ? 0 : 1, isLast ? undefined : -1));
  }
  return drawn;
}
