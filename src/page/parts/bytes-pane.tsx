import type {ComponentChildren} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import type {Exploration} from '../model/explore.js';
import {ByteGrid, type GridEvents, type Marked} from './byte-grid.js';

interface BytesProps {
  readonly exploration: Exploration;
  readonly reveal: boolean;
  readonly marked: Marked;
  readonly hovered: readonly [number, number];
  readonly events: GridEvents;
  /** Counts up when the grid is to take the focus. */
  readonly wanted: number;
  readonly children?: ComponentChildren;
}

const NARROW = '(max-width: 719px)';

/** The pane with the grid of bytes. */
export function BytesPane({
  exploration,
  reveal,
  marked,
  hovered,
  events,
  wanted,
  children,
}: BytesProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const grid = useRef<ByteGrid | undefined>(undefined);
  const latest = useRef(events);
  latest.current = events;
  const columns = useNarrow() ? 8 : 16;
  useLayoutEffect(() => {
    if (!scroll.current || !inner.current) return;
    grid.current = new ByteGrid(scroll.current, inner.current, {
      select: (cell, anchor) => latest.current.select(cell, anchor),
      hover: (cell) => latest.current.hover(cell),
      enter: (cell) => latest.current.enter(cell),
      leave: () => latest.current.leave(),
      step: (cell, by) => latest.current.step(cell, by),
      copied: (what) => latest.current.copied(what),
    });
  }, []);
  useLayoutEffect(
    () => grid.current?.show({exploration, reveal, columns}),
    [exploration, reveal, columns],
  );
  useLayoutEffect(() => grid.current?.mark(marked, true), [marked, exploration]);
  useLayoutEffect(() => grid.current?.hover(...hovered), [hovered]);
  useLayoutEffect(() => {
    if (wanted > 0) grid.current?.focus(Math.max(0, marked.cursor));
  }, [wanted]);
  return (
    <section class="pane bytes">
      <header>
        <h2>Bytes</h2>
        <span class="quiet">{exploration.cells.length.toLocaleString('en')}</span>
        {children}
      </header>
      <div class="scroll" ref={scroll}>
        <div class="grid" role="grid" aria-label="Bytes" ref={inner} />
      </div>
    </section>
  );
}

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const listen = () => setNarrow(query.matches);
    query.addEventListener('change', listen);
    return () => query.removeEventListener('change', listen);
  }, []);
  return isNarrow;
}
