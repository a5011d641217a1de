import type {Sensitivity, Trace} from '../../../trace.js';

/** A field of a text form: its name, and the kind of its value. */
export interface FieldName {
  readonly name: string;
  readonly sensitivity?: Sensitivity;
}

/**
 * The fields of a MagneSafe V5 string, separated by `|`, in order
 * (docs/formats/magtek.md#the-v5-string).
 */
export const FIELDS: readonly FieldName[] = [
  {name: 'masked tracks'},
  {name: 'reader status'},
  {name: 'track 1 encrypted', sensitivity: 'opaque'},
  {name: 'track 2 encrypted', sensitivity: 'opaque'},
  {name: 'track 3 encrypted', sensitivity: 'opaque'},
  {name: 'MagnePrint status'},
  {name: 'MagnePrint encrypted', sensitivity: 'opaque'},
  {name: 'serial number', sensitivity: 'harmless'},
  {name: 'session ID encrypted', sensitivity: 'opaque'},
  {name: 'KSN', sensitivity: 'harmless'},
  {name: 'CRC'},
  {name: 'CRC encrypted', sensitivity: 'opaque'},
  {name: 'format code'},
];

/** Indexes of the fields that the readers use. */
export const AT = {masked: 0, status: 1, tracks: 2, serial: 7, ksn: 9, format: 12} as const;

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
    const field = {text: text.trim(), offset};
    const length = text.length + (i < all.length - 1 ? 1 : 0);
    if (i < MOST_FIELDS && length > 0)
      trace.note({offset, length, depth: 0, value: text, ...(names[i] ?? UNKNOWN)});
    if (i === MOST_FIELDS) noteRest(payload, offset, trace);
    offset += length;
    return field;
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
export const MOST_FIELDS = FIELDS.length + 3;
