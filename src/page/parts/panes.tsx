import type {ComponentChildren, RefObject} from 'preact';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {useLater} from '../hooks/use-later.js';
import {useNarrow} from '../hooks/use-narrow.js';
import type {Exploration} from '../model/explore.js';
import type {Field} from '../model/field.js';
import type {ByteGrid, Marked} from './byte-grid.js';
import {BytesPane} from './bytes-pane.js';
import {FieldTree} from './field-tree.js';
import {Button} from './form-fields.js';
import {Strip} from './strip.js';

interface PanesProps {
  readonly exploration: Exploration;
  readonly reveal: boolean;
  /** For each cell, 1 where another read has another. */
  readonly differing?: Uint8Array | undefined;
  /** Beside another read: one pane at a time, as on a phone. */
  readonly isSide?: boolean;
  /** Shown at the right end of the heading of the bytes. */
  readonly actions?: ComponentChildren;
}

type Tab = 'bytes' | 'fields';

/** Cells of a payload whose bytes and fields are drawn in one task. */
const MAX_CELLS_AT_ONCE = 4096;
const NO_FIELDS: readonly Field[] = [];
const NO_SELECTION = {field: -1, cursor: -1};

/** Bytes and fields: one selection, seen in both. */
export function Panes({exploration, reveal, differing, isSide, actions}: PanesProps) {
  const {fields} = exploration;
  const isTabbed = useNarrow() || isSide === true;
  const treed = useLater(fields, exploration.cells.length < MAX_CELLS_AT_ONCE);
  const [tab, setTab] = useState<Tab>('bytes');
  const [copied, setCopied] = useState('');
  const panes = useRef<HTMLDivElement>(null);
  const places = placesIn(exploration);
  const {outline, point} = useOutline(places, panes);
  const selection = useSelection(exploration, places, point);
  const {field, marked, wanted, selected, select, focusCell} = selection;
  const events = {
    ...selection.events,
    hover: (cell: number) => point(cell < 0 ? -1 : places.fieldAt(cell)),
    enter: (cell: number) => {
      setTab('fields');
      const id = places.fieldAt(cell);
      select(id, cell);
      setTimeout(() => panes.current?.querySelector<HTMLElement>(`[data-field="${id}"]`)?.focus());
    },
    copied: (what: string) => setCopied(`Copied as ${what}, as it is seen.`),
  };
  return (
    <>
      {isTabbed && <Tabs {...{tab, setTab}} />}
      <div
        class={`panes${field ? ' selected' : ''}`}
        data-tab={isTabbed ? tab : undefined}
        ref={panes}
      >
        <BytesPane {...{exploration, reveal, differing, marked, outline, events, wanted}}>
          {actions}
        </BytesPane>
        <section class="pane fields">
          <FieldsHeading {...{exploration}} />
          <FieldTree
            fields={treed ?? NO_FIELDS}
            reveal={reveal}
            selected={selected.field}
            onSelect={(id) => select(id, -1)}
            onHover={point}
            onEnter={(id) => {
              setTab('bytes');
              focusCell(id, fields[id]?.offset ?? 0);
            }}
          />
        </section>
        {field && <Strip {...{exploration, fields, reveal, field}} cursor={selected.cursor} />}
      </div>
      <p class="said" aria-live="polite">
        {copied}
      </p>
    </>
  );
}

/** Where fields and cells are. */
interface Places {
  readonly fields: readonly Field[];
  readonly fieldAt: (cell: number) => number;
  readonly rangeOf: (field: number) => readonly [from: number, to: number];
}

function placesIn({fields, fieldOf}: Pick<Exploration, 'fields' | 'fieldOf'>): Places {
  return {
    fields,
    fieldAt: (cell) => (fieldOf[cell] ?? 0) - 1,
    rangeOf: (id) => [fields[id]?.offset ?? 0, fields[id]?.end ?? 0],
  };
}

/** Outlines a field in both panes without a component, because the pointer moves often. */
function useOutline({rangeOf}: Places, panes: RefObject<HTMLDivElement | null>) {
  const outline = useRef<ByteGrid['hover'] | null>(null);
  const pointed = useRef(-1);
  const point = (id: number) => {
    if (pointed.current === id) return;
    pointed.current = id;
    outline.current?.(rangeOf(id));
    panes.current?.querySelector('.item.hover')?.classList.remove('hover');
    panes.current?.querySelector(`[data-field="${id}"]`)?.classList.add('hover');
  };
  return {outline, point};
}

/** The selected field and cell; `wanted` counts up when the grid is to take the focus. */
function useSelection(
  {cells}: Exploration,
  {fields, fieldAt, rangeOf}: Places,
  point: (field: number) => void,
) {
  const [selected, setSelected] = useState(NO_SELECTION);
  const [wanted, setWanted] = useState(0);
  useEffect(() => {
    setSelected(NO_SELECTION);
    point(-1);
  }, [cells, fields]);
  const field = fields[selected.field];
  const marked = useMemo<Marked>(
    () => ({from: field?.offset ?? 0, to: field?.end ?? 0, cursor: selected.cursor}),
    [field, selected.cursor],
  );
  const select = (id: number, cursor: number) => setSelected({field: id, cursor});
  const focusCell = (id: number, cursor: number) => {
    select(id, cursor);
    setWanted((count) => count + 1);
  };
  const events = {
    select: (cell: number) => select(fieldAt(cell), cell),
    leave: () => setSelected(NO_SELECTION),
    step: (cell: number, by: 1 | -1) => {
      const here = rangeOf(fieldAt(cell));
      const next = by === 1 ? here[1] : rangeOf(fieldAt(here[0] - 1))[0];
      if (next >= 0 && next < cells.length) focusCell(fieldAt(next), next);
    },
  };
  return {field, marked, wanted, selected, select, focusCell, events};
}

function Tabs({tab, setTab}: {readonly tab: Tab; readonly setTab: (tab: Tab) => void}) {
  return (
    <div class="tabs" role="tablist" aria-label="Panes">
      {(['bytes', 'fields'] as const).map((name) => (
        <Button key={name} role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
          {name === 'bytes' ? 'Bytes' : 'Fields'}
        </Button>
      ))}
    </div>
  );
}

function FieldsHeading({exploration}: Pick<PanesProps, 'exploration'>) {
  const {inspection, cells, stop} = exploration;
  const form = [inspection.deviceType, inspection.form].filter(Boolean).join(': ');
  return (
    <header>
      <h2>Fields</h2>
      {form !== '' && <span class="quiet">{form}</span>}
      {stop !== undefined && (
        <span class="quiet">
          Parsing stopped at {inspection.unit} {stop}: {cells.length - stop} {inspection.unit}s not
          parsed.
        </span>
      )}
    </header>
  );
}
