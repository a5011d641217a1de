import {hexOfCell, textOfCell} from '../../engine/inspection/cells.js';
import type {Exploration} from '../model/explore.js';
import {type GridContent, GridRow, type Marks, type Range} from './grid-row.js';
import {rowsOfPage, scrollToRow, targetOf} from './row-list.js';

/** What is marked in the grid: a field, and a cell or several within it. */
export interface Marked {
  readonly from: number;
  readonly to: number;
  /** -1: none. */
  readonly cursor: number;
}

/** The events of the grid. */
export interface GridEvents {
  readonly select: (cell: number) => void;
  readonly hover: (cell: number) => void;
  readonly enter: (cell: number) => void;
  readonly leave: () => void;
  readonly step: (cell: number, by: 1 | -1) => void;
  readonly copied: (what: string) => void;
  /** Asks for an offset to go to. */
  readonly ask: () => void;
}

/** Rows beyond the visible ones that are in the document, and how many of them a frame fills. */
const ROWS_NEAR = 16;
const ROWS_PER_FRAME = 6;
/** After the last row was filled. */
const SETTLED_MS = 150;
const NO_RANGE: Range = [0, 0];

/**
 * The grid of bytes. It draws the visible rows by itself, because a component for each byte would be
 * too slow: a frame fills the rows that are seen and few others, and rows that scrolled away are
 * filled again where they are in the document.
 */
