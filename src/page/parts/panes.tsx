import type {ComponentChildren} from 'preact';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {Comparison} from '../model/compare.js';
import type {Exploration} from '../model/explore.js';
import type {Field} from '../model/field.js';
import type {ByteGrid, Marked} from './byte-grid.js';
import {BytesPane} from './bytes-pane.js';
import {FieldTree} from './field-tree.js';
import {Strip} from './strip.js';
import {useLater} from './use-later.js';

interface PanesProps {
  readonly exploration: Exploration;
  readonly reveal: boolean;
  /** Compared with another payload: the tree of both. */
  readonly comparison?: Comparison | undefined;
  /** What stands at the right end of the heading of the bytes. */
  readonly actions?: ComponentChildren;
}

interface Selection {
  readonly field: number;
  readonly cursor: number;
}

/** Cells of a payload whose bytes and fields are drawn in one task. */
const MOST_AT_ONCE = 4096;
const NO_FIELDS: readonly Field[] = [];
const NONE: Selection = {field: -1, cursor: -1};

/** Bytes and fields: one selection, seen in both. */
export function Panes({exploration, reveal, comparison, actions}: PanesProps) {
  const {fieldOf, cells, inspection} = exploration;
  const fields = comparison?.fields ?? exploration.fields;
  const treed = useLater(fields, cells.length < MOST_AT_ONCE);
  const [selection, setSelection] = useState(NONE);
  const [tab, setTab] = useState<'bytes' | 'fields'>('bytes');
  const [wanted, setWanted] = useState(0);
  const [said, setSaid] = useState('');
  useEffect(() => {
    setSelection(NONE);
    point(-1);
  }, [cells, fields]);
  const field = fields[selection.field];
  const marked = useMemo<Marked>(
    () => ({from: field?.offset ?? 0, to: field?.end ?? 0, cursor: selection.cursor}),
    [field, selection.cursor],
  );
  const fieldAt = (cell: number) => {
    const own = (fieldOf[cell] ?? 0) - 1;
    if (!comparison || own < 0) return own;
    const {offset, level} = exploration.fields[own] as Field;
    return fields.findIndex((field) => field.offset === offset && field.level === level);
  };
  const rangeOf = (id: number): readonly [number, number] => {
    const one = fields[id];
    return one ? [one.offset, one.end] : [0, 0];
  };
  const outline = useRef<ByteGrid['hover'] | null>(null);
  const pointed = useRef(-1);
  const panes = useRef<HTMLDivElement>(null);
  /** Outlines a field in both panes, without a component: the pointer moves often. */
  const point = (id: number) => {
    if (pointed.current === id) return;
    pointed.current = id;
    outline.current?.(rangeOf(id));
    panes.current?.querySelector('.item.hover')?.classList.remove('hover');
    panes.current?.querySelector(`[data-field="${id}"]`)?.classList.add('hover');
  };
  const select = (id: number) => setSelection({field: id, cursor: -1});
  const events = {
    select: (cell: number) => setSelection({field: fieldAt(cell), cursor: cell}),
    hover: (cell: number) => point(cell < 0 ? -1 : fieldAt(cell)),
    enter: (cell: number) => {
      setTab('fields');
      const id = fieldAt(cell);
      setSelection({field: id, cursor: cell});
      setTimeout(() => document.querySelector<HTMLElement>(`[data-field="${id}"]`)?.focus());
    },
    leave: () => setSelection(NONE),
    step: (cell: number, by: 1 | -1) => {
      const here = rangeOf(fieldAt(cell));
      const next = by === 1 ? here[1] : (rangeOf(fieldAt(here[0] - 1))[0] ?? 0);
      if (next < 0 || next >= cells.length) return;
      setSelection({field: fieldAt(next), cursor: next});
      setWanted((count) => count + 1);
    },
    copied: (what: string) => setSaid(`Copied as ${what}, as it is seen.`),
  };
  const form = [inspection.deviceType, inspection.form].filter(Boolean).join(': ');
  const heading = comparison ? countsOf(comparison) : form;
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Panes">
        {(['bytes', 'fields'] as const).map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            onClick={() => setTab(name)}
          >
            {name === 'bytes' ? 'Bytes' : 'Fields'}
          </button>
        ))}
      </div>
      <div class={`panes${field ? ' selected' : ''}`} data-tab={tab} ref={panes}>
        <BytesPane {...{exploration, reveal, marked, outline, events, wanted}}>{actions}</BytesPane>
        <section class="pane fields">
          <header>
            <h2>Fields</h2>
            {heading !== '' && <span class="quiet">{heading}</span>}
            {exploration.stop !== undefined && (
              <span class="quiet">
                Parsing stopped here: {cells.length - exploration.stop} {inspection.unit}s not
                parsed.
              </span>
            )}
          </header>
          <FieldTree
            fields={treed ?? NO_FIELDS}
            reveal={reveal}
            selected={selection.field}
            onSelect={select}
            onHover={point}
            onEnter={(id) => {
              setTab('bytes');
              setSelection({field: id, cursor: fields[id]?.offset ?? 0});
              setWanted((count) => count + 1);
            }}
          />
        </section>
        {field && <Strip {...{exploration, fields, reveal, field}} cursor={selection.cursor} />}
      </div>
      <p class="said" aria-live="polite">
        {said}
      </p>
    </>
  );
}

function countsOf({counts}: Comparison): string {
  const {'=': same, '~': changed, '<': first, '>': second} = counts;
  return `${same} the same, ${changed} changed, ${first} only in the first, ${second} only in the second`;
}
