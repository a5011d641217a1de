import {
  type CompletedCommand,
  type CompletionModel,
  type Value,
  wordsAfter,
} from './completion-model.js';

/** The completion script for bash 3.2 and later; needs no bash-completion. */
export function bashScript(model: CompletionModel): string {
  const topics = model.topics.map(({name}) => name).join('|');
  return `${BASH_HEAD}
_paylens() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command=\${COMP_WORDS[1]} first=2 flags=''
  COMPREPLY=()
  # bash splits --flag=value into three words.
  if [ "$cur" = '=' ]; then cur=''; elif [ "$prev" = '=' ]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    _paylens_words '${names(wordsAfter(model))} --help --version' "$cur"
    return
  fi
  case $command in
    ${topics})
      command="$command \${COMP_WORDS[2]}"
      first=3
      ;;
  esac
  if [ "$COMP_CWORD" -lt "$first" ]; then
    case \${COMP_WORDS[1]} in
${model.topics.map(({name}) => `      ${name}) _paylens_words '${names(wordsAfter(model, name))}' "$cur" ;;`).join('\n')}
    esac
    return
  fi
  case $command in
${model.commands.map(bashBranch).join('\n')}
  esac
}

complete -F _paylens paylens`;
}

const BASH_HEAD = `# Completion of paylens for bash: source <(paylens completion bash)
_paylens_words() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "\${1// /$'\\n'}" -- "$2"))
}

_paylens_files() {
  local IFS=$'\\n'
  compopt -o filenames 2> /dev/null
  COMPREPLY=($(compgen -f -- "$1"))
}
`;

function names(words: readonly {readonly name: string}[]): string {
  return words.map(({name}) => name).join(' ');
}

function bashBranch({words, flags, args}: CompletedCommand): string {
  const values = flags.flatMap(({name, char, value}) => {
    if (!value) return [];
    const pattern = [`--${name}`, ...(char ? [`-${char}`] : [])].join('|');
    return [`        ${pattern}) ${completes(value)}; return ;;`];
  });
  const [arg] = args;
  return [
    `    '${words.join(' ')}')`,
    '      case $prev in',
    ...values,
    '      esac',
    `      flags='${flags.map(({name}) => `--${name}`).join(' ')}'`,
    `      case $cur in -*) _paylens_words "$flags" "$cur" ;; *) ${completesArgument(arg?.value)} ;; esac`,
    '      ;;',
  ].join('\n');
}

function completesArgument(value: Value | undefined): string {
  return value === undefined || value.kind === 'text'
    ? '_paylens_words "$flags" "$cur"'
    : completes(value);
}

function completes(value: Value): string {
  if (value.kind === 'file') return '_paylens_files "$cur"';
  return value.kind === 'choice' ? `_paylens_words '${value.choices.join(' ')}' "$cur"` : ':';
}
