import {PaylensError} from '../../contract/paylens-error.js';
import type {ProcessPayloadRequest} from '../../contract/process-payload.js';
import {type AnyTerminal, type PayloadForm, tries} from './terminal.js';

/** A request for a terminal of any set. */
export type AnyRequest = ProcessPayloadRequest<string>;

/** The terminals that an operation knows: those of paylens, some of them, or others as well. */
export class TerminalSet {
  readonly all: readonly AnyTerminal[];
  /** In the order in which messages list them. */
  readonly types: readonly string[];
  /** Every form that can be read, including those that terminals borrow from another manufacturer. */
  readonly forms: readonly PayloadForm[];
  readonly #byType: ReadonlyMap<string, AnyTerminal>;
  readonly #borrowed: readonly PayloadForm[];

  constructor(all: readonly AnyTerminal[], borrowed: readonly PayloadForm[] = []) {
    this.all = all;
    this.types = all.map(({type}) => type);
    this.forms = [...all, ...borrowed];
    this.#byType = new Map(all.map((terminal) => [terminal.type, terminal]));
    this.#borrowed = borrowed;
  }

  has(type: string): boolean {
    return this.#byType.has(type);
  }

  /** The terminal of a type. Throws 2001 if it is not in the set. */
  get(type: string): AnyTerminal {
    const terminal = this.#byType.get(type);
    if (terminal) return terminal;
    throw new PaylensError(2001, `expected one of ${this.types.join(', ')}`);
  }

  /** The terminals whose reader tries the payload, damaged or not; borrowed forms do not count. */
  trying(payload: string): readonly AnyTerminal[] {
    return this.all.filter((terminal) => tries(terminal, payload));
  }

  /** This set and further terminals. */
  with(others: readonly AnyTerminal[]): TerminalSet {
    return others.length === 0 ? this : new TerminalSet([...this.all, ...others], this.#borrowed);
  }
}
