import type {Command} from '@oclif/core/command';
import {CommandHelp, Help} from '@oclif/core/help';
import type {Config} from '@oclif/core/interfaces';
import {HELP_TOPICS} from './help-topics.js';
import {indented, verbatim} from './output/layout/layout.js';
import {plainRecord} from './output/layout/table.js';
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

  // The summary is above the usage.
  protected override description(): string | undefined {
    const [, ...more] = this.render(this.command.description ?? '').split('\n');
    return this.wrap(more.join('\n').trim()) || undefined;
  }

  // Examples are for copying, and are not wrapped.
  override section(header: string, body: Parameters<CommandHelp['section']>[1]): string {
    if (header !== 'EXAMPLES' || typeof body !== 'string') return super.section(header, body);
    return super.section(header, '') + body;
  }

  // Values joined by bars would be one long word.
  protected override flags(flags: Command.Flag.Any[]) {
    const spaced = (list: string) => `one of ${list.replaceAll('|', ', ')}`;
    return super
      .flags(flags)
      ?.map(([left, right]): [string, string | undefined] => [
        left,
        right?.replace(/<options: (.*)>$/, (_, list: string) => spaced(list)),
      ]);
  }

  protected override groupFlags(flags: Command.Flag.Any[]) {
    const of = (group: string) => flags.filter(({name}) => groupOf(name) === group);
    const groups = [...Object.keys(GROUPS), 'OUTPUT'].map((group) => [group, of(group)] as const);
    return {
      mainFlags: of(''),
      flagGroups: Object.fromEntries(groups.filter(([, {length}]) => length > 0)),
    };
  }
}

/** Words of flags about where a payload, and where a key comes from. */
const GROUPS = {
  INPUT:
    /^(?:file|payload|device-type|terminal|ksn|iv|serial|expected|client|reference|(?:body|request)-file|config|devices)$/,
  KEY: /key|passphrase|identity|recipient|work-factor|component|kbpk|^(?:algorithm|compatibility|kind|ksn-prefix)$/,
};
const OUTPUT =
  /^(?:json|quiet|no-color|reveal|explain|output|junit|verbose|curl|log|write|list.*|key-block|save|record|keep-cards)$/;

function groupOf(name: string): string {
  if (OUTPUT.test(name)) return 'OUTPUT';
  return Object.entries(GROUPS).find(([, words]) => words.test(name))?.[0] ?? '';
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

  override async showHelp(argv: string[]): Promise<void> {
    const topic = HELP_TOPICS.get(argv.find((word) => !word.startsWith('-')) ?? '');
    if (!topic) return super.showHelp(argv);
    this.log(`${topic.about}\n`);
    printResult(indented(MARGIN, plainRecord(topic.rows)), '');
  }

  /** Topics are listed as commands are. */
  override async showRootHelp(): Promise<void> {
    const topics = this.sortedTopics.map(({name, description = ''}) => [name, description]);
    const commands = this.sortedCommands.filter(({id}) => !id.includes(':'));
    const all = [
      ...topics,
      ...commands.map((command) => [command.id, this.summary(command) ?? '']),
    ];
    const sorted = all.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
    const explained = [...HELP_TOPICS].map(([name, {about}]) => [name, about]);
    const list = (rows: string[][]) => this.renderList(rows, {indentation: 2, spacer: '\n'});
    this.log(`${this.formatRoot()}\n`, `${this.section('COMMANDS', list(sorted))}\n`);
    this.log(`${this.section('HELP TOPICS', list(explained))}\n`);
  }

  // Summaries of oclif are as long as they are, and commands are for copying.
  protected override log(...lines: string[]): void {
    const parts = lines.join('\n').split('\n');
    printResult(...parts.map((line) => (line.startsWith('  $ paylens ') ? verbatim(line) : line)));
  }
}
