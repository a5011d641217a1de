import type {Summary} from '../families/about.js';
import type {Framing} from '../families/terminal.js';
import type {Reading} from '../reading.js';
import type {Part, Unit} from '../trace.js';
import type {Writer} from '../writing.js';

/** Records every byte of a payload as a named part, and every check that needs no key. */
export interface OwnTrace {
  /**
   * What offsets and lengths count: `byte` (the default) for hex and binary payloads, `character`
   * for text.
   */
  unit: Unit;
  /** Names a run of the payload. Runs may come in any order, and never overlap. */
  note(part: Part): void;
  /**
   * Records a check (LRC, checksum, CRC, length) and returns whether it passed. One that fails
   * makes the payload damaged: 2101. `ok` is needed only if `expected` and `found` are not values
   * that can be compared.
   */
  check(name: string, offset: number, expected: string, found: string, ok?: boolean): boolean;
}

/** A terminal that paylens does not know itself (docs/own-terminal.md). */
export interface OwnTerminal {
  /** Lower-case letters, digits and hyphens, none of paylens's own types. */
  readonly type: string;
  /** `meta.device` of a result. */
  readonly manufacturer: string;
  /** Whether `read` is tried on a payload without a device type: always, never, or by a test. */
  readonly recognises: boolean | ((payload: string) => boolean);
  /**
   * Finds the parts of a payload: text, hex, or binary as one character per byte. Throws an error
   * with code 2100 if it is not in this format, 2102 if it ends too early.
   */
  readonly read: (payload: string, trace: OwnTrace) => Reading;
  readonly about: () => Summary | Promise<Summary>;
  /** How its frames begin, for `diagnose`. */
  readonly framing?: Framing | undefined;
  /** Generates its payloads, for `simulate`. */
  readonly write?: (() => Writer | Promise<Writer>) | undefined;
}
