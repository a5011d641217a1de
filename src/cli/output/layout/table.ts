import CliTable from 'cli-table3';
import {colors} from '../output.js';
import {printableLines} from '../terminal-text.js';
import {indented, type Layout, stack, text} from './layout.js';
import {UNLIMITED, widthOf} from './text-width.js';
import {wordsOf, wrapText} from './wrap-text.js';

/** The text of a cell and its colour; a plain text has none. */
export type Cell = string | {readonly text: string; readonly paint: (text: string) => string};

/** A column is not made narrower than its longest word, nor for the sake of one longer than this. */
const LONG_WORD = 20;
/** The values of a record get a column of at least so many. */
const NARROW = 20;

/**
 * Lays rows out as wide as they need, under a head unless it is empty, or as wide as there is room:
 * what is too long is wrapped, and what gets too narrow becomes one record after the other, below a
 * title of its first `titled` cells. A line feed in a cell begins a line of it; whatever else cannot
 * be seen is shown as an escape. Takes as long as its text is long.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  titled = 1,
): Layout {
  const titles = head.map((title) => ({text: title, paint: colors.bold}));
  return (width) => {
    const cells = [...(head.length > 0 ? [titles] : []), ...rows].map((row) => row.map(plainCell));
    if (cells.length === 0) return '';
    const widths = fitted(cells, width);
    return widths ? framed(cells, widths) : titledRecords(head, rows, titled, width);
  };
}

/** A name and its value. */
export type Member = readonly [name: string, value: Cell];

/**
 * One record below its title, if it has one: a name and its value in a line, without a frame where
 * there is little room.
 */
export function record(members: readonly Member[], title?: string): Layout {
  const head = title === undefined ? [] : [{text: title, paint: colors.bold}];
  return (width) => {
    const cells = [...head.map((cell) => [cell, '']), ...members].map((row) => row.map(plainCell));
    const [named = 0, valued = 0] = naturalWidths(cells);
    const room = width - named - frameOf(2);
    if (room >= Math.min(valued, NARROW)) return framed(cells, [named, Math.min(valued, room)]);
    return [...head.map(({text, paint}) => paint(text)), open(members, width)].join('\n');
  };
}

/** A record without a frame. */
export function plainRecord(members: readonly Member[]): Layout {
  return (width) => open(members, width);
}

/** The one row of a table: a record for people, a row for what reads rows. */
export function single(head: readonly string[], row: readonly Cell[]): Layout {
  const [rows, members] = [table(head, [row]), record(membersOf(head, row))];
  return (width) => (width === UNLIMITED ? rows : members)(width);
}

function membersOf(head: readonly string[], row: readonly Cell[]): Member[] {
  return row.map((cell, i) => [head[i] ?? '', cell]);
}

interface PlainCell {
  readonly text: string;
  readonly paint: (text: string) => string;
}

function plainCell(cell: Cell): PlainCell {
  const {text, paint} = typeof cell === 'string' ? {text: cell, paint: asItIs} : cell;
  return {text: printableLines(text), paint};
}

function asItIs(text: string): string {
  return text;
}

/** The widths of the columns in a table that is at most `width` wide; undefined if it cannot be. */
function fitted(rows: readonly (readonly PlainCell[])[], width: number): number[] | undefined {
  const natural = naturalWidths(rows);
  const room = width - frameOf(natural.length);
  if (sum(natural) <= room) return natural;
  const least = columnsOf(rows, longestWord).map((word) => Math.min(word, LONG_WORD));
  if (sum(least) > room) return undefined;
  const within = (cap: number) =>
    natural.map((most, i) => Math.min(most, Math.max(cap, least[i] ?? 0)));
  let cap = room;
  while (sum(within(cap)) > room) cap -= 1;
  return within(cap);
}

