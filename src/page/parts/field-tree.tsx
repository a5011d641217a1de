import {options, type RefObject} from 'preact';
import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {useWindowEvents} from '../hooks/use-window-events.js';
import type {Field} from '../model/field.js';
import {type Family, FieldRow} from './field-row.js';
import {listMoves, rowsOfPage, scrollToRow} from './row-list.js';

interface TreeProps {
  readonly fields: readonly Field[];
  readonly reveal: boolean;
  readonly selected: number;
  readonly onSelect: (field: number) => void;
  readonly onHover: (field: number) => void;
  readonly onEnter: (field: number) => void;
}

const ROW_HEIGHT = 24;
/** Longer trees have only the rows in the document that can be seen. */
const MAX_WHOLE_ROWS = 500;
const ROWS_BEYOND = 30;

/** The tree of fields: one row each, folded by the keyboard and the arrow. */
export function FieldTree(props: TreeProps) {
  const {fields, reveal, selected} = props;
  const scroll = useRef<HTMLDivElement>(null);
  const folding = useFolding(fields);
  const {shown, family, folded, fold} = folding;
  const {at, go} = useSelectedRow(props, shown, scroll);
  const {inner, first, last, onScroll} = useSeenRows(shown.length, scroll);
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = rowsOfPage(scroll.current?.clientHeight ?? 0, ROW_HEIGHT);
    const moves = {
      ...listMoves({at, count: shown.length, page}, go),
      ...foldMoves(folding, at, go, props.onEnter),
    };
    const isLetter = event.key.length === 1;
    const move =
      moves[event.key] ?? (isLetter ? () => typeAhead(shown, at, event.key, go) : undefined);
    if (!move || !shown[at]) return;
    event.preventDefault();
    move();
  };
  const rowProps = {reveal, family, folded, fold, go};
  return (
    <div class="scroll" ref={scroll} onScroll={onScroll}>
      <div
        class="tree"
        role="tree"
        aria-label="Fields"
        ref={inner}
        onKeyDown={onKey}
        onPointerOver={(event) => props.onHover(fieldAt(event.target))}
        onPointerLeave={() => props.onHover(-1)}
      >
        {shown.slice(first, last).map((field, i) => (
          <FieldRow
            key={field.id}
            {...{field, ...rowProps}}
            index={first + i}
            isSelected={field.id === selected}
            isPlaced={field.kind !== 'bit' && field.offset !== fields[field.parent]?.offset}
            isStop={first + i === at}
          />
        ))}
      </div>
    </div>
  );
}

interface Folding {
  /** The fields that are not inside of a folded one. */
  readonly shown: readonly Field[];
  readonly family: Family;
  readonly folded: ReadonlySet<number>;
  readonly fold: (ids: readonly number[], to: boolean) => void;
}

function useFolding(fields: readonly Field[]): Folding {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const family = useMemo(() => familyOf(fields), [fields]);
  useLayoutEffect(() => setFolded(usuallyFolded(fields, family)), [fields, family]);
  const shown = useMemo(() => shownFields(fields, folded), [fields, folded]);
  const fold = (ids: readonly number[], to: boolean) =>
    setFolded((before) => {
      const after = new Set(before);
      for (const id of ids) to ? after.add(id) : after.delete(id);
      return after;
    });
  return {shown, family, folded, fold};
}

/** The row with the tab stop, and how another one is selected; the selected row is in view. */
function useSelectedRow(
  {selected, onSelect}: TreeProps,
  shown: readonly Field[],
  scroll: RefObject<HTMLDivElement | null>,
) {
  const isFocusWanted = useRef(false);
  const at = shown.findIndex(({id}) => id === selected);
  useLayoutEffect(() => {
    const box = scroll.current;
    if (!box || at < 0) return;
    scrollToRow(box, at * ROW_HEIGHT, ROW_HEIGHT);
    if (isFocusWanted.current) {
      box.querySelector<HTMLElement>(`[data-field="${selected}"]`)?.focus({preventScroll: true});
    }
    isFocusWanted.current = false;
  }, [selected, shown]);
  const go = (index: number) => {
    const field = shown[Math.max(0, Math.min(shown.length - 1, index))];
    if (!field) return;
    isFocusWanted.current = true;
    onSelect(field.id);
  };
  return {at: Math.max(0, at), go};
}

