import type {RecordCursor, RecordField} from './record-cursor.js';

/**
 * A place in a record: a byte, a run of bytes, or text, which is sent unchanged even where bytes are
 * sent as hex. The number of bytes or characters may depend on what precedes it; undefined: absent.
 */
export interface RecordPlace {
  readonly field: RecordField;
  readonly kind: 'byte' | 'bytes' | 'text';
  readonly length: (record: RecordValues, cursor: RecordCursor) => number | undefined;
}

type RecordValue = number | string | Uint8Array | undefined;

/** Room for the fields of every family: an array that grows is slower. */
const MAX_FIELDS = 48;

/** The values of a record's fields, and their offsets in the payload. */
export class RecordValues {
  readonly #values = new Array<RecordValue>(MAX_FIELDS);
  readonly #offsets = new Array<number>(MAX_FIELDS);

  /** Sets a byte that was read before. */
  with(field: RecordField, value: number): this {
    this.#values[field.index] = value;
    return this;
  }

  /** Reads the next fields of a record. Throws 2102 if one is truncated, 2100 if it is not hex. */
  read(cursor: RecordCursor, places: readonly RecordPlace[]): void {
    // By index: an iterator has an object for every place.
    for (let i = 0; i < places.length; i++) {
      const {field, kind, length} = places[i] as RecordPlace;
      const count = length(this, cursor);
      if (count === undefined) continue;
      this.#offsets[field.index] = cursor.offset;
      this.#values[field.index] = valueAt(cursor, field, kind, count);
    }
  }

  /** A byte; 0 if it is absent. */
  number({index}: RecordField): number {
    const value = this.#values[index];
    return typeof value === 'number' ? value : 0;
  }

  /** Whether a status byte has one of these bits. */
  has(field: RecordField, bits: number): boolean {
    return (this.number(field) & bits) !== 0;
  }

  /** Text; undefined if it is absent. */
  text({index}: RecordField): string | undefined {
    const value = this.#values[index];
    return typeof value === 'string' ? value : undefined;
  }

  /** A run of bytes; undefined if it is absent. */
  bytes({index}: RecordField): Uint8Array | undefined {
    const value = this.#values[index];
    return typeof value === 'object' ? value : undefined;
  }

  /** Offset of a field in the payload; 0 if it is absent. */
  offset({index}: RecordField): number {
    return this.#offsets[index] ?? 0;
  }
}

function valueAt(
  cursor: RecordCursor,
  field: RecordField,
  kind: RecordPlace['kind'],
  count: number,
): RecordValue {
  if (kind === 'byte') return cursor.byte(field);
  return kind === 'text' ? cursor.text(count, field) : cursor.bytes(count, field);
}

/** Writes the fields of a record one after the other. */
interface RecordBuilder {
  bytes(bytes: Uint8Array): unknown;
  text(text: string): unknown;
}

/** Writes the values that are given, in the order of the record. */
export function writePlaces(
  builder: RecordBuilder,
  places: readonly RecordPlace[],
  values: ReadonlyMap<RecordField, RecordValue>,
): void {
  for (const {field} of places) {
    const value = values.get(field);
    if (typeof value === 'number') builder.bytes(Uint8Array.of(value));
    else if (typeof value === 'string') builder.text(value);
    else if (value) builder.bytes(value);
  }
}

/** A byte of a record; `isPresent`: absent, always. */
export function bytePlace(
  field: RecordField,
  isPresent?: (record: RecordValues) => boolean,
): RecordPlace {
  const length = isPresent ? (record: RecordValues) => (isPresent(record) ? 1 : undefined) : one;
  return {field, kind: 'byte', length};
}

const one = () => 1;

/** Bytes of a record: as many as `length` gives, none if it gives undefined. */
export function bytesPlace(field: RecordField, length: RecordPlace['length']): RecordPlace {
  return {field, kind: 'bytes', length};
}

/** Characters of a record: as many as `length` gives, none if it gives undefined. */
export function textPlace(field: RecordField, length: RecordPlace['length']): RecordPlace {
  return {field, kind: 'text', length};
}
