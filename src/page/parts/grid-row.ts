import {hexOfCell, textOfCell} from '../../engine/inspection/cells.js';
import type {Exploration} from '../model/explore.js';
import {KINDS} from '../model/field.js';
import {shownAs} from '../model/shown.js';

/** What the grid shows. */
export interface GridContent {
  readonly exploration: Exploration;
  readonly reveal: boolean;
  readonly columns: 8 | 16;
  readonly differing?: Uint8Array | undefined;
}

/** From a cell to the one after the last. */
export type Range = readonly [from: number, to: number];

/** What is marked: a field, the cells of the cursor, what the pointer is over, and the tab stop. */
export interface Marks {
  readonly field: Range;
  readonly cursor: Range;
  readonly pointed: Range;
  readonly focused: number;
}

/** The marks that the column of text shows, too; later ones lie above. */
const OVERLAYS = ['pointed', 'field', 'cursor'] as const;
const CLASSES = {pointed: 'hover', field: 'in', cursor: 'cursor'} as const;
const EMPTY_RANGE: Range = [0, 0];

/** Numbers the rows: `aria-owns` lists their ids. */
let rowsMade = 0;

interface CellElement {
  readonly element: HTMLElement;
  readonly letters: Text;
  kind: string;
}

/**
 * One row of the grid: offset, cells and text. It is filled again and again while the grid scrolls,
 * so it writes only changes into the document.
 */
export class GridRow {
  readonly element = made('div', 'row', 'row');
  readonly #offset = document.createTextNode('');
  readonly #text = made('span', 'text');
  readonly #letters = document.createTextNode('');
  readonly #cells: CellElement[] = [];
  readonly #overlays = new Map<string, HTMLElement>();
  #start = 0;
  #count = 0;
  #columns = 16;

