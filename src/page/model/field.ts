import type {Shown} from './shown.js';

/** What a field is, which decides how it looks. */
export const KINDS = [
  'structure',
  'length',
  'data',
  'key',
  'encrypted',
  'card',
  'check',
  'failed',
  'unread',
  'bit',
] as const;
export type Kind = (typeof KINDS)[number];

/** One node of the tree of fields, in the order of the tree. */
export interface Field {
  readonly id: number;
  /** -1 at the top. */
  readonly parent: number;
  /** 1 at the top. */
  readonly level: number;
  /** In cells of the payload; fields inside a plaintext have the place of its ciphertext. */
  readonly offset: number;
  readonly length: number;
  /** After the last cell of the field and of the fields nested in it. */
  readonly end: number;
  readonly name: Shown;
  readonly value: Shown;
  readonly meaning: Shown;
  readonly kind: Kind;
  readonly check?: {readonly ok: boolean; readonly text: string} | undefined;
  /** Whether a bit is set. */
  readonly isSet?: boolean | undefined;
  /** Index of the opened ciphertext that it is inside of, or is. */
  readonly opened?: number | undefined;
}

/** A field before it has its place in the tree. */
export type NewField = Omit<Field, 'id' | 'parent' | 'level' | 'end'> & {
  readonly children?: readonly NewField[];
};

/** Nested fields as a list in the order of the tree. */
export function listed(fields: readonly NewField[]): Field[] {
  const list: Field[] = [];
  const add = ({children = [], ...field}: NewField, parent: number, level: number): number => {
    const id = list.length;
    list.push({...field, id, parent, level, end: 0});
    const ends = children.map((child) => add(child, id, level + 1));
    const end = Math.max(field.offset + field.length, ...ends);
    list[id] = {...field, id, parent, level, end};
    return end;
  };
  for (const field of fields) add(field, -1, 1);
  return list;
}

/** The names from the top of the tree to a field. */
export function pathOf(fields: readonly Field[], field: Field): Field[] {
  const above = fields[field.parent];
  return above ? [...pathOf(fields, above), field] : [field];
}
