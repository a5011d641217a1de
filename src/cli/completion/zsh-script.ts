import {
  type CompletedCommand,
  type CompletedFlag,
  type CompletionModel,
  type Value,
  wordsAfter,
} from './completion-model.js';

/** The completion script for zsh: a file of fpath called `_paylens`, or sourced. */
export function zshScript(model: CompletionModel): string {
  const topics = model.topics.map(({name}) => name);
  return `${ZSH_HEAD}
_paylens() {
  local -a found
  if (( CURRENT == 2 )); then
    found=(${described(wordsAfter(model))})
    _describe command found
    return
  fi
  local command=$words[2]
  case $command in
    ${topics.join('|')})
      if (( CURRENT == 3 )); then
        case $command in
${topics.map((name) => `          ${name}) found=(${described(wordsAfter(model, name))}) ;;`).join('\n')}
        esac
        _describe command found
        return
      fi
      command="$words[2] $words[3]"
      shift words
      (( CURRENT-- ))
      ;;
  esac
  shift words
  (( CURRENT-- ))
  case $command in
${model.commands.map(zshBranch).join('\n')}
  esac
}

${ZSH_TAIL}`;
}

const ZSH_HEAD = `#compdef paylens
# Completion of paylens for zsh: paylens completion zsh > DIRECTORY_OF_FPATH/_paylens
`;

const ZSH_TAIL = `if [ "$funcstack[1]" = _paylens ]; then
  _paylens "$@"
else
  compdef _paylens paylens
fi`;

function described(words: readonly {readonly name: string; readonly about: string}[]): string {
  return words.map(({name, about}) => zshQuoted(`${name}:${about}`)).join(' ');
}

function zshBranch({words, flags, args}: CompletedCommand): string {
  const specs = [
    ...flags.flatMap(flagSpecs),
    ...args.map(({name, value}) => zshQuoted(`*:${name}:${action(value)}`)).slice(0, 1),
  ];
  return `    '${words.join(' ')}')\n      _arguments -s ${specs.join(' \\\n        ')}\n      ;;`;
}

function flagSpecs({name, char, about, value, isRepeatable}: CompletedFlag): string[] {
  const text = `[${about.replace(/[[\]\\:]/g, '\\$&')}]`;
  const after = value ? `:${name}:${action(value)}` : '';
  const others = char ? `(-${char} --${name})` : '';
  const before = isRepeatable ? '*' : others;
  const long = zshQuoted(`${before}--${name}${value ? '=' : ''}${text}${after}`);
  return char ? [long, zshQuoted(`${before}-${char}${value ? '+' : ''}${text}${after}`)] : [long];
}

function action(value: Value): string {
  if (value.kind === 'file') return '_files';
  return value.kind === 'choice' ? `(${value.choices.join(' ')})` : ' ';
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
