import type {Field} from '../model/field.js';
import {oneLine, shownAs} from '../model/shown.js';

/** By id, the ids of the children; those at the top are the children of -1. */
export type Family = ReadonlyMap<number, {readonly children: number[]}>;

const DIFFERENCES: Readonly<Record<string, string>> = {
  '=': ', the same',
  '~': ', changed',
  '<': ', only in the first',
  '>': ', only in the second',
};

/** Characters of a value, which is one line; the strip has more. */
const MOST_SHOWN = 400;

interface RowProps {
  readonly field: Field;
  readonly index: number;
  readonly reveal: boolean;
  readonly isSelected: boolean;
  /** Whether it has a place of its own: bits and what is inside a plaintext have none. */
  readonly isPlaced: boolean;
  readonly isStop: boolean;
  readonly family: Family;
  readonly folded: ReadonlySet<number>;
  readonly fold: (ids: readonly number[], to: boolean) => void;
  readonly go: (index: number) => void;
}

/** One row of the tree: offset, mark, name, value and meaning, check. */
export function FieldRow({
  field,
  index,
  reveal,
  isSelected,
  isPlaced,
  isStop,
  family,
  folded,
  fold,
  go,
}: RowProps) {
  const {id, parent, level, offset, length, kind, check, isSet} = field;
  const siblings = family.get(parent)?.children ?? [];
  const children = family.get(id)?.children ?? [];
  const isOpen = !folded.has(id);
  const name = oneLine(shownAs(field.name, reveal));
  const value = oneLine(shownAs(field.value, reveal).slice(0, MOST_SHOWN));
  const meaning = oneLine(shownAs(field.meaning, reveal));
  const isBit = kind === 'bit';
  const expanded = children.length > 0 ? {'aria-expanded': isOpen} : {};
  const label = isBit
    ? `${name}, ${isSet === undefined ? '' : isSet ? 'set, ' : 'not set, '}${meaning}`
    : `${name}, offset ${offset}, ${length} ${length === 1 ? 'byte' : 'bytes'}, ${value} ${meaning}`;
  return (
    <div
      class={`item l${Math.min(level, 5)}${isSet === false ? ' clear' : ''}`}
      role="treeitem"
      aria-level={level}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(id) + 1}
      aria-selected={isSelected}
      {...expanded}
      tabIndex={isStop ? 0 : -1}
      data-field={id}
      onClick={() => go(index)}
      onDblClick={() => fold([id], isOpen)}
    >
      <span class="said">{`${label}${check ? `, ${check.text}` : ''}${DIFFERENCES[field.difference ?? ''] ?? ''}`}</span>
      <span class="at" aria-hidden="true">
        {isPlaced ? offset : ''}
      </span>
      {field.difference ? (
        <span aria-hidden="true" class={`mono ${field.difference === '=' ? 'quiet' : 'diff'}`}>
          {field.difference}
        </span>
      ) : (
        <span
          aria-hidden="true"
          class={`mark m-${check?.ok === false ? 'failed' : isBit ? '' : kind}`}
        />
      )}
      <span class="name" aria-hidden="true">
        {children.length > 0 && (
          <span
            class="fold"
            aria-hidden="true"
            onClick={(event) => {
              event.stopPropagation();
              fold([id], isOpen);
            }}
          >
            {isOpen ? '▾' : '▸'}
          </span>
        )}
        {name}
      </span>
      <span class="what" aria-hidden="true">
        {value !== '' && <span class={`mono v-${kind}`}>{value}</span>}
        <span class={isSet ? '' : 'quiet'}>{meaning}</span>
      </span>
      <span aria-hidden="true" class={check?.ok === false ? 'bad' : 'ok'}>
        {check && (check.ok ? '✓' : '✗')}
      </span>
    </div>
  );
}
