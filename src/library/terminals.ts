import type {TerminalType} from '../engine/families/registry.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {withOwnTerminals} from '../engine/own/own-terminal.js';
import type {OwnTerminal} from '../engine/own/terminal.js';
import {isArray, listOf, type Members, wrong} from './arguments.js';

/** The type of a terminal of paylens, or of one of the caller's. */
export type AnyTerminalType = TerminalType | (string & {});

/** Terminals that paylens does not know itself. */
export interface TerminalOptions {
  /** Terminals of your own (docs/own-terminal.md), in addition to those of paylens. */
  readonly terminals?: readonly OwnTerminal[] | undefined;
}

/** The name of that option. */
export const TERMINAL_OPTIONS = ['terminals'] as const;

/** The terminals of paylens and those of the caller. Throws 2005. */
export function terminalsOf({terminals}: Members): TerminalSet {
  if (terminals !== undefined && !isArray(terminals))
    throw wrong('terminals', 'an array', terminals);
  const given = listOf(terminals, 'terminals').map((value, i) => {
    return {value, where: `terminals[${i}]`};
  });
  return withOwnTerminals(given, 2005);
}
