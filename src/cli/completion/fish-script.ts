import {
  type CompletedCommand,
  type CompletedFlag,
  type CompletionModel,
  type Value,
  wordsAfter,
} from './completion-model.js';

/** The completion script for fish. */
export function fishScript(model: CompletionModel): string {
  const first = wordsAfter(model).map((word) => candidate('__paylens_at', word));
  const below = model.topics.flatMap(({name}) =>
    wordsAfter(model, name).map((word) => candidate(`__paylens_at ${name}`, word)),
  );
  return [FISH_HEAD, ...first, ...below, ...model.commands.flatMap(commandLines)].join('\n');
}

const FISH_HEAD = `# Completion of paylens for fish: paylens completion fish > ~/.config/fish/completions/paylens.fish
function __paylens_at
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv"
end

function __paylens_in
    set -l words (commandline -opc)
    test (count $words) -gt (count $argv); and test "$words[2..$(math (count $argv) + 1)]" = "$argv"
end

complete -c paylens -f
complete -c paylens -n __paylens_at -l help -s h -d 'show help'
complete -c paylens -n __paylens_at -l version -s v -d 'show the version'`;

function candidate(condition: string, word: {readonly name: string; readonly about: string}) {
  return `complete -c paylens -n '${condition}' -a ${word.name} -d ${fishQuoted(word.about)}`;
}

function commandLines({words, flags, args}: CompletedCommand): string[] {
  const before = `complete -c paylens -n '__paylens_in ${words.join(' ')}'`;
  const [arg] = args;
  const argument = arg && arg.value.kind !== 'text' ? [`${before} ${valueFlags(arg.value)}`] : [];
  return [...flags.map((flag) => flagLine(before, flag)), ...argument];
}

function flagLine(before: string, {name, char, about, value}: CompletedFlag): string {
  const letter = char ? ` -s ${char}` : '';
  const after = value ? ` ${value.kind === 'file' ? '-r -F' : `-x ${valueFlags(value)}`}` : '';
  return `${before} -l ${name}${letter}${after} -d ${fishQuoted(about)}`;
}

function valueFlags(value: Value): string {
  if (value.kind === 'file') return '-F';
  return value.kind === 'choice' ? `-a ${fishQuoted(value.choices.join(' '))}` : '';
}

function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
