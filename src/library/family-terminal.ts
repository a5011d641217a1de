import {PaylensError} from '../contract/paylens-error.js';
import type {AnyTerminal} from '../engine/families/terminal.js';
import {TerminalSet} from '../engine/families/terminal-set.js';
import {isArray, listOf, wrong} from './arguments.js';

/** A terminal of paylens for small bundles: `paylens/terminals/idtech` exports `idtech`. */
export class FamilyTerminal {
  readonly #terminal: AnyTerminal;

  /** @internal */
  constructor(terminal: AnyTerminal) {
    this.#terminal = terminal;
  }

  /** The `deviceType` of its payloads: `idtech`. */
  get type(): string {
    return this.#terminal.type;
  }

  /** @internal The terminals that the caller gives. Throws 2005. */
  static setOf(terminals: unknown): TerminalSet {
    if (!isArray(terminals)) throw wrong('terminals', 'an array', terminals);
    const all = listOf(terminals, 'terminals').map((value, i) => {
      if (typeof value === 'object' && value !== null && #terminal in value) return value.#terminal;
      throw wrong(`terminals[${i}]`, 'a terminal of paylens/terminals', value);
    });
    if (all.length === 0)
      throw new PaylensError(2005, 'terminals: expected one or more, found none');
    const set = new TerminalSet(all);
    if (new Set(set.types).size === all.length) return set;
    throw new PaylensError(2005, 'terminals: expected each once, found one twice');
  }
}
