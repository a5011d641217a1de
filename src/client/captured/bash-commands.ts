import {PaylensError} from '../../contract/paylens-error.js';
import {ansiText} from './ansi-text.js';

/**
 * Splits a text into commands and words as bash does; one byte a character. What bash would replace
 * (variables, substitutions, braces) is refused with 9002, since its value is not known here;
 * redirections are dropped.
 */
export function bashCommands(text: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at <= text.length; ) {
    const {length, text: part, ends} = tokenAt(text, at, word === undefined);
    at += length;
    // `''` is a word, too.
    if (part !== undefined) word = (word ?? '') + part;
    if (ends && word !== undefined) words.push(word);
    if (ends) word = undefined;
    if (ends !== 'command') continue;
    if (words.length > 0) commands.push(words);
    words = [];
    if (length === 0) break;
  }
  return commands;
}

interface Token {
  readonly length: number;
  /** The text that it adds to the word. */
  readonly text?: string;
  readonly ends?: 'word' | 'command';
}

const LINE_CONTINUATION = /\\\r?\n/y;
const SHELL_COMMENT = /#[^\n]*/y;
const REDIRECTION = /\d*[<>]+[&|]?[ \t]*(?:[^ \t\r\n"'\\$`<>|&;()]+|'[^']*'|"[^"\\$`]*")?/y;
const BLANKS = /[ \t]+|\r(?=\n)|(?=[<>])/y;
const OPERATOR = /\n|;|&&?|\|[|&]?/y;

/** The token at a place; at the end of the text one without length, which ends the command. */
function tokenAt(text: string, at: number, isWordStart: boolean): Token {
  const found = (pattern: RegExp) => matchAt(pattern, text, at);
  if (at === text.length) return {length: 0, ends: 'command'};
  const skipped =
    found(LINE_CONTINUATION) ??
    (isWordStart ? (found(SHELL_COMMENT) ?? found(REDIRECTION)) : undefined);
  if (skipped?.[0].includes('<<') && text[at] !== '#')
    throw commandFault(
      text,
      at + skipped[0].length,
      'found a here-document; expected the text itself',
    );
  if (skipped) return {length: skipped[0].length};
  const blanks = found(BLANKS);
  if (blanks) return {length: blanks[0].length, ends: 'word'};
  const operator = found(OPERATOR);
  if (operator) return {length: operator[0].length, ends: 'command'};
  for (const [pattern, read] of WORD_PARTS) {
    const part = found(pattern);
    if (part) return {length: part[0].length, text: read(part)};
  }
  const fault = FAULTS.find(([pattern]) => found(pattern));
  throw commandFault(text, at, fault?.[1] ?? 'found a parenthesis outside quotes');
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** The parts of a word, and the text of each; not `\s`, which are bytes of UTF-8, too. */
const WORD_PARTS: readonly (readonly [RegExp, (part: RegExpExecArray) => string])[] = [
  [/[^ \t\r\n"'\\$`<>|&;(){}]+|[}\r]/y, ([text]) => text],
  [/'([^']*)'/y, ([, text = '']) => text],
  [/\$?"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y, doubleQuoted],
  [/\$'([^'\\]*(?:\\[\s\S][^'\\]*)*)'/y, ([, text = '']) => ansiText(text)],
  [/\$(?![\w{([@*#?!$"'-])/y, ([text]) => text],
  [/\\([\s\S]?)/y, ([, text = '']) => text],
  // bash makes several words of {a,b} and {1..3}: JSON without quotes never arrives as it looks.
  [/\{(?![^ \t\n{}]*(?:,|\.\.))/y, ([text]) => text],
];

const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/'/y, 'unterminated single quote'],
  [/\$?"/y, 'unterminated double quote'],
  [/\$'/y, "unterminated $'"],
  [/\$/y, 'found a shell variable or substitution'],
  [/\{/y, 'found { } outside quotes'],
  [/`/y, 'found a backtick outside quotes'],
];

/** A backslash within double quotes stays, unless it escapes one of the special characters. */
function doubleQuoted({0: quoted, 1: inner = '', index, input}: RegExpExecArray): string {
  const from = index + quoted.indexOf('"') + 1;
  return inner.replace(
    /\\([\s\S])|`|\$[\w{([@*#?!$-]/g,
    (found, escaped: string | undefined, at) => {
      if (found === '`') throw commandFault(input, from + at, 'found a command substitution');
      if (escaped === undefined)
        throw commandFault(input, from + at, 'found a shell variable or substitution');
      if (escaped === '\n') return '';
      return '"\\$`'.includes(escaped) ? escaped : found;
    },
  );
}

function commandFault(text: string, at: number, what: string): PaylensError {
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return new PaylensError(9002, `command, line ${before.length}, column ${column}: ${what}`, {
    hint: 'Paste the command with its values in place, as a browser copies it.',
  });
}
