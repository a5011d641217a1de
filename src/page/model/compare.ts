import {type Exploration, fieldByCell} from './explore.js';
import type {Difference, Field} from './field.js';
import {pathOf} from './field.js';
import {plain, type Shown} from './shown.js';

/** How many fields of two payloads are the same, and how many are not. */
export type Counts = Readonly<Record<Difference, number>>;

/** Two payloads as one tree, its places in the first, and its counts. */
export interface Comparison extends Pick<Exploration, 'fields' | 'fieldOf'> {
  readonly counts: Counts;
}

/** The fields of two payloads, paired by their paths; fields only in the second come last. */
export function compare(left: Exploration, right: Exploration): Comparison {
  const others = byPath(right.fields);
  const kept = left.fields.filter(({kind}) => kind !== 'bit');
  const places = new Map(kept.map(({id}, index) => [id, index]));
  const merged: Field[] = [];
  for (const [path, field] of byPath(left.fields)) {
    if (field.kind === 'bit') continue;
    const other = others.get(path);
    others.delete(path);
    const parent = places.get(field.parent) ?? -1;
    merged.push({...paired(field, other), id: merged.length, parent});
  }
  for (const field of others.values()) {
    if (field.kind === 'bit') continue;
    merged.push({
      ...field,
      ...{id: merged.length, parent: -1, level: 1, difference: '>', opened: undefined},
      offset: left.cells.length,
      length: 0,
      end: left.cells.length,
    });
  }
  const count = (difference: Difference) =>
    merged.filter((field) => field.difference === difference).length;
  return {
    fields: merged,
    fieldOf: fieldByCell(merged, left.cells.length),
    counts: {'=': count('='), '~': count('~'), '<': count('<'), '>': count('>')},
  };
}

function paired(field: Field, other: Field | undefined): Field {
  if (!other) return {...field, difference: '<'};
  const isSame = field.value.clear === other.value.clear;
  if (isSame) return {...field, difference: '='};
  return {...field, difference: '~', meaning: arrow(other)};
}

function arrow({value, meaning}: Field): Shown {
  const form = (one: keyof Shown) => `→ ${value[one] || meaning[one]}`;
  return value.clear === '' && meaning.clear === ''
    ? plain('')
    : {masked: form('masked'), clear: form('clear')};
}

/** Fields by the names on their path; the second of the same name has a number. */
function byPath(fields: readonly Field[]): Map<string, Field> {
  const found = new Map<string, Field>();
  const counts = new Map<string, number>();
  for (const field of fields) {
    const path = pathOf(fields, field)
      .map(({name}) => name.clear)
      .join('\n');
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    found.set(count === 1 ? path : `${path}\n#${count}`, field);
  }
  return found;
}
