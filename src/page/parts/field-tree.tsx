import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {Field} from '../model/field.js';
import {type Family, FieldRow} from './field-row.js';
import {usePrinting} from './use-printing.js';

interface TreeProps {
  readonly fields: readonly Field[];
  readonly reveal: boolean;
  readonly selected: number;
  readonly onSelect: (field: number) => void;
  readonly onHover: (field: number) => void;
  readonly onEnter: (field: number) => void;
}

const ROW = 24;
/** Longer trees have only the rows in the document that can be seen. */
const WHOLE = 500;
const BEYOND = 30;

/** The tree of fields: one row each, folded by the keyboard and the arrow. */
export function FieldTree(props: TreeProps) {
  const {fields, reveal, selected} = props;
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [top, setTop] = useState(0);
  const scroll = useRef<HTMLDivElement>(null);
  const wanted = useRef(false);
  const family = useMemo(() => familyOf(fields), [fields]);
  useLayoutEffect(() => setFolded(usuallyFolded(fields, family)), [fields, family]);
  const shown = useMemo(() => shownFields(fields, folded), [fields, folded]);
  const at = Math.max(
    0,
    shown.findIndex(({id}) => id === selected),
  );

  useLayoutEffect(() => {
    const box = scroll.current;
    const index = shown.findIndex(({id}) => id === selected);
    if (!box || index < 0) return;
    const y = index * ROW;
    if (y < box.scrollTop) box.scrollTop = y;
    else if (y + ROW > box.scrollTop + box.clientHeight) box.scrollTop = y + ROW - box.clientHeight;
    if (wanted.current) {
      box.querySelector<HTMLElement>(`[data-field="${selected}"]`)?.focus({preventScroll: true});
    }
    wanted.current = false;
  }, [selected, shown]);

  const fold = (ids: readonly number[], to: boolean) =>
    setFolded((before) => {
      const after = new Set(before);
      for (const id of ids) to ? after.add(id) : after.delete(id);
      return after;
    });
  const go = (index: number) => {
    const field = shown[Math.max(0, Math.min(shown.length - 1, index))];
    if (!field) return;
    wanted.current = true;
    props.onSelect(field.id);
  };
  const onKey = (event: KeyboardEvent) => {
    const field = shown[at];
    if (!field || event.altKey || event.ctrlKey || event.metaKey) return;
    const children = family.get(field.id)?.children ?? [];
    const isOpen = children.length > 0 && !folded.has(field.id);
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / ROW) - 1);
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      PageDown: () => go(at + page),
      PageUp: () => go(at - page),
      Home: () => go(0),
      End: () => go(shown.length - 1),
      Enter: () => props.onEnter(field.id),
      '*': () => fold(family.get(field.parent)?.children ?? [], false),
      ArrowRight: () => (isOpen ? go(at + 1) : fold([field.id], false)),
      ArrowLeft: () => {
        if (isOpen) fold([field.id], true);
        else if (field.parent >= 0) go(shown.findIndex(({id}) => id === field.parent));
      },
    };
    const move =
      moves[event.key] ?? (event.key.length === 1 ? () => typeAhead(event.key) : undefined);
    if (!move) return;
    event.preventDefault();
    move();
  };
  const typeAhead = (letter: string) => {
    const behind = [...shown.slice(at + 1), ...shown.slice(0, at + 1)];
    const found = behind.find(({name}) =>
      name.masked.toLowerCase().startsWith(letter.toLowerCase()),
    );
    if (found) go(shown.indexOf(found));
  };

  const isWhole = usePrinting() || shown.length <= WHOLE;
  const first = isWhole ? 0 : Math.max(0, Math.floor(top / ROW) - BEYOND);
  const height = scroll.current?.clientHeight ?? 800;
  const last = isWhole ? shown.length : Math.ceil((top + height) / ROW) + BEYOND;
  const inner = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const {style} = inner.current as HTMLElement;
    style.setProperty('padding-top', `${first * ROW}px`);
    style.setProperty('padding-bottom', `${Math.max(0, shown.length - last) * ROW + 8}px`);
  });
  const rowProps = {reveal, family, folded, fold, go};
  return (
    <div
      class="scroll"
      ref={scroll}
      onScroll={isWhole ? undefined : (event) => setTop(event.currentTarget.scrollTop)}
    >
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

function familyOf(fields: readonly Field[]): Family {
  const family = new Map<number, {children: number[]}>([[-1, {children: []}]]);
  for (const {id, parent} of fields) {
    family.set(id, {children: []});
    family.get(parent)?.children.push(id);
  }
  return family;
}

/** Bits and the parts of a KSN are unfolded when asked for: their field says them in a line. */
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
