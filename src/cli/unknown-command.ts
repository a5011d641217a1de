import type {Config} from '@oclif/core/config';
import {didYouMean} from '../contract/nearest-name.js';
import {PaylensError} from '../contract/paylens-error.js';

/** The error for `id`, words joined by colons, which is neither a command nor a topic: 9001. */
export function unknownCommand(config: Config, id: string): PaylensError {
  const words = id.split(':');
  const names = leadingNames(words);
  const unnamed = new PaylensError(9001, 'no such command', {hint: SEE_ALL});
  return withArgument(config, words) ?? (names.length > 0 ? mistyped(config, names) : unnamed);
}

// Extra words after a command without arguments are not a subcommand, although oclif treats them as
// one.
function withArgument(config: Config, words: string[]): PaylensError | undefined {
  const ids = words.map((_, i) => words.slice(0, i + 1).join(':'));
  const command = ids.find((id) => config.findCommand(id))?.replaceAll(':', ' ');
  if (command === undefined) return undefined;
  return new PaylensError(9001, `${command} takes no arguments`, {
    hint: `Run \`paylens help ${command}\` to see its flags.`,
  });
}

/** Understood without a command of that name. */
const ALWAYS = ['version', '--help', '--version'];

// Behind the name of a command may be input: what could be a payload or a key is not repeated.
function leadingNames(words: string[]): string[] {
  const end = words.findIndex((word) => !/^(?:--)?[a-z][a-z-]{0,19}$/i.test(word));
  return end < 0 ? words : words.slice(0, end);
}

function mistyped(config: Config, words: string[]): PaylensError {
  const name = words.join(' ');
  const topics = config.topics.map((topic) => topic.name);
  const names = [...config.commands.map(({id}) => id), ...topics];
  const known = [...names.map((each) => each.replaceAll(':', ' ')), ...ALWAYS];
  return new PaylensError(9001, `${name} is not a paylens command`, {
    hint: didYouMean(name, known, 'paylens ') ?? SEE_ALL,
  });
}

const SEE_ALL = 'Run `paylens help` to list the commands.';
