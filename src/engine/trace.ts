import {PaylensError} from '../contract/paylens-error.js';

/** The kind of a part's value, which decides how it is masked when printed. */
export type Sensitivity =
  /** Clear card data. */
  | 'card'
  /** Encrypted: the reader knows it even if the payload is damaged. */
  | 'ciphertext'
  /** Ciphertext, a hash, text, or binary data: its bytes are never packed digits. */
  | 'opaque'
  /** A KSN, a serial number, a date, an amount. */
  | 'harmless';

/** A run of bytes (or characters) of the payload, with its name. Parts never overlap. */
export interface Part {
  /** Offset and length, in units of the trace. */
  readonly offset: number;
  readonly length: number;
  /** Nesting: 0 at the top. */
  readonly depth: number;
  readonly name: string;
  /** As a person reads it: upper-case hex, or text. */
  readonly value: string;
  /** The bytes of the value as text, if they are text. */
  readonly text?: string;
  /** Meaning of the value: `bit 7: serial present`. */
  readonly meaning?: string;
  /** Absent: the value may hold anything, a card number too. */
  readonly sensitivity?: Sensitivity;
  /** The value of which this one is a fragment, and the index of the fragment in it. */
  readonly whole?: {readonly value: string; readonly at: number};
}

/** The description of a member, from its terminal's table, with its text or number. */
export type Describe = (name: string, value?: string) => Pick<Part, 'meaning' | 'sensitivity'>;

/** The members of a text, and what its form knows of a name: nothing of one that it does not declare. */
export interface TextMembers {
  /** Of JSON. */
  readonly object?: object;
  /** Of other text: a name, its value, and perhaps its offset. */
  readonly list?: readonly (readonly [name: string, value: unknown, offset?: number])[];
  readonly describe: Describe;
}

/** A check that needs no key: LRC, checksum, CRC, length. */
export interface Check {
  readonly name: string;
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
  /** It may fail: the reader decides what that means. */
  readonly mayFail?: true;
}

export type Unit = 'byte' | 'character';

interface TraceOptions {
  readonly recording?: boolean;
  readonly checking?: boolean;
}

/**
 * Records every byte of a payload as a named part, and every check with its result, while a reader
 * parses it. In JSON and key=value text the members are the parts; the punctuation between them is
 * not recorded. The trace survives an error of the reader, so what was parsed before it can be
 * shown.
 */
export class Trace {
  readonly #parts: Part[] = [];
  #inOrder = true;
  #end: PaylensError | undefined;
  readonly checks: Check[] = [];
  /** Whether parts are wanted: naming every byte costs more than decrypting it. */
  readonly recording: boolean;
  /** Whether the checks that passed are wanted as well. */
  readonly checking: boolean;
  /** Unit of offsets: bytes for binary or hex payloads, characters for text. */
  unit: Unit = 'byte';
  /** @internal Of a payload that has names: the values that its form does not declare may be a read. */
  members: TextMembers | undefined;

  constructor({recording = true, checking = recording}: TraceOptions = {}) {
    this.recording = recording;
    this.checking = checking;
  }

  /** In payload order, whatever the order of recording. */
  get parts(): readonly Part[] {
    if (!this.#inOrder) this.#parts.sort((a, b) => a.offset - b.offset);
    this.#inOrder = true;
    return this.#parts;
  }

  note(part: Part): void {
    if (!this.recording) return;
    this.#inOrder &&= part.offset >= (this.#parts.at(-1)?.offset ?? 0);
    this.#parts.push(part);
  }

  /**
   * Records a check and returns whether it passed; `ok` must be given if `expected` and `found` are
   * descriptions, not values.
   */
  check(
    name: string,
    offset: number,
    expected: string,
    found: string,
    ok: boolean = expected === found,
  ): boolean {
    if ((!ok || this.checking) && !this.#end) this.checks.push({name, offset, expected, found, ok});
    return ok;
  }

  /**
   * Ends a payload that was cut, with its error. A trace that records goes on, so that what is there is
   * named, and has the error at the end; any other throws it at once.
   */
  cut(error: PaylensError): void {
    if (!this.recording) throw error;
    this.#end ??= this.damage() ?? error;
  }

  /**
   * Records a check that is no damage by itself if it fails. Returns its error (2101), if it failed.
   */
  doubt(name: string, offset: number, expected: string, found: string): PaylensError | undefined {
    const check: Check = {name, offset, expected, found, ok: expected === found, mayFail: true};
    this.checks.push(check);
    return check.ok ? undefined : this.#errorOf(check);
  }

  /** The error of the first check that failed (2101), if one did and may not, or of the cut. */
  damage(): PaylensError | undefined {
    if (this.#end) return this.#end;
    const failed = this.checks.find((check) => !check.ok && !check.mayFail);
    return failed && this.#errorOf(failed);
  }

  #errorOf({name, offset, expected, found}: Check): PaylensError {
    const detail = `${name} at ${this.unit} ${offset}: expected ${expected}, found ${found}`;
    return new PaylensError(2101, detail);
  }
}