export class ByteGrid {
  events: GridEvents | undefined;
  readonly #scroll: HTMLElement;
  readonly #grid: HTMLElement;
  readonly #rows = new Map<number, GridRow>();
  #spare: GridRow[] = [];
  #content: GridContent | undefined;
  #marked: Marked = {from: 0, to: 0, cursor: -1};
  #pointed = NO_RANGE;
  #anchor = 0;
  #focused = 0;
  #frame = 0;
  #isPrinting = false;
  readonly #gone = new AbortController();
  readonly #size = new ResizeObserver(() => this.#drawSoon());
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(scroll: HTMLElement, grid: HTMLElement) {
    this.#scroll = scroll;
    this.#grid = grid;
    scroll.addEventListener('scroll', () => this.#drawSoon(), {passive: true});
    grid.addEventListener('pointerdown', (event) => this.#press(event));
    grid.addEventListener('pointermove', (event) => this.events?.hover(this.#cellAt(event)));
    grid.addEventListener('pointerleave', () => this.events?.hover(-1));
    grid.addEventListener('keydown', (event) => this.#key(event));
    this.#size.observe(scroll);
    const {signal} = this.#gone;
    addEventListener('beforeprint', () => this.#drawAll(), {signal});
    const onPrinted = () => {
      this.#isPrinting = false;
      this.#draw();
    };
    addEventListener('afterprint', onPrinted, {signal});
  }

  /** Must be called once the grid is gone: the window would keep it, and what it shows. */
  dispose(): void {
    this.#gone.abort();
    this.#size.disconnect();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#content = undefined;
  }

  /** Shows another payload, or the same one in another form. */
  show(content: GridContent): void {
    const isOther = this.#content?.exploration.cells !== content.exploration.cells;
    this.#content = content;
    this.#spare.push(...this.#rows.values());
    this.#rows.clear();
    if (isOther) {
      this.#scroll.scrollTop = 0;
      this.#focused = 0;
    }
    this.#grid.style.setProperty('height', `${this.#rowCount * this.#height}px`);
    this.#grid.setAttribute('aria-rowcount', String(this.#rowCount));
    this.#grid.setAttribute('aria-colcount', String(content.columns + 1));
    this.#draw();
    for (const row of this.#spare.splice(0)) row.element.remove();
  }

  /** Marks a field and a cell; scrolls there by the least distance when asked to. */
  mark(marked: Marked, scroll: boolean): void {
    this.#marked = marked;
    if (marked.cursor >= 0) this.#focused = marked.cursor;
    if (scroll && marked.to > marked.from) {
      this.#reveal(marked.cursor >= 0 ? marked.cursor : marked.from);
    }
    this.#draw();
    this.#paint();
  }

  /** Outlines the field under the pointer. */
  hover(pointed: Range): void {
    this.#pointed = pointed;
    this.#paint();
  }

  focus(cell: number): void {
    this.#focused = cell;
    this.#reveal(cell);
    this.#draw();
    this.#paint();
    this.#rows
      .get(Math.floor(cell / this.#columns))
      ?.cell(cell % this.#columns)
      ?.focus({preventScroll: true});
  }

  get #columns(): number {
    return this.#content?.columns ?? 16;
  }

  get #count(): number {
    return this.#content?.exploration.cells.length ?? 0;
  }

  get #rowCount(): number {
    return Math.ceil(this.#count / this.#columns);
  }

  get #height(): number {
    return this.#columns === 8 ? 24 : 20;
  }

  /** The cells between anchor and cursor. */
  get #cursor(): Range {
    const {cursor} = this.#marked;
    if (cursor < 0) return NO_RANGE;
    return [Math.min(this.#anchor, cursor), Math.max(this.#anchor, cursor) + 1];
  }

  get #marks(): Marks {
    const {from, to} = this.#marked;
    const [pointed, cursor, focused] = [this.#pointed, this.#cursor, this.#focused];
    return {field: [from, to], cursor, pointed, focused};
  }

  #paint(): void {
    const marks = this.#marks;
    for (const row of this.#rows.values()) row.mark(marks);
  }

  #drawSoon(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw(ROWS_PER_FRAME);
    });
  }

  /** Fills the rows that are seen and the one with the tab stop now, those beyond in later frames. */
  #draw(most = 0): void {
    if (!this.#content || this.#count === 0 || this.#isPrinting) return;
    const {scrollTop, clientHeight} = this.#scroll;
    const first = Math.floor(scrollTop / this.#height);
    const last = Math.min(this.#rowCount, Math.ceil((scrollTop + clientHeight) / this.#height));
    const kept = Math.floor(this.#focused / this.#columns);
    for (const [index, row] of this.#rows) {
      if ((index >= first - ROWS_NEAR && index < last + ROWS_NEAR) || index === kept) continue;
      this.#rows.delete(index);
      this.#spare.push(row);
    }
    const marks = this.#marks;
    for (let index = first; index < last; index++) this.#fill(index, marks);
    this.#fill(kept, marks);
    const beyond = this.#missing(first, last);
    for (const index of beyond.slice(0, most)) this.#fill(index, marks);
    clearTimeout(this.#timer);
    if (beyond.length > most) this.#drawSoon();
    else this.#timer = setTimeout(() => this.#tidy(), SETTLED_MS);
  }

  /** On paper every row is seen, in the order of the document. */
  #drawAll(): void {
    this.#isPrinting = true;
    const marks = this.#marks;
    for (let index = 0; index < this.#rowCount; index++) this.#fill(index, marks);
    const order = [...this.#rows].sort(([a], [b]) => a - b);
    this.#grid.append(...order.map(([, {element}]) => element));
  }

  /** Rows just beyond the visible ones, the nearest first. */
  #missing(first: number, last: number): number[] {
    const near = Array.from({length: ROWS_NEAR}, (_, i) => [last + i, first - 1 - i]).flat();
    return near.filter((index) => index >= 0 && index < this.#rowCount && !this.#rows.has(index));
  }

  #fill(index: number, marks: Marks): void {
    if (this.#rows.has(index)) return;
    const row = this.#spare.pop() ?? new GridRow();
    row.fill(this.#content as GridContent, index, this.#height, marks);
    this.#rows.set(index, row);
    if (!row.element.isConnected) this.#grid.append(row.element);
  }

  /** Removes spare rows, and gives screen readers the order of the others. */
  #tidy(): void {
    for (const row of this.#spare.splice(0)) row.element.remove();
    const order = [...this.#rows].sort(([a], [b]) => a - b).map(([, {element}]) => element);
    const isOrdered = order.every((element, i) => this.#grid.children[i] === element);
    if (isOrdered) this.#grid.removeAttribute('aria-owns');
    else this.#grid.setAttribute('aria-owns', order.map(({id}) => id).join(' '));
  }

  #reveal(i: number): void {
    const top = Math.floor(i / this.#columns) * this.#height;
    scrollToRow(this.#scroll, top, this.#height);
  }

  /** The cell at a pointer, which may be over its letter; -1: none. */
  #cellAt({target, offsetX}: PointerEvent): number {
    if (!(target instanceof HTMLElement)) return -1;
    const {i, start} = target.dataset;
    if (i !== undefined) return Number(i);
    const row = start === undefined ? undefined : this.#rows.get(Number(start) / this.#columns);
    return row?.cellUnder(offsetX) ?? -1;
  }

  #press(event: PointerEvent): void {
    const cell = this.#cellAt(event);
    if (cell < 0) return;
    event.preventDefault();
    this.#go(cell, event.shiftKey);
  }

  #go(cell: number, extends_: boolean): void {
    if (!extends_) this.#anchor = cell;
    this.#marked = {...this.#marked, cursor: cell};
    this.events?.select(cell);
    this.focus(cell);
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey) return;
    const page = rowsOfPage(this.#scroll.clientHeight, this.#height);
    const place = {at: this.#focused, count: this.#count, columns: this.#columns, page};
    const target = targetOf(event, place);
    const isControl = event.ctrlKey || event.metaKey;
    const action = isControl ? undefined : this.#actions[event.key];
    if (target !== undefined) this.#go(target, event.shiftKey);
    else if (isControl && event.key.toLowerCase() === 'c') this.#copy(event.shiftKey);
    else if (action) action();
    else return;
    event.preventDefault();
  }

  readonly #actions: Readonly<Record<string, () => void>> = {
    Enter: () => this.events?.enter(this.#focused),
    Escape: () => this.events?.leave(),
    '[': () => this.events?.step(this.#focused, -1),
    ']': () => this.events?.step(this.#focused, 1),
    g: () => this.events?.ask(),
  };

  /** Copies the marked cells, masked as shown. */
  #copy(asText: boolean): void {
    const {exploration, reveal} = this.#content as GridContent;
    const text = copied(exploration, this.#cursor, {asText, reveal});
    void navigator.clipboard?.writeText(text).catch(() => undefined);
    this.events?.copied(asText ? 'text' : 'hex');
  }
}

/** Cells as they are copied: in hex or as text, and masked as they are seen. */
function copied(
  {cells, hidden}: Pick<Exploration, 'cells' | 'hidden'>,
  [from, to]: readonly [from: number, to: number],
  {asText, reveal}: {readonly asText: boolean; readonly reveal: boolean},
): string {
  return Array.from(cells.subarray(from, to), (code, i) => {
    if (hidden[from + i] && !reveal) return asText ? '*' : '**';
    return asText ? textOfCell(code) : hexOfCell(code);
  }).join('');
}
