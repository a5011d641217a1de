import type {Config} from '@oclif/core/config';

/** What may follow a flag, or be an argument. */
export type Value =
  | {readonly kind: 'file'}
  | {readonly kind: 'text'}
  | {readonly kind: 'choice'; readonly choices: readonly string[]};

/** A flag as shells complete it. */
export interface CompletedFlag {
  readonly name: string;
  readonly char: string | undefined;
  readonly about: string;
  /** Absent for a flag without a value. */
  readonly value: Value | undefined;
  readonly isRepeatable: boolean;
}

/** A command as shells complete it. */
export interface CompletedCommand {
  readonly words: readonly string[];
  readonly about: string;
  readonly flags: readonly CompletedFlag[];
  readonly args: readonly {readonly name: string; readonly value: Value}[];
}

/** What a shell needs to complete `paylens`: topics with their texts, and all commands. */
export interface CompletionModel {
  readonly topics: readonly {readonly name: string; readonly about: string}[];
  readonly commands: readonly CompletedCommand[];
}

/** Values of arguments and flags that the manifest does not list, by command and name. */
export type KnownValues = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

type Command = Config['commands'][number];
type Flag = Command['flags'][string];

/** The commands and flags of the manifest. */
export function completionModel(config: Config, known: KnownValues): CompletionModel {
  const commands = config.commands
    .map((command) => completed(command, known[command.id] ?? {}))
    .sort((a, b) => (a.words.join(' ') < b.words.join(' ') ? -1 : 1));
  const names = new Set(commands.filter(({words}) => words.length > 1).map(({words}) => words[0]));
  const topics = config.topics
    .filter(({name}) => names.has(name))
    .map(({name, description = ''}) => ({name, about: firstLine(description)}));
  return {topics, commands};
}

/** The words that may come first, or after a topic. */
export function wordsAfter(
  {topics, commands}: CompletionModel,
  topic?: string,
): {name: string; about: string}[] {
  const below = topic === undefined ? [] : [topic];
  const own = commands
    .filter(({words}) => words.length === below.length + 1 && (!topic || words[0] === topic))
    .map(({words, about}) => ({name: words.at(-1) ?? '', about}));
  return topic === undefined ? [...own, ...topics] : own;
}

function completed(command: Command, known: Readonly<Record<string, readonly string[]>>) {
  const flags = Object.values(command.flags);
  return {
    words: command.id.split(':'),
    about: firstLine(command.description ?? ''),
    flags: [...flags.map((flag) => completedFlag(flag, known[flag.name])), HELP_FLAG],
    args: Object.values(command.args).map(({name, options}) => ({
      name: name.toUpperCase(),
      value: valueFrom(known[name] ?? options, /^(?:file|payload|body)$/.test(name)),
    })),
  };
}

const HELP_FLAG: CompletedFlag = {
  name: 'help',
  char: 'h',
  about: 'show help',
  value: undefined,
  isRepeatable: false,
};

function completedFlag(flag: Flag, known: readonly string[] | undefined): CompletedFlag {
  const isOption = flag.type === 'option';
  const choices = known ?? (isOption ? flag.options : undefined);
  return {
    name: flag.name,
    char: flag.char,
    about: firstLine(flag.description ?? ''),
    value: isOption ? valueFrom(choices, flag.helpValue === 'FILE') : undefined,
    isRepeatable: isOption && flag.multiple === true,
  };
}

function valueFrom(choices: readonly string[] | undefined, isFile: boolean): Value {
  if (choices) return {kind: 'choice', choices};
  return {kind: isFile ? 'file' : 'text'};
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
