import {Command} from '@oclif/core/command';
import {arg} from '../cli/flags/flag.js';
import Help from '../cli/help.js';
import {HELP_TOPICS} from '../cli/help-topics.js';
import {unknownCommand} from '../cli/unknown-command.js';

/** Shows the help of a command, of a topic, or of the program. */
export default class ShowHelp extends Command {
  static override description = 'Show the help of a command or topic.';
  static override args = {command: arg.optional('command or topic; without it, list them')};
  static override examples = [
    '<%= config.bin %> <%= command.id %> decrypt',
    '<%= config.bin %> <%= command.id %> key add',
    '<%= config.bin %> <%= command.id %> exit-codes',
  ];
  // A command may have two words.
  static override strict = false;

  async run(): Promise<void> {
    const {config} = this;
    const {argv} = await this.parse(ShowHelp);
    const words = argv.map(String).filter((word) => !word.startsWith('-'));
    const ids = words.map((_, i) => words.slice(0, i + 1).join(':'));
    const isKnown = ids.some((id) => config.findCommand(id)) || config.findTopic(ids.at(-1) ?? '');
    if (!isKnown && words.length > 0 && !HELP_TOPICS.has(words[0] ?? ''))
      throw unknownCommand(config, words.join(':'));
    await new Help(config).showHelp(words);
  }
}
