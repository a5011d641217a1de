import type {Command} from '@oclif/core/command';
import {CommandHelp, Help} from '@oclif/core/help';
import type {Config} from '@oclif/core/interfaces';
import {printResult, resultColumns} from './output/output.js';

/** Help is laid out even where it goes to no terminal. */
const HELP_COLUMNS = 80;
/** oclif forgets the margin of a section when it wraps what is below a flag. */
const MARGIN = 2;

class FittedCommandHelp extends CommandHelp {
  // oclif repeats all flags, and leaves gaps where they exclude hidden ones.
  protected override defaultUsage(): string {
    const {id, args, flags} = this.command;
    const required = Object.entries(flags).filter(([, flag]) => flag.required);
    return [
      id,
      ...Object.values(args).map((arg) => this.arg(arg)),
      ...required.map(([name, flag]) => `--${name} ${helpValueOf(flag)}`.trim()),
      '[FLAGS]',
    ].join(' ');
  }

  protected override examples(examples: Command.Example[] | string | undefined) {
    const lines = [examples ?? []].flat().filter((example) => typeof example === 'string');
    return lines.map((line) => `  $ ${this.render(line).replace(/^\$ /, '')}`).join('\n');
  }

  // Examples are for copying, and are not wrapped.
  override section(header: string, body: Parameters<CommandHelp['section']>[1]): string {
    if (header !== 'EXAMPLES' || typeof body !== 'string') return super.section(header, body);
    return super.section(header, '') + body;
  }
}

function helpValueOf(flag: Command.Flag.Cached): string {
  const value = flag.type === 'option' ? flag.helpValue : undefined;
  return [value ?? ''].flat().join(' ');
}

/** The help of oclif in lines that fit the terminal, with examples that can be copied. */
export default class FittedHelp extends Help {
  protected override CommandHelpClass = FittedCommandHelp;

  constructor(config: Config, options: object = {}) {
    const columns = resultColumns();
    const fitting = Number.isFinite(columns) ? columns - MARGIN : HELP_COLUMNS;
    super(config, {maxWidth: fitting, ...options});
  }

  // Summaries of oclif are as long as they are.
  protected override log(...lines: string[]): void {
    printResult(lines.join('\n'));
  }
}
