import {BaseCommand} from '../cli/base-command.js';
import {firstLine} from '../cli/completion/completion-model.js';
import {arg} from '../cli/flags/flag.js';
import Help from '../cli/help.js';
import {HELP_TOPICS} from '../cli/help-topics.js';
import {printJson} from '../cli/output/output.js';
import {unknownCommand} from '../cli/unknown-command.js';

/** Shows the help of a command, of a topic, or of the program. */
export default class ShowHelp extends BaseCommand {
  static override description =
    'Show the help of a command or topic.\n\n' +
    'With --json, it lists the commands and topics that the words select.';
  static override args = {command: arg.optional('command or topic; without it, list them')};
  static override examples = [
    '<%= config.bin %> <%= command.id %> decrypt',
    '<%= config.bin %> <%= command.id %> key add',
    '<%= config.bin %> <%= command.id %> exit-codes',
  ];
  // A command may have two words.
  static override strict = false;

  async run(): Promise<void> {
    const {argv, flags} = await this.parse(ShowHelp);
    const {config} = this;
    const words = argv.map(String).filter((word) => !word.startsWith('-'));
    const ids = words.map((_, i) => words.slice(0, i + 1).join(':'));
    const last = ids.at(-1) ?? '';
    const topic = config.findTopic(last) && last;
    const id = ids.findLast((one) => config.findCommand(one)) ?? topic;
    if (id === undefined && words.length > 0 && !HELP_TOPICS.has(words[0] ?? ''))
      throw unknownCommand(config, words.join(':'));
    if (!flags.json) return new Help(config).showHelp(words);
    const entries = [
      ...config.commands.map(
        (command) => [command.id, firstLine(command.description ?? '')] as const,
      ),
      ...[...HELP_TOPICS].map(([name, {about}]) => [name, about] as const),
    ];
    const wanted = id ?? words[0] ?? '';
    const isWanted = (name: string) => !wanted || name === wanted || name.startsWith(`${wanted}:`);
    const named = entries.filter(([name]) => isWanted(name));
    printJson(named.map(([name, about]) => ({name: name.replaceAll(':', ' '), about})));
  }
}