/** Which rows are in the document: all of a short tree and on paper, else those near the view. */
function useSeenRows(count: number, scroll: RefObject<HTMLDivElement | null>) {
  const [top, setTop] = useState(0);
  const inner = useRef<HTMLDivElement>(null);
  const isWhole = usePrinting() || count <= MAX_WHOLE_ROWS;
  const bottom = top + (scroll.current?.clientHeight ?? 800);
  const first = isWhole ? 0 : Math.max(0, Math.floor(top / ROW_HEIGHT) - ROWS_BEYOND);
  const last = isWhole ? count : Math.ceil(bottom / ROW_HEIGHT) + ROWS_BEYOND;
  useLayoutEffect(() => {
    const {style} = inner.current as HTMLElement;
    style.setProperty('padding-top', `${first * ROW_HEIGHT}px`);
    style.setProperty('padding-bottom', `${Math.max(0, count - last) * ROW_HEIGHT + 8}px`);
  });
  const onScroll = ({currentTarget}: {readonly currentTarget: HTMLElement}) =>
    setTop(currentTarget.scrollTop);
  return {inner, first, last, onScroll: isWhole ? undefined : onScroll};
}

/** What the keys do that fold, unfold or leave the field in row `at`. */
function foldMoves(
  {shown, family, folded, fold}: Folding,
  at: number,
  go: (index: number) => void,
  enter: (field: number) => void,
): Record<string, () => void> {
  const {id = -1, parent = -1} = shown[at] ?? {};
  const childrenOf = (field: number) => family.get(field)?.children ?? [];
  const isOpen = childrenOf(id).length > 0 && !folded.has(id);
  return {
    Enter: () => enter(id),
    '*': () => fold(childrenOf(parent), false),
    ArrowRight: () => (isOpen ? go(at + 1) : fold([id], false)),
    ArrowLeft: () => {
      if (isOpen) fold([id], true);
      else if (parent >= 0) go(shown.findIndex((field) => field.id === parent));
    },
  };
}

/** Goes to the next row whose name begins with a letter. */
function typeAhead(
  shown: readonly Field[],
  at: number,
  letter: string,
  go: (index: number) => void,
): void {
  const isNamed = ({name}: Field) => name.masked.toLowerCase().startsWith(letter.toLowerCase());
  const next = shown.findIndex((field, i) => i > at && isNamed(field));
  const found = next < 0 ? shown.findIndex(isNamed) : next;
  if (found >= 0) go(found);
}

function familyOf(fields: readonly Field[]): Family {
  const family = new Map<number, {children: number[]}>([[-1, {children: []}]]);
  for (const {id, parent} of fields) {
    family.set(id, {children: []});
    family.get(parent)?.children.push(id);
  }
  return family;
}

/** Bits and the parts of a KSN start folded: the line of their field sums them up. */
function usuallyFolded(fields: readonly Field[], family: Family): ReadonlySet<number> {
  const isDetail = (id: number) => fields[id]?.kind === 'bit' || fields[id]?.kind === 'key';
  const folded = [...family].filter(
    ([id, {children}]) => id >= 0 && children.length > 0 && children.every(isDetail),
  );
  return new Set(folded.map(([id]) => id));
}

function shownFields(fields: readonly Field[], folded: ReadonlySet<number>): Field[] {
  const hidden = new Set<number>();
  return fields.filter(({id, parent}) => {
    if (hidden.has(parent) || folded.has(parent)) hidden.add(id);
    return !hidden.has(id);
  });
}

function fieldAt(target: EventTarget | null): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-field]') : null;
  return row ? Number(row.dataset.field) : -1;
}

/** Whether the page is being printed: on paper every row is seen. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useWindowEvents({
    beforeprint: () => renderNow(() => setPrinting(true)),
    afterprint: () => setPrinting(false),
  });
  return isPrinting;
}

/** The browser prints when the listeners return, not when the next frame is drawn. */
function renderNow(change: () => void): void {
  const {debounceRendering} = options;
  options.debounceRendering = (render) => render();
  change();
  if (debounceRendering) options.debounceRendering = debounceRendering;
  else delete options.debounceRendering;
}
