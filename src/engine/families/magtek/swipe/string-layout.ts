import type {Sensitivity, Trace} from '../../../trace.js';

/** A field of a text form: its name, and the kind of its value. */
export interface FieldName {
  readonly name: string;
  readonly sensitivity?: Sensitivity;
}

/** The fields of each role in their order, and where the first one stands, counted by `size`. */
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

/** One field: its name, and the kind of its value. */
export function field(name: string, sensitivity?: Sensitivity): readonly FieldName[] {
  return [{name, ...(sensitivity ? {sensitivity} : {})}];
}

/** A field for each track. */
export function trackFields(
  name: (track: string) => string,
  sensitivity?: Sensitivity,
): readonly FieldName[] {
  return ['track 1', 'track 2', 'track 3'].flatMap((track) => field(name(track), sensitivity));
}

/**
 * The fields of a MagneSafe V5 string, separated by `|`, in order, and the index of each
 * (docs/terminals/magtek.md#the-v5-string).
 */
export const {fields: FIELDS, at: AT} = declareFields({
  masked: field('masked tracks'),
  status: field('reader status'),
  tracks: trackFields((track) => `${track} encrypted`, 'opaque'),
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

/** A field of a string and the character at which it begins. */
export interface Field {
  readonly text: string;
  readonly offset: number;
}

/**
 * The fields between `|`, without the spaces around them; `names` are those that it records. What is
 * behind the last field that a string can have is recorded as one.
 */
export function splitFields(payload: string, trace: Trace, names: readonly FieldName[]): Field[] {
  let offset = 0;
  return payload.split('|').map((text, i, all) => {
    const found = {text: text.trim(), offset};
    const length = text.length + (i < all.length - 1 ? 1 : 0);
    if (i < MAX_STRING_FIELDS && length > 0)
      trace.note({offset, length, depth: 0, value: text, ...(names[i] ?? UNKNOWN)});
    if (i === MAX_STRING_FIELDS) noteRest(payload, offset, trace);
    offset += length;
    return found;
  });
}

function noteRest(payload: string, offset: number, trace: Trace): void {
  const value = payload.slice(offset);
  if (value !== '') trace.note({offset, length: value.length, depth: 0, value, ...UNKNOWN});
}

const UNKNOWN: FieldName = {name: 'unknown field'};

/** Masked tracks are enclosed in sentinels. */
export const MASKED_TRACKS = /^(?:[^\dA-Za-z{[<\s"'].*\?)?$/s;
/** What may follow the KSN; the last field may run into the beginning of the next swipe. */
export const SHORT_NUMBER = /^[\dA-F]{0,32}$/i;
export const LAST = /^[\dA-F]{0,32}(?:[^\dA-F"']{1,2}[A-Z]?)?$/i;
/** At most a counter and two fields more than usual. */
export const MAX_STRING_FIELDS = FIELDS.length + 3;
