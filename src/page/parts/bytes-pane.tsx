import type {ComponentChildren, RefObject} from 'preact';
import {useLayoutEffect, useRef, useState} from 'preact/hooks';
import {useNarrow} from '../hooks/use-narrow.js';
import type {Exploration} from '../model/explore.js';
import {ByteGrid, type GridEvents, type Marked} from './byte-grid.js';
import {PLAIN_TEXT} from './form-fields.js';

interface BytesProps {
  readonly exploration: Exploration;
  readonly reveal: boolean;
  /** For each cell, 1 where another read has another. */
  readonly differing?: Uint8Array | undefined;
  readonly marked: Marked;
  readonly events: Omit<GridEvents, 'ask'>;
  /** Set to what outlines a range in the grid: the pointer moves too often for a component. */
  readonly outline: RefObject<ByteGrid['hover'] | null>;
  /** Counts up when the grid is to take the focus. */
  readonly wanted: number;
  readonly children?: ComponentChildren;
}

/** The pane with the grid of bytes. */
export function BytesPane(props: BytesProps) {
  const {exploration, reveal, differing, marked, events, outline, wanted, children} = props;
  const scroll = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const grid = useRef<ByteGrid | undefined>(undefined);
  const columns = useNarrow() ? 8 : 16;
  const [isAsked, setAsked] = useState(false);
  useLayoutEffect(() => {
    if (scroll.current && inner.current) grid.current = new ByteGrid(scroll.current, inner.current);
    outline.current = (range) => grid.current?.hover(range);
    return () => grid.current?.dispose();
  }, []);
  useLayoutEffect(() => {
    if (grid.current) grid.current.events = {...events, ask: () => setAsked(true)};
  });
  useLayoutEffect(
    () => grid.current?.show({exploration, reveal, columns, differing}),
    [exploration, reveal, columns, differing],
  );
  useLayoutEffect(() => grid.current?.mark(marked, true), [marked, exploration]);
  useLayoutEffect(() => {
    if (wanted > 0) grid.current?.focus(Math.max(0, marked.cursor));
  }, [wanted]);
  const close = () => {
    setAsked(false);
    grid.current?.focus(Math.max(0, marked.cursor));
  };
  const go = (cell: number) => {
    setAsked(false);
    events.select(cell);
    grid.current?.focus(cell);
  };
  const count = exploration.cells.length;
  return (
    <section class="pane bytes">
      <header>
        <h2>Bytes</h2>
        <span class="quiet">{count.toLocaleString('en')}</span>
        {isAsked ? <GoTo {...{count, go, close}} /> : children}
      </header>
      <div class="scroll" ref={scroll}>
        <div class="grid" role="grid" aria-label="Bytes" ref={inner} />
      </div>
    </section>
  );
}

interface GoToProps {
  readonly count: number;
  readonly go: (cell: number) => void;
  readonly close: () => void;
}

/** Asks for an offset, in place of the other actions. */
function GoTo({count, go, close}: GoToProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isWrong, setWrong] = useState(false);
  // Before painting, so that immediate typing goes into the field.
  useLayoutEffect(() => field.current?.focus(), []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return close();
    if (event.key !== 'Enter') return;
    const cell = offsetOf(field.current?.value ?? '');
    if (cell !== undefined && cell < count) go(cell);
    else setWrong(true);
  };
  return (
    <label class="goto">
      Go to offset
      <input
        ref={field}
        type="text"
        class="field mono"
        {...PLAIN_TEXT}
        placeholder="189 or 0xBD"
        aria-invalid={isWrong}
        aria-describedby="goto-range"
        onKeyDown={onKey}
        onInput={() => setWrong(false)}
      />
      <span id="goto-range" class={isWrong ? 'bad' : 'quiet'}>
        0 to {count - 1}
      </span>
    </label>
  );
}

/**
 * The typed offset: decimal, or in hex with 0x, an h or a letter A to F. Undefined if it is not an
 * offset.
 */
function offsetOf(typed: string): number | undefined {
  const text = typed.trim().toLowerCase();
  if (/^\d+$/.test(text)) return Number(text);
  const [, digits] = /^(?:0x)?([\da-f]+)h?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
