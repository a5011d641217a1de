import type {
  ArgInput,
  FlagInput,
  Input,
  OutputArgs,
  OutputFlags,
  ParserOutput,
} from '@oclif/core/interfaces';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {BaseCommand} from './base-command.js';
import type {PayloadSource} from './input/payload-flags.js';
import {terminalsOf} from './input/terminals-of.js';
import {notAnOption} from './usage-error.js';

/** Base class of the commands that take `--terminal`: `--device-type` accepts the types of these terminals too. */
export abstract class TerminalCommand extends BaseCommand {
  /**
   * Parses the arguments, and loads the modules that `--terminal` names. Nothing but this flag makes
   * a module run. Throws 9001, 9002 and 9040.
   */
  protected async parseWithTerminals<
    F extends OutputFlags<FlagInput>,
    B extends OutputFlags<FlagInput>,
    A extends OutputArgs<ArgInput>,
  >(
    options: Input<F, B, A>,
  ): Promise<ParserOutput<F, B, A> & {flags: {readonly terminals: TerminalSet}}> {
    const isAsked = this.argv.some((word) => /^--terminal(?:=|$)/.test(word));
    const parsed = await this.parse(isAsked ? ofAnyType(options) : options);
    const {terminal: files = [], 'device-type': type} = parsed.flags as Partial<PayloadSource>;
    const terminals = await terminalsOf(files);
    if (isAsked && type !== undefined && !terminals.has(type))
      throw notAnOption('--device-type', type, terminals.types);
    return {...parsed, flags: {...parsed.flags, terminals}};
  }
}

/** Accepts any type: the types are known only once the modules are loaded. */
function ofAnyType<Options extends {flags?: object; baseFlags?: object}>(
  options: Options,
): Options {
  const {'device-type': type, ...others} = {...options.flags} as Record<string, object>;
  const {options: _, ...any} = {...type} as {options?: unknown};
  // The flags of the base class are inherited, and not copied by the spread.
  return {...options, baseFlags: options.baseFlags, flags: {...others, 'device-type': any}};
}
