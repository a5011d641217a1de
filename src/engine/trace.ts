import {PaylensError} from '../contract/paylens-error.js';

/** The kind of a part's value, which decides how it is masked when printed. */
export type Sensitivity =
  /** Clear card data. */
  | 'card'
  /** Ciphertext, a hash, a text, or binary data: its bytes are no packed digits. */
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
  /** The bytes of the value as text, where they are one. */
  readonly text?: string;
  /** Meaning of the value: `bit 7: serial present`. */
  readonly meaning?: string;
  /** Absent: the value may hold anything, a card number too. */
  readonly sensitivity?: Sensitivity;
  /** The value of which this one is a piece, and where the piece begins in it. */
  readonly whole?: {readonly value: string; readonly at: number};
}

/** A check that needs no key: LRC, checksum, CRC, length. */
export interface Check {
  readonly name: string;
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
}

export type Unit = 'byte' | 'character';

/**
 * What a reader notes while it walks through a payload: every byte as a named part, every check
 * with its result. Of JSON and key=value text the members are the parts; the punctuation between
 * them is not noted. It survives the reader's failure, so what was read before it can be shown.
 */
export class Trace {
  readonly #parts: Part[] = [];
  #inOrder = true;
  readonly checks: Check[] = [];
  /** Whether parts are wanted: naming every byte costs more than decrypting them. */
  readonly recording: boolean;
  /** Unit of offsets: bytes for binary or hex payloads, characters for text. */
  unit: Unit = 'byte';

  constructor(options: {recording?: boolean} = {}) {
    this.recording = options.recording ?? true;
  }

  /** In the order of the payload, however they were noted. */
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

  /** Notes a check and returns whether it holds; `ok` says it where the others are words, no values. */
  check(
    name: string,
    offset: number,
    expected: string,
    found: string,
    ok: boolean = expected === found,
  ): boolean {
    if (!ok || this.recording) this.checks.push({name, offset, expected, found, ok});
    return ok;
  }

  /** The error of the first check that failed (2101), if one did. */
  damage(): PaylensError | undefined {
    const failed = this.checks.find((check) => !check.ok);
    if (!failed) return undefined;
    const {name, offset, expected, found} = failed;
    return new PaylensError(
      2101,
      `${name} at ${this.unit} ${offset}: expected ${expected}, found ${found}`,
    );
  }
}
