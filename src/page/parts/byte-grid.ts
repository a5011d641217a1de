import {hexOfCell, textOfCell} from '../model/cells.js';
import type {Exploration} from '../model/explore.js';
import {shownAs} from '../model/shown.js';

/** What is marked in the grid: a field, and a cell or several within it. */
export interface Marked {
  readonly from: number;
  readonly to: number;
  /** -1: none. */
  readonly cursor: number;
}

/** What the grid tells. */
export interface GridEvents {
  readonly select: (cell: number, anchor: number) => void;
  readonly hover: (cell: number) => void;
  readonly enter: (cell: number) => void;
  readonly leave: () => void;
  readonly step: (cell: number, by: 1 | -1) => void;
  readonly copied: (what: string) => void;
}

/** What the grid shows. */
export interface GridContent {
  readonly exploration: Exploration;
  readonly reveal: boolean;
  readonly columns: 8 | 16;
}

/** Rows beyond the visible ones that are in the document. */
const BEYOND = 30;

/**
 * The grid of bytes. It draws the visible rows by itself, because a component for each byte would be
 * too slow; rows that scroll away are used again.
 */
export class ByteGrid {
  readonly #scroll: HTMLElement;
  readonly #grid: HTMLElement;
  readonly #events: GridEvents;
  readonly #rows = new Map<number, HTMLElement>();
  readonly #spare: HTMLElement[] = [];
  #content: GridContent | undefined;
  #marked: Marked = {from: 0, to: 0, cursor: -1};
  #hovered: readonly [number, number] = [0, 0];
  #anchor = 0;
  #focused = 0;
  #frame = 0;

