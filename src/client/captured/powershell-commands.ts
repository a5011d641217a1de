import {CommandText} from './command-text.js';

/**
 * Splits a text into commands and words as PowerShell does. `\"` becomes `"`, as a program started
 * by Windows PowerShell gets it. What PowerShell would replace is refused with 9002.
 */
export function powershellCommands(text: string): string[][] {
  const source = new CommandText(text);
  while (source.next !== '') readToken(source);
  source.endCommand();
  return source.commands.map((words) => words.map((word) => word.replaceAll('\\"', '"')));
}

const REDIRECTION = /[\d*]?>+(?:&1|[ \t]*[^ \t\r\n|;]+)/y;

function readToken(source: CommandText): void {
  if (source.skip(/`\r?\n/y) !== undefined) return;
  if (source.isAtWordStart && (source.skip(/#[^\n]*/y) ?? source.skip(REDIRECTION)) !== undefined)
    return;
  if (source.skip(/[ \t]+|\r(?=\n)/y) !== undefined) source.endWord();
  else if (source.skip(/\n|;|&&?|\|\|?/y) !== undefined) source.endCommand();
  else source.add(source.skip(/[^ \t\r\n"'`$|&;(){}]+/y) ?? readSpecial(source));
}

function readSpecial(source: CommandText): string {
  if (source.next === "'") return readSingle(source);
  if (source.next === '"') return readDouble(source);
  if (source.next === '`') return readEscape(source);
  if (source.next === '\r') return source.take();
  throw source.fault('found a variable, a parenthesis or { } outside quotes');
}

function readSingle(source: CommandText): string {
  const start = source.mark;
  source.skip(/'/y);
  let read = '';
  for (;;) {
    read += source.skip(/[^']+/y) ?? '';
    if (source.skip(/''/y) !== undefined) read += "'";
    else if (source.skip(/'/y) !== undefined) return read;
    else if (source.next === '') throw source.fault('unterminated single quote', start);
  }
}

function readDouble(source: CommandText): string {
  const start = source.mark;
  source.skip(/"/y);
  let read = '';
  for (;;) {
    read += source.skip(/[^"`$]+/y) ?? '';
    if (source.next === '') throw source.fault('unterminated double quote', start);
    if (source.skip(/\$[\w{(:?^$]/y) !== undefined) throw source.fault('found a variable');
    if (source.skip(/""/y) !== undefined) read += '"';
    else if (source.skip(/"/y) !== undefined) return read;
    else read += source.next === '`' ? readEscape(source) : source.take();
  }
}

const CONTROLS: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function readEscape(source: CommandText): string {
  source.skip(/`/y);
  const escaped = source.take();
  return CONTROLS[escaped] ?? escaped;
}
