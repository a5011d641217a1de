import type {Sensitivity, Trace} from '../../../trace.js';

/** A field of a form: its name, and how its value is masked. */
export interface FieldName {
  readonly name: string;
  readonly sensitivity?: Sensitivity;
}

/** The fields of each role in their order, and the position of the first one, counted by `size`. */
export function declareFields<Role extends string, Field extends FieldName>(
  rows: Readonly<Record<Role, readonly Field[]>>,
  size: (field: Field) => number = () => 1,
) {
  let end = 0;
  const at = {} as Record<Role, number>;
  for (const role of Object.keys(rows) as Role[]) {
    at[role] = end;
    for (const field of rows[role]) end += size(field);
  }
  return {fields: (Object.values(rows) as (readonly Field[])[]).flat(), at, end};
}

/** One field; with `*` in its name one for each track. */
export function field(name: string, sensitivity?: Sensitivity): readonly FieldName[] {
  const names = name.includes('*') ? [1, 2, 3].map((i) => name.replace('*', `track ${i}`)) : [name];
  return names.map((one) => ({name: one, ...(sensitivity ? {sensitivity} : {})}));
}

/**
 * The fields of a MagneSafe V5 string, separated by `|`, in order, and the index of each
 * (docs/terminals/magtek.md#the-v5-string).
 */
export const {fields: FIELDS, at: AT} = declareFields({
  masked: field('masked tracks'),
  status: field('reader status'),
  tracks: field('* encrypted', 'opaque'),
  printStatus: field('MagnePrint status'),
  print: field('MagnePrint encrypted', 'opaque'),
  serial: field('serial number', 'harmless'),
  session: field('session ID encrypted', 'opaque'),
  ksn: field('KSN', 'harmless'),
  crc: field('CRC'),
  encryptedCrc: field('CRC encrypted', 'opaque'),
  format: field('format code'),
});

/** Reader status and format code of a swipe. */
export const STATUS_SWIPED = '0600';
export const FORMAT_CODE = '0000';

/** A value in a text and the character at which it begins. */
export interface TextField {
  readonly text: string;
  readonly offset: number;
}

/** A value that is absent. */
export const NO_FIELD: TextField = {text: '', offset: 0};

/** At most a counter and two fields more than usual. */
export const MAX_STRING_FIELDS = FIELDS.length + 3;
const UNKNOWN_FIELD: FieldName = {name: 'unknown field'};

/**
 * The fields between `|`, without the spaces around them; `names` are those that it records. What
 * follows the last field that a form can have is recorded as one.
 */
export function splitFields(
  payload: string,
  trace: Trace,
  names: readonly FieldName[],
): TextField[] {
  const limit = Math.max(MAX_STRING_FIELDS, names.length);
  let offset = 0;
  return payload.split('|').map((text, i) => {
    const found = {text: text.trim(), offset};
    const value = i === limit ? payload.slice(offset) : text;
    const length = Math.min(value.length + 1, payload.length - offset);
    if (i <= limit && length > 0)
      trace.note({offset, length, depth: 0, value, ...(names[i] ?? UNKNOWN_FIELD)});
    offset += text.length + 1;
    return found;
  });
}