  constructor(scroll: HTMLElement, grid: HTMLElement, events: GridEvents) {
    this.#scroll = scroll;
    this.#grid = grid;
    this.#events = events;
    scroll.addEventListener('scroll', () => this.#drawSoon(), {passive: true});
    grid.addEventListener('pointerdown', (event) => this.#pointed(event));
    grid.addEventListener('pointerover', (event) => events.hover(cellAt(event.target)));
    grid.addEventListener('pointerleave', () => events.hover(-1));
    grid.addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => this.#drawSoon()).observe(scroll);
  }

  /** Shows another payload, or the same one in another form. */
  show(content: GridContent): void {
    const isOther = this.#content?.exploration.cells !== content.exploration.cells;
    this.#content = content;
    for (const row of this.#rows.values()) row.remove();
    this.#rows.clear();
    if (isOther) {
      this.#scroll.scrollTop = 0;
      this.#focused = 0;
    }
    this.#grid.style.setProperty('height', `${this.#rowCount * this.#height}px`);
    this.#grid.setAttribute('aria-rowcount', String(this.#rowCount));
    this.#grid.setAttribute('aria-colcount', String(content.columns + 1));
    this.#draw();
  }

  /** Marks a field and a cell; scrolls there by the least distance when asked to. */
  mark(marked: Marked, scroll: boolean): void {
    this.#marked = marked;
    if (marked.cursor >= 0) this.#focused = marked.cursor;
    if (scroll && marked.to > marked.from) {
      this.#reveal(marked.cursor >= 0 ? marked.cursor : marked.from);
    }
    this.#draw();
    for (const row of this.#rows.values()) this.#paint(row);
  }

  /** Outlines what the pointer is over. */
  hover(from: number, to: number): void {
    this.#hovered = [from, to];
    for (const row of this.#rows.values()) this.#paintHover(row);
  }

  focus(cell: number): void {
    this.#focused = cell;
    this.#reveal(cell);
    this.#draw();
    this.#cell(cell)?.focus({preventScroll: true});
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

  #drawSoon(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    if (!this.#content) return;
    const {scrollTop, clientHeight} = this.#scroll;
    const first = Math.max(0, Math.floor(scrollTop / this.#height) - BEYOND);
    const last = Math.min(
      this.#rowCount - 1,
      Math.ceil((scrollTop + clientHeight) / this.#height) + BEYOND,
    );
    const kept = Math.floor(this.#focused / this.#columns);
    for (const [index, row] of this.#rows) {
      if ((index >= first && index <= last) || index === kept) continue;
      this.#rows.delete(index);
      this.#spare.push(row);
      row.remove();
    }
    const missing: number[] = [];
    for (let index = first; index <= last; index++) if (!this.#rows.has(index)) missing.push(index);
    if (this.#rowCount > 0 && !this.#rows.has(kept) && !missing.includes(kept)) missing.push(kept);
    for (const index of missing) this.#add(index);
  }

  #add(index: number): void {
    const row = this.#spare.pop() ?? newRow();
    this.#fill(row, index);
    this.#rows.set(index, row);
    let next: number | undefined;
    for (const other of this.#rows.keys()) {
      if (other > index && (next === undefined || other < next)) next = other;
    }
    this.#grid.insertBefore(row, next === undefined ? null : (this.#rows.get(next) ?? null));
  }

  #fill(row: HTMLElement, index: number): void {
    const columns = this.#columns;
    const start = index * columns;
    const end = Math.min(start + columns, this.#count);
    row.dataset.start = String(start);
    row.setAttribute('aria-rowindex', String(index + 1));
    row.style.setProperty('top', `${index * this.#height}px`);
    const [at, ...cells] = [...row.children] as HTMLElement[];
    const text = cells.pop();
    if (!at || !text) return;
    at.textContent = start.toString(16).toUpperCase().padStart(4, '0');
    resize(row, text, end - start);
    for (let i = start; i < end; i++) this.#fillCell(row, text, i, i - start);
    text.style.setProperty('padding-left', `${gapBehind(end - start, columns)}ch`);
    this.#paint(row);
    if (this.#hovered[1] > this.#hovered[0]) this.#paintHover(row);
  }

  #fillCell(row: HTMLElement, text: HTMLElement, i: number, column: number): void {
    const {exploration, reveal} = this.#content as GridContent;
    const {cells, hidden, kinds, stop} = exploration;
    const code = cells[i] ?? 0;
    const isHidden = hidden[i] === 1 && !reveal;
    const cell = row.children[column + 1] as HTMLElement;
    const letter = text.children[column] as HTMLElement;
    const kind = kinds[i] ?? '';
    cell.textContent = isHidden ? '**' : hexOfCell(code);
    cell.dataset.i = letter.dataset.i = String(i);
    cell.setAttribute('aria-label', this.#nameOf(i, isHidden));
    const classes = [`k-${kind}`];
    if (column === 7 && this.#columns === 16) classes.push('half');
    if (column === 0 || kinds[i - 1] !== kind) classes.push('first');
    if (column === this.#columns - 1 || kinds[i + 1] !== kind) classes.push('last');
    if (i === stop) classes.push('stop');
    cell.className = classes.join(' ');
    letter.textContent = isHidden ? '*' : textOfCell(code);
    letter.className = code >= 0x20 && code < 0x7f && !isHidden ? '' : 'quiet';
  }

  #nameOf(i: number, isHidden: boolean): string {
    const {exploration, reveal} = this.#content as GridContent;
    const {cells, fields, fieldOf} = exploration;
    const what = isHidden ? 'masked' : hexOfCell(cells[i] ?? 0);
    const field = fields[(fieldOf[i] ?? 0) - 1];
    if (!field) return `${what}, offset ${i}`;
    const place = `byte ${i - field.offset + 1} of ${field.length}`;
    return `${what}, offset ${i}, ${shownAs(field.name, reveal)}, ${place}`;
  }

  #paint(row: HTMLElement): void {
    const {from, to, cursor} = this.#marked;
    const anchor = this.#anchor;
    const [low, high] =
      cursor < 0 ? [-1, -1] : [Math.min(anchor, cursor), Math.max(anchor, cursor)];
    for (const cell of cellsIn(row)) {
      const i = Number(cell.dataset.i);
      cell.classList.toggle('in', i >= from && i < to);
      cell.classList.toggle('cursor', i >= low && i <= high);
      if (cell.tagName === 'B') {
        cell.tabIndex = i === this.#focused ? 0 : -1;
        cell.setAttribute('aria-selected', String(i >= low && i <= high));
      }
    }
  }

  #paintHover(row: HTMLElement): void {
    const [from, to] = this.#hovered;
    for (const cell of cellsIn(row)) {
      const i = Number(cell.dataset.i);
      cell.classList.toggle('hover', i >= from && i < to);
    }
  }

  #cell(i: number): HTMLElement | undefined {
    const row = this.#rows.get(Math.floor(i / this.#columns));
    return row?.children[(i % this.#columns) + 1] as HTMLElement | undefined;
  }

  #reveal(i: number): void {
    const top = Math.floor(i / this.#columns) * this.#height;
    const {scrollTop, clientHeight} = this.#scroll;
    if (top < scrollTop) this.#scroll.scrollTop = top;
    else if (top + this.#height > scrollTop + clientHeight) {
      this.#scroll.scrollTop = top + this.#height - clientHeight;
    }
  }

  #pointed(event: PointerEvent): void {
    const cell = cellAt(event.target);
    if (cell < 0) return;
    event.preventDefault();
    this.#go(cell, event.shiftKey);
  }

  #go(cell: number, extends_: boolean): void {
    if (!extends_) this.#anchor = cell;
    this.#marked = {...this.#marked, cursor: cell};
    this.#events.select(cell, this.#anchor);
    this.focus(cell);
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey) return;
    const target = this.#targetOf(event);
    if (target !== undefined) {
      event.preventDefault();
      const cell = Math.max(0, Math.min(this.#count - 1, target));
      this.#go(cell, event.shiftKey);
      return;
    }
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && event.key.toLowerCase() === 'c') this.#copy(event.shiftKey);
    else if (isControl) return;
    else if (event.key === 'Enter') this.#events.enter(this.#focused);
    else if (event.key === 'Escape') this.#events.leave();
    else if (event.key === '[') this.#events.step(this.#focused, -1);
    else if (event.key === ']') this.#events.step(this.#focused, 1);
    else return;
    event.preventDefault();
  }

  #targetOf({key, ctrlKey, metaKey}: KeyboardEvent): number | undefined {
    const columns = this.#columns;
    const at = this.#focused;
    const page = Math.max(1, Math.floor(this.#scroll.clientHeight / this.#height) - 1) * columns;
    const whole = ctrlKey || metaKey;
    const start = at - (at % columns);
    switch (key) {
      case 'ArrowLeft':
        return at - 1;
      case 'ArrowRight':
        return at + 1;
      case 'ArrowUp':
        return at < columns ? at : at - columns;
      case 'ArrowDown':
        return at + columns >= this.#count ? at : at + columns;
      case 'Home':
        return whole ? 0 : start;
      case 'End':
        return whole ? this.#count - 1 : start + columns - 1;
      case 'PageUp':
        return at - page;
      case 'PageDown':
        return at + page;
      default:
        return undefined;
    }
  }

  /** What is marked, as it is seen. */
  #copy(asText: boolean): void {
    const {exploration, reveal} = this.#content as GridContent;
    const {cells, hidden} = exploration;
    const {cursor} = this.#marked;
    const [low, high] = [Math.min(this.#anchor, cursor), Math.max(this.#anchor, cursor)];
    const text = Array.from(cells.subarray(Math.max(0, low), high + 1), (code, i) => {
      if (hidden[low + i] && !reveal) return asText ? '*' : '**';
      return asText ? textOfCell(code) : hexOfCell(code);
    }).join('');
    void navigator.clipboard?.writeText(text).catch(() => undefined);
    this.#events.copied(asText ? 'text' : 'hex');
  }
}

function newRow(): HTMLElement {
  const row = document.createElement('div');
  row.className = 'row';
  row.setAttribute('role', 'row');
  const at = document.createElement('span');
  at.className = 'at';
  at.setAttribute('role', 'rowheader');
  const text = document.createElement('span');
  text.className = 'text';
  text.setAttribute('aria-hidden', 'true');
  row.append(at, text);
  return row;
}

/** Gives a row as many cells as bytes. */
function resize(row: HTMLElement, text: HTMLElement, count: number): void {
  while (text.children.length > count) {
    text.lastElementChild?.remove();
    row.children[row.children.length - 2]?.remove();
  }
  while (text.children.length < count) {
    const cell = document.createElement('b');
    cell.setAttribute('role', 'gridcell');
    row.insertBefore(cell, text);
    text.append(document.createElement('i'));
  }
}

/** The room of the cells that a last, short row does not have, so that its text aligns. */
function gapBehind(count: number, columns: number): number {
  return (columns - count) * 3 + (columns === 16 && count < 8 ? 1 : 0);
}

function cellsIn(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('[data-i]')];
}

function cellAt(target: EventTarget | null): number {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-i]') : null;
  return element ? Number(element.dataset.i) : -1;
}
