import CliTable from 'cli-table3';
import {colors} from './output.js';
import {printableLines} from './terminal-text.js';

/** The text of a cell and its colour; a plain text has none. */
export type Cell = string | {readonly text: string; readonly paint: (text: string) => string};

/**
 * Lays rows out as wide as they need, under a head unless it is empty. A line feed in a cell begins
 * a line of it; whatever else cannot be seen is shown as an escape. Takes as long as its text is long.
 */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const titles = head.map((text) => ({text, paint: colors.bold}));
  const laidOut = [...(head.length > 0 ? [titles] : []), ...rows].map((row) => row.map(layOut));
  if (laidOut.length === 0) return '';
  const widths = columnWidths(laidOut);
  const lines = laidOut.flatMap((row) => linesOf(row, widths));
  return draw(lines, widths);
}

/** cli-table3 compares each row with all before it, so that it gets some at a time. */
const ROWS_AT_ONCE = 64;
const WITHOUT_RULES = {mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': ''};

function draw(rows: readonly string[][], widths: readonly number[]): string {
  const drawn: string[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const part = new CliTable({
      chars: WITHOUT_RULES,
      colWidths: widths.map((width) => width + 2),
      style: {head: [], border: []},
    });
    part.push(...rows.slice(from, from + ROWS_AT_ONCE));
    const lines = part.toString().split('\n');
    const isLast = from + ROWS_AT_ONCE >= rows.length;
    drawn.push(...lines.slice(from === 0 ? 0 : 1, isLast ? undefined : -1));
  }
  return drawn.join('\n');
}

interface Line {
  readonly text: string;
  readonly width: number;
}

interface LaidOut {
  readonly lines: readonly Line[];
  readonly paint: (text: string) => string;
}

function layOut(cell: Cell): LaidOut {
  const {text, paint} = typeof cell === 'string' ? {text: cell, paint: asItIs} : cell;
  const lines = printableLines(text).split('\n');
  return {lines: lines.map((line) => ({text: line, width: widthOf(line)})), paint};
}

function asItIs(text: string): string {
  return text;
}

function columnWidths(rows: readonly (readonly LaidOut[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach(({lines}, column) => {
      for (const {width} of lines) widths[column] = Math.max(widths[column] ?? 0, width);
    });
  }
  return widths;
}

function linesOf(row: readonly LaidOut[], widths: readonly number[]): string[][] {
  const height = row.reduce((most, {lines}) => Math.max(most, lines.length), 1);
  return Array.from({length: height}, (_, index) =>
    widths.map((width, column) => padded(row[column], index, width)),
  );
}

function padded(cell: LaidOut | undefined, index: number, width: number): string {
  const line = cell?.lines[index];
  if (!cell || !line || line.text === '') return ' '.repeat(width);
  return cell.paint(line.text) + ' '.repeat(width - line.width);
}

const ASCII = /^[ -~]*$/;
const MARKS = /\p{M}/gu;
/**
 * Characters that terminals draw two columns wide: East Asian wide characters (UAX #11) and emoji.
 */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/gu;

/** Columns of a terminal that a line without controls takes. */
function widthOf(line: string): number {
  if (ASCII.test(line)) return line.length;
  const plain = line.replace(MARKS, '');
  return [...plain].length + (plain.match(WIDE)?.length ?? 0);
}
