import {ansiText} from './ansi-text.js';
import {CommandText} from './command-text.js';

/**
 * Splits a text into commands and words as bash does. What bash would replace (variables,
 * substitutions, braces) is refused with 9002, since its value is not known here; redirections are
 * dropped.
 */
export function bashCommands(text: string): string[][] {
  const source = new CommandText(text);
  while (source.next !== '') readToken(source);
  source.endCommand();
  return source.commands;
}

const CONTINUED = /\\\r?\n/y;
const BLANKS = /[ \t]+|\r(?=\n)/y;
const SHELL_COMMENT = /#[^\n]*/y;
const OPERATOR = /\n|;|&&?|\|[|&]?/y;
const REDIRECTION = /\d*[<>]+[&|]?[ \t]*(?:[^ \t\r\n"'\\$`<>|&;()]+|'[^']*'|"[^"\\$`]*")?/y;
// Not \s: a byte of UTF-8 may be that of another white space.
const PLAIN = /[^ \t\r\n"'\\$`<>|&;(){}]+/y;
/** What begins a variable or a substitution after a dollar sign. */
const VARIABLE = /\$[\w{([@*#?!$-]/y;

function readToken(source: CommandText): void {
  if (source.skip(CONTINUED) !== undefined) return;
  if (source.isAtWordStart && (source.skip(SHELL_COMMENT) !== undefined || isRedirection(source)))
    return;
  if (source.skip(BLANKS) !== undefined || /[<>]/.test(source.next)) source.endWord();
  else if (source.skip(OPERATOR) !== undefined) source.endCommand();
  else source.add(source.skip(PLAIN) ?? readSpecial(source));
}

function isRedirection(source: CommandText): boolean {
  const found = source.skip(REDIRECTION);
  if (found?.includes('<<')) throw source.fault('found a here-document; expected the text itself');
  return found !== undefined;
}

/** The text that a quoted part, an escape or a single character stands for. */
function readSpecial(source: CommandText): string {
  if (source.next === "'") return readSingle(source);
  if (source.next === '"') return readDouble(source);
  if (source.next === '$') return readDollar(source);
  if (source.next === '{') return readBrace(source);
  if (source.skip(/\\/y) !== undefined || /[}\r]/.test(source.next)) return source.take();
  throw source.fault(
    `found ${source.next === '`' ? 'a backtick' : 'a parenthesis'} outside quotes`,
  );
}

function readSingle(source: CommandText): string {
  const start = source.mark;
  const quoted = source.skip(/'[^']*/y) ?? '';
  if (source.skip(/'/y) === undefined) throw source.fault('unterminated single quote', start);
  return quoted.slice(1);
}

function readDouble(source: CommandText): string {
  const start = source.mark;
  source.skip(/"/y);
  let read = '';
  while (source.skip(/"/y) === undefined) {
    if (source.next === '') throw source.fault('unterminated double quote', start);
    if (source.next === '`') throw source.fault('found a command substitution');
    read += source.skip(/[^"\\$`]+/y) ?? readEscapeOrDollar(source);
  }
  return read;
}

function readEscapeOrDollar(source: CommandText): string {
  if (source.next === '$') return readLoneDollar(source);
  if (source.skip(/\\\n/y) !== undefined) return '';
  // Elsewhere a backslash within double quotes stays.
  source.skip(/\\(?=["\\$`])/y);
  return source.take();
}

function readDollar(source: CommandText): string {
  if (source.skip(/\$(?=")/y) !== undefined) return readDouble(source);
  const start = source.mark;
  if (source.skip(/\$'/y) === undefined) return readLoneDollar(source);
  let written = '';
  while (source.skip(/'/y) === undefined) {
    if (source.next === '') throw source.fault("unterminated $'", start);
    written += source.skip(/[^'\\]+/y) ?? source.skip(/\\[\s\S]?/y);
  }
  return ansiText(written);
}

function readLoneDollar(source: CommandText): string {
  const start = source.mark;
  if (source.skip(VARIABLE) !== undefined)
    throw source.fault('found a shell variable or substitution', start);
  return source.take();
}

// bash makes several words of {a,b} and {1..3}: JSON without quotes never arrives as it looks.
function readBrace(source: CommandText): string {
  const start = source.mark;
  if (source.skip(/\{[^ \t\n{}]*(?:,|\.\.)/y) !== undefined)
    throw source.fault('found { } outside quotes', start);
  return source.take();
}
