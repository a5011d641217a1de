import {colors} from '../output.js';
import {printableLines} from '../terminal-text.js';
import {framed, frameOf, type PlainCell} from './frame.js';
import {indented, type Layout, stack, text} from './layout.js';
import {UNLIMITED, widthOf} from './text-width.js';
import {isName, wordsOf, wrapText} from './wrap-text.js';

/** The text of a cell and its colour; a plain text has none. */
export type Cell = string | PlainCell;
type Row = readonly Cell[];

/** A column is not made narrower than its longest name, nor for the sake of other text than this. */
const LONG_WORD = 20;
/** The values of a record get a column of at least so many. */
const NARROW = 20;

interface TableOptions {
  /** How many cells are the title of a row that becomes a record. */
  readonly titled?: number;
  /** By row, what is shown below its cells. */
  readonly below?: readonly (Layout | undefined)[];
}

/**
 * On a terminal, the columns that are not empty, as wide as they need under a ruled head, or as wide
 * as there is room: what is too long is wrapped, but no name, and what gets too narrow becomes one
 * record after the other. A line feed in a cell begins a line of it. Elsewhere all columns of a row
 * are a line, with tabs between them. Whatever else cannot be seen is shown as an escape. Takes as
 * long as its text is long.
 */
export function table(
  head: readonly string[],
  rows: readonly Row[],
  {titled = 1, below = []}: TableOptions = {},
): Layout {
  return (width) => {
    if (width === UNLIMITED) return tabbed([head, ...rows]);
    if (rows.length === 0) return '';
    const kept = head.map((_, i) => rows.some((row) => !/^-?$/.test(textOf(row[i]))));
    const only = (row: Row) => row.filter((_, i) => kept[i] ?? true).map(plainCell);
    const cells = {head: only(head.map(titleCell)), rows: rows.map(only)};
    const widths = fitted([cells.head, ...cells.rows], width);
    if (!widths) return titledRecords({...cells, below}, titled, width);
    const across = rows.map((_, i) => below[i]?.(width).split('\n') ?? []);
    return framed({head: cells.head, rows: cells.rows, across}, widths);
  };
}

/** A name and its value. */
export type Member = readonly [name: string, value: Cell];

/**
 * One record below its title, if it has one: a name and its value in a line, without a frame where
 * there is little room, and with a tab between them elsewhere than on a terminal.
 */
export function record(members: readonly Member[], title?: string): Layout {
  const titles = title === undefined ? [] : [titleCell(title)];
  return (width) => {
    if (width === UNLIMITED) return tabbed([...titles.map((cell) => [cell]), ...members]);
    const rows = members.map((row) => row.map(plainCell));
    const head = titles.flatMap((cell) => [cell, plainCell('')]);
    const [named = 0, valued = 0] = columnsOf([head, ...rows], widthOf);
    const [, least = 0] = columnsOf(rows, longestWord);
    const room = width - named - frameOf(2);
    if (room >= Math.max(Math.min(valued, NARROW), least))
      return framed({head, rows}, [named, Math.min(valued, room)]);
    return [...titles.map((cell) => cell.paint(cell.text)), open(members, width)].join('\n');
  };
}

/** A record without a frame. */
export function plainRecord(members: readonly Member[]): Layout {
  return (width) => open(members, width);
}

/** The one row of a table: a record for people, a row for what reads rows. */
export function single(head: readonly string[], row: Row): Layout {
  const members = row.map((cell, i) => [head[i] ?? '', cell] as const);
  const [rows, shown] = [table(head, [row]), members.filter(([, cell]) => textOf(cell) !== '-')];
  return (width) => (width === UNLIMITED ? rows : record(shown))(width);
}

/** Rows as lines of cells between tabs, for programs. */
function tabbed(rows: readonly Row[]): string {
  const cellOf = (cell: Cell) => textOf(cell).replaceAll('\n', '\\n');
  return rows.map((row) => row.map(cellOf).join('\t')).join('\n');
}

