import type {Exploration} from './explore.js';
import {type Field, pathOf} from './field.js';

/** A field that two reads do not have alike; undefined: it is not in that one. */
export interface ChangedField {
  readonly path: string;
  readonly sides: readonly [Field | undefined, Field | undefined];
}

/** How two reads differ. */
export interface Comparison {
  readonly changed: readonly ChangedField[];
  readonly same: number;
  /** For each cell of each read: 1 where the same field of the other one has another. */
  readonly differing: readonly [Uint8Array, Uint8Array];
}

/** Compares field by field, as their paths pair them; undefined where a read has no fields. */
export function compare(first: Exploration, second: Exploration): Comparison | undefined {
  if ([first, second].some(({fields}) => fields.every(({kind}) => kind === 'unread'))) return;
  const [ones, others] = [byPath(first), byPath(second)];
  const paths = [...new Set([...ones.keys(), ...others.keys()])];
  const all = paths.map((path) => ({path, sides: [ones.get(path), others.get(path)] as const}));
  const changed = all.filter(({sides: [one, other]}) => one?.value.clear !== other?.value.clear);
  const partners = all.map(({sides}) => sides);
  return {
    changed,
    same: all.length - changed.length,
    differing: [
      differingIn(first, second, new Map(partners.map(([one, other]) => [one?.id, other]))),
      differingIn(second, first, new Map(partners.map(([one, other]) => [other?.id, one]))),
    ],
  };
}

function differingIn(
  {cells, fields, fieldOf}: Exploration,
  other: Exploration,
  partners: ReadonlyMap<number | undefined, Field | undefined>,
): Uint8Array {
  return Uint8Array.from(cells, (cell, i) => {
    let field = fields[(fieldOf[i] ?? 0) - 1];
    while (field && !partners.get(field.id)) field = fields[field.parent];
    const partner = partners.get(field?.id);
    const at = i + (partner?.offset ?? 0) - (field?.offset ?? 0);
    return at < (partner?.end ?? Infinity) && other.cells[at] === cell ? 0 : 1;
  });
}

/** Fields but bits by the names on their path; the second of the same name has a number. */
function byPath({fields}: Exploration): Map<string, Field> {
  const found = new Map<string, Field>();
  for (const field of fields) {
    if (field.kind === 'bit') continue;
    const path = pathOf(fields, field)
      .map(({name}) => name.masked)
      .join(' › ');
    let key = path;
    for (let count = 2; found.has(key); count++) key = `${path} #${count}`;
    found.set(key, field);
  }
  return found;
}
