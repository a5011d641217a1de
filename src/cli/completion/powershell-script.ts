import {
  type CompletedCommand,
  type CompletionModel,
  type Value,
  wordsAfter,
} from './completion-model.js';

/** The completion script for PowerShell 5.1 and later. */
export function powershellScript(model: CompletionModel): string {
  const words = [undefined, ...model.topics.map(({name}) => name)].map(
    (topic) =>
      `  ${powershellQuoted(topic ?? '')} = ${list(wordsAfter(model, topic).map(({name}) => name))}`,
  );
  return `# Completion of paylens for PowerShell: paylens completion powershell | Out-String | Invoke-Expression
$paylensWords = @{
${words.join('\n')}
}
$paylensFlags = @{
${model.commands.map((command) => `  ${powershellQuoted(commandName(command))} = ${list(command.flags.map(({name}) => `--${name}`))}`).join('\n')}
}
$paylensValues = @{
${model.commands.flatMap(valueLines).join('\n')}
}
Register-ArgumentCompleter -Native -CommandName paylens -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '') { $words = @($words | Select-Object -SkipLast 1) }
  $topic = if ($words.Count -gt 0 -and $paylensWords.ContainsKey($words[0])) { $words[0] } else { '' }
  $length = if ($topic) { 2 } else { 1 }
  if ($words.Count -lt $length) {
    $found = $paylensWords[$topic]
  } else {
    $command = ($words | Select-Object -First $length) -join ' '
    $value = $paylensValues["$command $($words[-1])"]
    # Without candidates PowerShell completes file names.
    $found = if ($null -ne $value) { $value } elseif ($wordToComplete -like '-*' ) { $paylensFlags[$command] } else { $paylensValues["$command "] }
  }
  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`;
}

function commandName({words}: CompletedCommand): string {
  return words.join(' ');
}

function valueLines(command: CompletedCommand): string[] {
  const flags = command.flags.flatMap(({name, char, value}) =>
    [`--${name}`, ...(char ? [`-${char}`] : [])].map((flag) => ({flag, value})),
  );
  const argument = {flag: '', value: command.args[0]?.value};
  return [...flags, argument].flatMap(({flag, value}) =>
    value?.kind === 'choice' ? [valueLine(`${commandName(command)} ${flag}`, value)] : [],
  );
}

function valueLine(key: string, {choices}: Extract<Value, {kind: 'choice'}>): string {
  return `  ${powershellQuoted(key)} = ${list(choices)}`;
}

function list(words: readonly string[]): string {
  return `@(${words.map(powershellQuoted).join(', ')})`;
}

function powershellQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
