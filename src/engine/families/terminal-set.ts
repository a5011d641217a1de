import {PaylensError} from '../../contract/paylens-error.js';
import type {ProcessPayloadRequest} from '../../contract/process-payload.js';
import {ofLast} from '../forms/of-last.js';
import {indexSigns, type SignIndex} from '../forms/signs.js';
import {type AnyTerminal, tries, type Undecided} from './terminal.js';

/** A request for a terminal of any set. */
export type AnyRequest = ProcessPayloadRequest<string>;

/** The terminals that an operation knows: those of paylens, some of them, or others as well. */
export class TerminalSet {
  readonly all: readonly AnyTerminal[];
  /** In the order in which messages list them. */
  readonly types: readonly string[];
  #signs: SignIndex | undefined;
  readonly #byType: ReadonlyMap<string, AnyTerminal>;

  constructor(all: readonly AnyTerminal[]) {
    this.all = all;
    this.types = all.map(({type}) => type);
    const known = [...undecidedOf(all), ...all];
    this.#byType = new Map(known.map((terminal) => [terminal.type, terminal]));
  }

  /** True for the types that a request may name. */
  has(type: string): boolean {
    return this.types.includes(type);
  }

  /** The terminal of a type, also of one that stands for several. Throws 2001 if there is none. */
  get(type: string): AnyTerminal {
    const terminal = this.#byType.get(type);
    if (terminal) return terminal;
    throw new PaylensError(2001, `expected one of ${this.types.join(', ')}`);
  }

  /**
   * The terminals whose reader tries the payload, damaged or not; one that stands for several, if they
   * cannot be told apart.
   */
  trying(payload: string): readonly AnyTerminal[] {
    const trying = this.all.filter((terminal) => tries(terminal, payload));
    return this.preferred(trying, payload);
  }

  /** Of the terminals that try a payload, those that do not yield to another's claim. */
  preferred(trying: readonly AnyTerminal[], payload: string): readonly AnyTerminal[] {
    const isClaimed = trying.some(({yields}) => yields) && this.claiming(payload).length > 0;
    return this.merge(isClaimed ? trying.filter(({yields}) => !yields) : trying);
  }

  /** These terminals, those that cannot be told apart as one. */
  merge(some: readonly AnyTerminal[]): readonly AnyTerminal[] {
    const [undecided] = undecidedOf(some);
    if (!undecided) return some;
    return [...some.filter((terminal) => terminal.undecided !== undecided), undecided];
  }

  /** The terminals whose sign the payload has, though none may read it. */
  readonly claiming = ofLast((payload: string): readonly AnyTerminal[] =>
    this.merge(this.all.filter(({claims}) => claims?.(payload))),
  );

  /** The signs of these terminals. */
  get signs(): SignIndex {
    this.#signs ??= indexSigns(this.all);
    return this.#signs;
  }

  /** This set and further terminals. */
  with(others: readonly AnyTerminal[]): TerminalSet {
    return others.length === 0 ? this : new TerminalSet([...this.all, ...others]);
  }
}

/** What stands for at least two of these terminals. */
function undecidedOf(all: readonly AnyTerminal[]): Undecided[] {
  const named = all.flatMap(({undecided}) => undecided ?? []);
  return named.filter((one, i) => named.indexOf(one) === i && named.lastIndexOf(one) !== i);
}