/** Columns that the frame takes. */
function frameOf(columns: number): number {
  return 3 * columns + 1;
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

function naturalWidths(rows: readonly (readonly PlainCell[])[]): number[] {
  return columnsOf(rows, widthOf);
}

function longestWord(line: string): number {
  return wordsOf(line).reduce((most, word) => Math.max(most, widthOf(word)), 0);
}

/** The most that `measure` finds among the lines of each column. */
function columnsOf(
  rows: readonly (readonly PlainCell[])[],
  measure: (line: string) => number,
): number[] {
  const most: number[] = [];
  for (const row of rows) {
    row.forEach(({text}, column) => {
      for (const line of text.split('\n'))
        most[column] = Math.max(most[column] ?? 0, measure(line));
    });
  }
  return most;
}

function framed(rows: readonly (readonly PlainCell[])[], widths: readonly number[]): string {
  const lines = rows.flatMap((row) => rowLines(row, widths));
  const drawn: string[] = [];
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const isLast = from + LINES_AT_ONCE >= lines.length;
    const part = drawnLines(lines.slice(from, from + LINES_AT_ONCE));
    drawn.push(...part.slice(from === 0 ? 0 : 1, isLast ? undefined : -1));
  }
  return drawn.join('\n');
}

/** cli-table3 compares each row with all before it, so that it gets some at a time. */
const LINES_AT_ONCE = 64;
const WITHOUT_RULES = {mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': ''};

/**
 * The lines in a frame of their own. Cells come padded: given widths, cli-table3 would cut a cell
 * whose script it thinks wider than `widthOf` does.
 */
function drawnLines(lines: string[][]): string[] {
  const drawn = new CliTable({chars: WITHOUT_RULES, style: {head: [], border: []}});
  drawn.push(...lines);
  return drawn.toString().split('\n');
}

/** The lines of a row, as the cells of each. */
function rowLines(row: readonly PlainCell[], widths: readonly number[]): string[][] {
  const columns = widths.map((width, i) => wrapText(row[i]?.text ?? '', width).split('\n'));
  const height = columns.reduce((most, {length}) => Math.max(most, length), 1);
  return Array.from({length: height}, (_, index) =>
    widths.map((width, i) => padded(row[i], columns[i]?.[index] ?? '', width)),
  );
}

function padded(cell: PlainCell | undefined, line: string, width: number): string {
  if (!cell || line === '') return ' '.repeat(width);
  return cell.paint(line) + ' '.repeat(Math.max(width - widthOf(line), 0));
}

/** The rows as records without a frame, below the names of what their titles are made of. */
function titledRecords(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  titled: number,
  width: number,
): string {
  const legend = wrapText(head.slice(0, titled).join('  ').trim(), width);
  const records = rows.map((row) => titledRecord(membersOf(head, row), titled, width));
  return [...(titled > 1 ? [legend] : []), ...records].join('\n');
}

/** A mark, which has no name, belongs to the title. */
function titledRecord(members: readonly Member[], titled: number, width: number): string {
  const isTitle = ([name]: Member, i: number) => i < titled || name === '';
  const title = members.filter(isTitle).map(([, value]) => plainCell(value).text);
  const others = members.filter((member, i) => !isTitle(member, i));
  return stack(text(title.join('  ').trim(), colors.bold), indented(2, plainRecord(others)))(width);
}

/** A record without a frame; what is empty is left out. */
function open(members: readonly Member[], width: number): string {
  const shown = members.filter(([, value]) => plainCell(value).text !== '');
  const column = Math.max(0, ...shown.map(([name]) => widthOf(name))) + 1;
  const margin = width - column < NARROW ? 2 : column;
  return shown.flatMap((member) => openLines(member, margin, width)).join('\n');
}

/** The value after its name, or below a name that has no room in the margin. */
function openLines([name, value]: Member, margin: number, width: number): string[] {
  const {text, paint} = plainCell(value);
  const lines = wrapText(text, width - margin)
    .split('\n')
    .map(paint);
  if (widthOf(name) >= margin) return [name, ...lines.map((line) => ' '.repeat(margin) + line)];
  const [first = '', ...more] = lines;
  const begin = name + ' '.repeat(margin - widthOf(name)) + first;
  return [begin, ...more.map((line) => ' '.repeat(margin) + line)];
}