function plainCell(cell: Cell): PlainCell {
  const {text, paint} =
    typeof cell === 'string' ? {text: cell, paint: (shown: string) => shown} : cell;
  return {text: printableLines(text), paint};
}

function titleCell(title: string): PlainCell {
  return {text: title, paint: colors.bold};
}

function textOf(cell: Cell = ''): string {
  return plainCell(cell).text;
}

/** The widths of the columns in a table that is at most `width` wide; undefined if it cannot be. */
function fitted(rows: readonly (readonly PlainCell[])[], width: number): number[] | undefined {
  const natural = columnsOf(rows, widthOf);
  const room = width - frameOf(natural.length);
  if (sum(natural) <= room) return natural;
  const least = columnsOf(rows, longestWord);
  if (sum(least) > room) return undefined;
  const within = (cap: number) =>
    natural.map((most, i) => Math.min(most, Math.max(cap, least[i] ?? 0)));
  let cap = room;
  while (sum(within(cap)) > room) cap -= 1;
  return within(cap);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

/** The width of the longest name, or of so much other text, indented as it is. */
function longestWord(line: string): number {
  const words = line.trimStart().split(' ');
  const widths = words.map((word) =>
    isName(word) ? widthOf(word) : Math.min(widthOf(word), LONG_WORD),
  );
  const commands = wordsOf(line.trimStart()).map((word) => Math.min(widthOf(word), LONG_WORD));
  const most = [...widths, ...commands].reduce((longest, width) => Math.max(longest, width), 0);
  return most + line.length - line.trimStart().length;
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

interface Titled extends TableOptions {
  readonly head: readonly PlainCell[];
  readonly rows: readonly (readonly PlainCell[])[];
}

/** The rows as records without a frame, below the ruled names of what their titles are made of. */
function titledRecords({head, rows, below = []}: Titled, titled: number, width: number): string {
  const names = head.slice(0, titled).map(textOf).join('  ').trim();
  const legend =
    titled > 1 ? [wrapText(names, width), '─'.repeat(Math.min(widthOf(names), width))] : [];
  const records = rows.map((row, i) => {
    const members = row.map((cell, column) => [textOf(head[column]), cell] as const);
    return titledRecord(members, titled, below[i])(width);
  });
  return [...legend, ...records].join('\n');
}

/** A mark, which has no name, belongs to the title. */
function titledRecord(members: readonly Member[], titled: number, below?: Layout): Layout {
  const isTitle = ([name]: Member, i: number) => i < titled || name === '';
  const title = members.filter(isTitle).map(([, value]) => textOf(value));
  const others = members.filter((member, i) => !isTitle(member, i));
  const shown = others.some(([, value]) => textOf(value) !== '') ? [plainRecord(others)] : [];
  const parts = [...shown, ...(below ? [below] : [])].map((part) => indented(2, part));
  return stack(text(title.join('  ').trim(), colors.bold), ...parts);
}

/** A record without a frame; what is empty is left out. */
function open(members: readonly Member[], width: number): string {
  const shown = members.filter(([, value]) => textOf(value) !== '');
  const column = Math.max(0, ...shown.map(([name]) => widthOf(name))) + 1;
  const margin = width - column < NARROW ? 2 : column;
  return shown.flatMap((member) => openLines(member, margin, width)).join('\n');
}

/** The value after its name, or below it where the name or one in the value has no room else. */
function openLines([name, value]: Member, column: number, width: number): string[] {
  const {text, paint} = plainCell(value);
  const [least = 0] = columnsOf([[{text, paint}]], longestWord);
  const margin = width - column < least ? 2 : column;
  const lines = wrapText(text, width - margin)
    .split('\n')
    .map(paint);
  if (widthOf(name) >= margin) return [name, ...lines.map((line) => ' '.repeat(margin) + line)];
  const [first = '', ...more] = lines;
  const begin = name + ' '.repeat(margin - widthOf(name)) + first;
  return [begin, ...more.map((line) => ' '.repeat(margin) + line)];
}
