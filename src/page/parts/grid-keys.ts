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

/**
 * The typed offset: decimal, or in hex with 0x, an h or a letter A to F. Undefined if it is not an
 * offset.
 */
export function offsetOf(typed: string): number | undefined {
  const text = typed.trim().toLowerCase();
  if (/^\d+$/.test(text)) return Number(text);
  const [, digits] = /^(?:0x)?([\da-f]+)h?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
