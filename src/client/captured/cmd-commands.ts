import {CommandText} from './command-text.js';

/**
 * Splits a text into commands and words as cmd.exe and the runtime of a Windows program do: first
 * carets and operators, then quotes and backslashes.
 */
export function cmdCommands(text: string): string[][] {
  return commandLines(text)
    .map(argumentsOf)
    .filter((words) => words.length > 0);
}

/** The command lines that cmd.exe starts programs with. */
function commandLines(text: string): string[] {
  const source = new CommandText(text);
  let isQuoted = false;
  while (source.next !== '') {
    if (source.skip(/\r?\n/y) !== undefined || (!isQuoted && isOperator(source))) {
      isQuoted = false;
      source.endCommand();
    } else if (source.skip(/"/y) !== undefined) {
      isQuoted = !isQuoted;
      source.add('"');
    } else if (!isQuoted && source.skip(/\^/y) !== undefined) source.add(readEscaped(source));
    else source.add(source.skip(/[^"^&|<>\r\n]+/y) ?? source.take());
  }
  source.endCommand();
  return source.commands.map(([line = '']) => line);
}

function isOperator(source: CommandText): boolean {
  return source.skip(/&&?|\|\|?|[<>]+&?[ \t]*[^ \t\r\n&|<>]*/y) !== undefined;
}

// A caret at the end of a line continues it; the next character is taken as it is, even a line end.
function readEscaped(source: CommandText): string {
  if (source.skip(/\r?\n/y) === undefined) return source.take();
  return source.skip(/\r?\n/y) === undefined ? source.take() : '\n';
}

/** The arguments of a program, by the rules of the Microsoft C runtime. */
function argumentsOf(line: string): string[] {
  const source = new CommandText(line);
  let isQuoted = false;
  while (source.next !== '') {
    if (!isQuoted && source.skip(/[ \t]+/y) !== undefined) source.endWord();
    else if (isQuoted && source.skip(/""/y) !== undefined) source.add('"');
    else if (source.skip(/"/y) !== undefined) {
      source.add('');
      isQuoted = !isQuoted;
    } else
      source.add(source.skip(isQuoted ? /[^"\\]+/y : /[^"\\ \t]+/y) ?? readBackslashes(source));
  }
  source.endCommand();
  return source.commands[0] ?? [];
}

// Backslashes are plain except before a double quote.
function readBackslashes(source: CommandText): string {
  const {length} = source.skip(/\\+/y) ?? '';
  if (source.next !== '"') return '\\'.repeat(length);
  return '\\'.repeat(Math.floor(length / 2)) + (length % 2 === 1 ? source.take() : '');
}
