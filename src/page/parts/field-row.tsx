import {nounFor} from '../../contract/found-hex.js';
import type {Field} from '../model/field.js';
import {oneLine, shownAs} from '../model/shown.js';

/** By id, the ids of the children; those at the top are the children of -1. */
export type Family = ReadonlyMap<number, {readonly children: number[]}>;

/** Characters of a value, which is one line; the strip has more. */
const MAX_LINE_CHARS = 400;

interface FieldRowProps {
  readonly field: Field;
  readonly index: number;
  readonly reveal: boolean;
  readonly isSelected: boolean;
  /** Whether its offset is shown; bits and the parts of a plaintext have none. */
  readonly isPlaced: boolean;
  readonly isStop: boolean;
  readonly family: Family;
  readonly folded: ReadonlySet<number>;
  readonly fold: (ids: readonly number[], to: boolean) => void;
  readonly go: (index: number) => void;
}

/** One row of the tree: offset, mark, name, value and meaning, check. */
export function FieldRow(props: FieldRowProps) {
  const {field, index, reveal, isSelected, isPlaced, isStop, family, folded, fold, go} = props;
  const {id, parent, level, offset, check, isSet} = field;
  const siblings = family.get(parent)?.children ?? [];
  const isParent = (family.get(id)?.children ?? []).length > 0;
  const isOpen = !folded.has(id);
  const isFailed = check?.ok === false;
  const texts = {
    name: oneLine(shownAs(field.name, reveal)),
    value: oneLine(shownAs(field.value, reveal).slice(0, MAX_LINE_CHARS)),
    meaning: oneLine(shownAs(field.meaning, reveal)),
  };
  return (
    <div
      class={isSet === false ? 'item quiet' : 'item'}
      style={{'--level': Math.min(level, 5)}}
      role="treeitem"
      aria-level={level}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(id) + 1}
      aria-selected={isSelected}
      {...(isParent ? {'aria-expanded': isOpen} : {})}
      tabIndex={isStop ? 0 : -1}
      data-field={id}
      onClick={() => go(index)}
      onDblClick={() => fold([id], isOpen)}
    >
      <span class="said">{labelOf(field, texts)}</span>
      <span class="at" aria-hidden="true">
        {isPlaced ? offset : ''}
      </span>
      <span aria-hidden="true" class={`mark m-${isFailed ? 'failed' : field.kind}`} />
      <span class="name" aria-hidden="true">
        {isParent && (
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
        {texts.name}
      </span>
      <span class="what" aria-hidden="true">
        {texts.value !== '' && <span class={`mono v-${field.kind}`}>{texts.value}</span>}
        <span class={isSet ? '' : 'quiet'}>{texts.meaning}</span>
      </span>
      <span aria-hidden="true" class={isFailed ? 'bad' : 'ok'}>
        {check && (check.ok ? '✓' : '✗')}
      </span>
    </div>
  );
}

/** What screen readers say of a row. */
function labelOf(
  {kind, offset, length, isSet, check}: Field,
  {name, value, meaning}: Readonly<Record<'name' | 'value' | 'meaning', string>>,
): string {
  const label =
    kind === 'bit'
      ? `${name}, ${isSet === undefined ? '' : isSet ? 'set, ' : 'not set, '}${meaning}`
      : `${name}, offset ${offset}, ${length} ${nounFor(length, 'byte')}, ${value} ${meaning}`;
  return `${label}${check ? `, ${check.text}` : ''}`;
}
