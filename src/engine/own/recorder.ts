import {lengthIn} from '../inspection/name-unread.js';
import type {Check, Part, Trace, Unit} from '../trace.js';
import type {Guard} from './guard.js';
import {flag, integer, members, oneOf, optional, type Shape, text} from './shape.js';
import type {OwnTrace} from './terminal.js';

/** Longer than any payload. */
const MAX_OFFSET = 65_536;
const PART_NAME = text([1, 200]);
const VALUE = text([0, 4 * MAX_OFFSET]);
const PART_PLACE = integer(0, MAX_OFFSET);

const PART: Shape<Part> = members<Part>({
  offset: PART_PLACE,
  length: PART_PLACE,
  depth: integer(0, 16),
  name: PART_NAME,
  value: VALUE,
  text: optional(VALUE),
  meaning: optional(VALUE),
  sensitivity: optional(oneOf('card', 'ciphertext', 'opaque', 'harmless')),
  whole: optional(members({value: VALUE, at: PART_PLACE})),
});

const CHECK: Shape<Check> = members<Check>({
  name: PART_NAME,
  offset: PART_PLACE,
  expected: text([0, 200]),
  found: text([0, 200]),
  ok: flag,
  mayFail: optional(oneOf(true)),
});

/** The trace that the reader of an own terminal writes: a fault in it is kept, even if it is caught. */
export class Recorder implements OwnTrace {
  unit: Unit = 'byte';
  readonly #guard: Guard;
  readonly #parts: Part[] = [];
  readonly #checks: Check[] = [];
  #fault: unknown;

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  note(part: Part): void {
    this.#parts.push(this.#taken('trace.note', part, PART));
  }

  check(name: string, offset: number, expected: string, found: string, ok?: boolean): boolean {
    const given = {name, offset, expected, found, ok: ok ?? expected === found};
    const check = this.#taken('trace.check', given, CHECK);
    this.#checks.push(check);
    return check.ok;
  }

  #taken<T>(place: string, value: unknown, shape: Shape<T>): T {
    try {
      return this.#guard.take(place, value, shape);
    } catch (error) {
      this.#fault ??= error;
      throw error;
    }
  }

  /**
   * Writes everything to the trace of paylens, and returns the length of the payload in its unit.
   * Throws 9040 for the first fault, parts that overlap, and places outside the payload.
   */
  moveTo(trace: Trace, payload: string): number {
    if (this.#fault !== undefined) throw this.#fault;
    trace.unit = this.#guard.take('trace.unit', this.unit, oneOf('byte', 'character'));
    const length = lengthIn(trace.unit, payload);
    this.#assertPlaces(length, trace.unit);
    for (const part of this.#parts) trace.note(part);
    for (const {name, offset, expected, found, ok} of this.#checks)
      trace.check(name, offset, expected, found, ok);
    return length;
  }

  #assertPlaces(length: number, unit: Unit): void {
    const parts = this.#parts.toSorted((a, b) => a.offset - b.offset || a.length - b.length);
    let end = 0;
    for (const part of parts) {
      const where = `trace.note: ${unit}s ${part.offset} to ${part.offset + part.length}`;
      if (part.offset + part.length > length)
        throw this.#guard.fault(`${where} are outside the payload of ${length}`);
      if (part.offset < end) throw this.#guard.fault(`${where} are noted twice`);
      end = part.offset + part.length;
    }
    const outside = this.#checks.find(({offset}) => offset > length);
    if (!outside) return;
    const where = `${unit} ${outside.offset} is outside the payload of ${length}`;
    throw this.#guard.fault(`trace.check: ${where}`);
  }
}
