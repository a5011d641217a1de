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
  const {at, count} = place;
  const target = moved(key, ctrlKey || metaKey, place);
  if (target === undefined) return undefined;
  // Up and down stay in their column.
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown';
  if (isVertical && (target < 0 || target >= count)) return at;
  return Math.max(0, Math.min(count - 1, target));
}

function moved(
  key: string,
  isWhole: boolean,
  {at, count, columns, page}: GridPlace,
): number | undefined {
  const start = at - (at % columns);
  switch (key) {
    case 'ArrowLeft':
      return at - 1;
    case 'ArrowRight':
      return at + 1;
    case 'ArrowUp':
      return at - columns;
    case 'ArrowDown':
      return at + columns;
    case 'Home':
      return isWhole ? 0 : start;
    case 'End':
      return isWhole ? count - 1 : start + columns - 1;
    case 'PageUp':
      return at - page * columns;
    case 'PageDown':
      return at + page * columns;
    default:
      return undefined;
  }
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
