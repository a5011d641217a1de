import {atomsOf, UNLIMITED, widthOf} from './text-width.js';

/**
 * Breaks each line of `text` into lines of at most `width` columns, indented as it is. It breaks at
 * spaces, but in a command between backticks only if that is longer than a line; a longer word before
 * `#` or after `/`, if it is a name, and else anywhere but within a byte of hex.
 */
export function wrapText(text: string, width: number): string {
  if (width === UNLIMITED) return text;
  return text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= width ? [line] : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const margin = indent.slice(0, Math.floor(width / 2));
  const room = Math.max(width - margin.length, 1);
  return wrapWords(wordsOf(line.slice(indent.length)), room).map((one) => margin + one);
}

function wrapWords(words: readonly string[], room: number): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of words) {
    const longer = line === undefined ? word : `${line} ${word}`;
    if (widthOf(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== undefined) lines.push(line);
    const pieces = piecesOf(word, room);
    line = pieces.pop();
    lines.push(...pieces);
  }
  return line === undefined ? lines : [...lines, line];
}

/** Longer words are data. */
const MAX_NAME = 64;

/** A word, an identifier or an option, but no hex: `hmac-valid`, `--key-file`. */
export function isName(word: string): boolean {
  if (word.length > MAX_NAME || /^[0-9A-Fa-f]{16,}$/.test(word)) return false;
  return /^["'(`]{0,2}[\w./#:@+-]+["'),;`]{0,3}$/.test(word);
}

/** The words between spaces; a command between backticks is one word. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  let isOpen = false;
  for (const part of line.split(' ')) {
    if (isOpen) words.push(`${words.pop()} ${part}`);
    else words.push(part);
    if (part.split('`').length % 2 === 0) isOpen = !isOpen;
  }
  return words;
}

function piecesOf(word: string, room: number): string[] {
  if (widthOf(word) <= room) return [word];
  if (word.includes(' ')) return wrapWords(word.split(' '), room);
  const parts = isName(word) ? word.split(/(?<=\/)|(?=#)/) : [];
  const fit = parts.length > 0 && parts.every((part) => widthOf(part) <= room);
  return filled(fit ? parts : atomsOf(word), room);
}

function filled(atoms: readonly string[], room: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const atom of atoms) {
    if (piece !== '' && widthOf(piece + atom) > room) {
      pieces.push(piece);
      piece = '';
    }
    piece += atom;
  }
  return [...pieces, piece];
}
