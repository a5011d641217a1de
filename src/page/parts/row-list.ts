/** Scrolls a row into view by the least distance. */
export function scrollToRow(box: HTMLElement, y: number, height: number): void {
  if (y < box.scrollTop) box.scrollTop = y;
  else if (y + height > box.scrollTop + box.clientHeight)
    box.scrollTop = y + height - box.clientHeight;
}

/** How many rows a page key moves by. */
export function rowsOfPage(boxHeight: number, rowHeight: number): number {
  return Math.max(1, Math.floor(boxHeight / rowHeight) - 1);
}

/** What the keys do that move through a list of rows. */
export function listMoves(
  {at, count, page}: {readonly at: number; readonly count: number; readonly page: number},
  go: (index: number) => void,
): Record<string, () => void> {
  return {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    PageDown: () => go(at + page),
    PageUp: () => go(at - page),
    Home: () => go(0),
    End: () => go(count - 1),
  };
}

/** Where the grid is: the cell of the tab stop, and its size. */
export interface GridPlace {
  readonly at: number;
  readonly count: number;
  readonly columns: number;
  /** Rows that a page has. */
  readonly page: number;
}

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>;

/** The cell that a key leads to; undefined for a key that does not move. */
export function targetOf({key, ctrlKey, metaKey}: Keys, place: GridPlace): number | undefined {
  const {at, count, columns, page} = place;
  const start = at - (at % columns);
  const isWhole = ctrlKey || metaKey;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    // Up and down stay in their column.
    ArrowUp: at < columns ? at : at - columns,
    ArrowDown: at + columns < count ? at + columns : at,
    Home: isWhole ? 0 : start,
    End: isWhole ? count - 1 : start + columns - 1,
    PageUp: at - page * columns,
    PageDown: at + page * columns,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}
