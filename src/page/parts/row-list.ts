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