  constructor() {
    this.element.id = `row-${++rowsMade}`;
    this.#text.setAttribute('aria-hidden', 'true');
    this.#text.append(this.#letters);
    const header = made('span', 'at', 'rowheader');
    header.append(this.#offset);
    this.element.append(header, this.#text);
  }

  /** Shows the row `index` of a payload, `height` pixels each. */
  fill(content: GridContent, index: number, height: number, marks: Marks): void {
    const {exploration, columns} = content;
    const start = index * columns;
    const count = Math.min(columns, exploration.cells.length - start);
    this.#start = start;
    this.#columns = columns;
    this.#resize(count, columns);
    this.#text.dataset.start = String(start);
    this.element.setAttribute('aria-rowindex', String(index + 1));
    this.element.style.setProperty('top', `${index * height}px`);
    write(this.#offset, start.toString(16).toUpperCase().padStart(4, '0'));
    let text = '';
    for (let column = 0; column < count; column++) text += this.#fillCell(content, column);
    write(this.#letters, text);
    this.mark(marks);
  }

  /** Shows the marks in this row. */
  mark(marks: Marks): void {
    const {field, cursor, pointed, focused} = marks;
    this.#cells.forEach(({element, kind}, column) => {
      const i = this.#start + column;
      const isCursor = isInRange(cursor, i);
      const outlined = [field, pointed].find((range) => isInRange(range, i)) ?? EMPTY_RANGE;
      const classes =
        kind +
        (outlined === field ? ' in' : '') +
        (isCursor ? ' cursor' : '') +
        (isInRange(pointed, i) ? ' hover' : '') +
        edgesOf(outlined, i, this.#columns);
      if (element.className !== classes) element.className = classes;
      const stop = i === focused ? 0 : -1;
      if (element.tabIndex !== stop) element.tabIndex = stop;
      const selected = String(isCursor);
      if (element.ariaSelected !== selected) element.ariaSelected = selected;
    });
    for (const name of OVERLAYS) this.#markText(name, marks[name]);
  }

  /** The cell whose letter is so far to the right in the column of text. */
  cellUnder(x: number): number | undefined {
    const gap = Number.parseFloat(getComputedStyle(this.#text).paddingLeft);
    const column = Math.floor(((x - gap) / (this.#text.offsetWidth - gap)) * this.#count);
    return column < 0 || column >= this.#count ? undefined : this.#start + column;
  }

  /** The element of a cell in this row. */
  cell(column: number): HTMLElement | undefined {
    return this.#cells[column]?.element;
  }

  #fillCell({exploration, reveal, columns, differing}: GridContent, column: number): string {
    const {cells, hidden, kinds, stop} = exploration;
    const i = this.#start + column;
    const code = cells[i] ?? 0;
    const isHidden = hidden[i] === 1 && !reveal;
    const cell = this.#cells[column] as CellElement;
    const kind = kinds[i] ?? 0;
    cell.kind =
      `k-${KINDS[kind]}` +
      (column === 7 && columns === 16 ? ' half' : '') +
      (column === 0 || kinds[i - 1] !== kind ? ' first' : '') +
      (column === columns - 1 || kinds[i + 1] !== kind ? ' last' : '') +
      (i === stop ? ' stop' : '') +
      (differing?.[i] ? ' differs' : '');
    write(cell.letters, isHidden ? '**' : hexOfCell(code));
    cell.element.dataset.i = String(i);
    cell.element.ariaLabel = nameOf(exploration, reveal, i) + (differing?.[i] ? ', differs' : '');
    return isHidden ? '*' : textOfCell(code);
  }

  /** Gives the row as many cells as bytes; the room of those that a short row lacks stays. */
  #resize(count: number, columns: number): void {
    if (count === this.#count) return;
    this.#count = count;
    while (this.#cells.length > count) this.#cells.pop()?.element.remove();
    while (this.#cells.length < count) {
      const element = made('b', '', 'gridcell');
      const letters = document.createTextNode('');
      element.append(letters);
      this.#text.before(element);
      this.#cells.push({element, letters, kind: ''});
    }
    const gap = (columns - count) * 3 + (columns === 16 && count < 8 ? 1 : 0);
    this.#text.style.setProperty('padding-left', `${gap}ch`);
  }

  /** The text is one node; a mark is an overlay with a piece of it. */
  #markText(name: (typeof OVERLAYS)[number], [from, to]: Range): void {
    const first = Math.max(0, from - this.#start);
    const last = Math.min(this.#count, to - this.#start);
    const known = this.#overlays.get(name);
    if (last <= first) {
      known?.remove();
      this.#overlays.delete(name);
      return;
    }
    const overlay = known ?? made('i', CLASSES[name]);
    overlay.textContent = this.#letters.data.slice(first, last);
    overlay.style.setProperty('left', `calc(${this.#text.style.paddingLeft} + ${first}ch)`);
    if (known) return;
    this.#overlays.set(name, overlay);
    this.#text.append(...OVERLAYS.flatMap((one) => this.#overlays.get(one) ?? []));
  }
}

function nameOf({cells, hidden, fields, fieldOf}: Exploration, reveal: boolean, i: number): string {
  const what = hidden[i] === 1 && !reveal ? 'masked' : hexOfCell(cells[i] ?? 0);
  const field = fields[(fieldOf[i] ?? 0) - 1];
  if (!field) return `${what}, offset ${i}`;
  const place = `byte ${i - field.offset + 1} of ${field.length}`;
  return `${what}, offset ${i}, ${shownAs(field.name, reveal)}, ${place}`;
}

function made(tag: string, classes: string, role?: string): HTMLElement {
  const element = document.createElement(tag);
  if (classes !== '') element.className = classes;
  if (role !== undefined) element.setAttribute('role', role);
  return element;
}

function write(node: Text, text: string): void {
  if (node.data !== text) node.data = text;
}

/** On which sides of a cell the outline of a range runs. */
function edgesOf(range: Range, i: number, columns: number): string {
  if (range === EMPTY_RANGE) return '';
  const column = i % columns;
  return (
    ' edged' +
    (isInRange(range, i - columns) ? '' : ' above') +
    (isInRange(range, i + columns) ? '' : ' below') +
    (column > 0 && isInRange(range, i - 1) ? '' : ' left') +
    (column < columns - 1 && isInRange(range, i + 1) ? '' : ' right')
  );
}

function isInRange([from, to]: Range, i: number): boolean {
  return i >= from && i < to;
}
