import {PaylensError} from '../../contract/paylens-error.js';
import {bytesFromHex, bytesFromLatin1, latin1Of, upperHexOf} from '../../platform/bytes.js';
import type {Part, Sensitivity, Trace} from '../trace.js';

/** How the bytes of a field are described and masked in `inspect`. */
interface FieldForm {
  /** Absent: the bytes may contain anything, also a card number. */
  readonly sensitivity?: Sensitivity;
  /** Fills a frame: never card data. */
  readonly isFill?: true;
  /** The bytes are text. */
  readonly isText?: true;
  /** What the bytes mean, if their hex does not show it. */
  readonly meaning?: (bytes: Uint8Array) => string | undefined;
}

/** A field of a record. */
export interface RecordField extends FieldForm {
  readonly name: string;
  /** Its place among the values of a record. */
  readonly index: number;
}

/** A field by its name in `inspect`. Every field has the same members: reading is faster so. */
export function recordField(name: string, form: FieldForm = {}): RecordField {
  const {sensitivity, isFill, isText, meaning} = form;
  return {name, index: 0, sensitivity, isFill, isText, meaning} as RecordField;
}

/** A field whose value is a number, little-endian. */
export function numberField(name: string): RecordField {
  return recordField(name, {meaning: ([low = 0, high = 0]) => String(high * 256 + low)});
}

/** A status byte with the names of its bits, lowest first. */
export function bitsField(name: string, bits: readonly string[]): RecordField {
  return recordField(name, {meaning: ([value = 0]) => setBits(bits, value)});
}

/** Numbers the fields of a family's records. */
export function recordFields<Fields extends Readonly<Record<string, RecordField>>>(
  fields: Fields,
): Fields {
  for (const [index, field] of Object.values(fields).entries()) Object.assign(field, {index});
  return fields;
}

/** The meaning of a field's bytes if their hex does not show it, and their kind of value. */
export function describeBytes(
  {meaning, isText, sensitivity}: RecordField,
  bytes: Uint8Array,
): Pick<Part, 'meaning' | 'text' | 'sensitivity'> {
  const said = meaning?.(bytes);
  return {
    ...(said === undefined ? {} : {meaning: said}),
    ...(isText ? {text: latin1Of(bytes)} : {}),
    ...(sensitivity ? {sensitivity} : {}),
  };
}

/** Binary: one character per byte. Keyboard: literal text, and hex pairs for everything else. */
export type FrameForm = 'binary' | 'keyboard';

/** The text of a frame, and its position in the payload. */
export interface FrameText {
  readonly text: string;
  readonly form: FrameForm;
  /** The frame as bytes, if the form is binary and the bytes are available. */
  readonly bytes?: Uint8Array;
  /** Offset of the frame in units of the trace. */
  readonly base: number;
  readonly depth: number;
}

/**
 * Reads the fields of a frame one by one and records each. This is the only difference between the
 * two forms: in keyboard text a byte has two characters, a character of a track one.
 */
export class RecordCursor {
  readonly frame: FrameText;
  readonly #trace: Trace;
  readonly #unitsPerByte: 1 | 2;
  #at = 0;
  #end: number;

  constructor(frame: FrameText, trace: Trace) {
    this.frame = frame;
    this.#trace = trace;
    this.#unitsPerByte = frame.form === 'keyboard' ? 2 : 1;
    this.#end = frame.text.length;
  }

  /** Index in the frame's text. */
  get position(): number {
    return this.#at;
  }

  /** Offset in the payload. */
  get offset(): number {
    return this.frame.base + this.#at;
  }

  /** Units up to the limit: characters of keyboard text, bytes of binary. */
  get remaining(): number {
    return this.#end - this.#at;
  }

  /** Number of units for `bytes` bytes. */
  units(bytes: number): number {
    return bytes * this.#unitsPerByte;
  }

  /** Limits the next fields to `units` from here; returns the number of units after the limit. */
  limit(units: number): number {
    const beyond = this.frame.text.length - this.#at - units;
    this.#end = this.#at + units;
    return beyond;
  }

  /** Removes the limit. */
  unlimit(): void {
    this.#end = this.frame.text.length;
  }

  byte(field: RecordField): number {
    if (this.#unitsPerByte === 1 && this.remaining > 0 && !this.#trace.recording) {
      return this.frame.text.charCodeAt(this.#at++);
    }
    const [value = 0] = this.bytes(1, field);
    return value;
  }

  /** Reads the next `count` bytes. Throws 2102 if fewer are left, 2100 if they are not hex. */
  bytes(count: number, field: RecordField): Uint8Array {
    const at = this.#at;
    this.#advance(this.units(count), field);
    const bytes = this.frame.bytes?.subarray(at, this.#at) ?? this.#decode(at);
    if (!bytes) {
      const detail = `${field.name} at ${this.#trace.unit} ${this.frame.base + at}: expected hex digits`;
      throw new PaylensError(2100, detail);
    }
    if (this.#trace.recording) {
      this.#note(at, field, {value: upperHexOf(bytes), ...describeBytes(field, bytes)});
    }
    return bytes;
  }

  /** Reads the next `count` characters unchanged. */
  text(count: number, field: RecordField): string {
    const at = this.#at;
    this.#advance(count, field);
    const text = this.frame.text.slice(at, this.#at);
    if (this.#trace.recording) {
      this.#note(at, field, {value: text, ...(isClear(field, text) ? {sensitivity: 'card'} : {})});
    }
    return text;
  }

  #decode(from: number): Uint8Array | undefined {
    const text = this.frame.text.slice(from, this.#at);
    return this.#unitsPerByte === 2 ? bytesFromHex(text) : bytesFromLatin1(text);
  }

  #advance(units: number, field: RecordField): void {
    if (units > this.remaining) {
      const detail = `${field.name} at ${this.#trace.unit} ${this.offset}: expected ${units} ${this.#trace.unit}s, found ${this.remaining}`;
      throw new PaylensError(2102, detail);
    }
    this.#at += units;
  }

  #note(
    at: number,
    field: RecordField,
    shown: Omit<Part, 'offset' | 'length' | 'depth' | 'name'>,
  ): void {
    const {base, depth} = this.frame;
    const place = {offset: base + at, length: this.#at - at, depth};
    this.#trace.note({...place, name: field.name, ...shown});
  }
}

/** True unless asterisks hide digits of every card number in the text. */
function isClear({isFill}: RecordField, text: string): boolean {
  return !isFill && (!text.includes('*') || /\d{12}/.test(text.replaceAll(' ', '')));
}

function setBits(names: readonly string[], value: number): string {
  const set = names.filter((_, bit) => (value & (1 << bit)) !== 0);
  return set.length > 0 ? set.join(', ') : 'nothing set';
}
