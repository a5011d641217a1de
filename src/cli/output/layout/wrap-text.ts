import {atomsOf, UNLIMITED, widthOf} from './text-width.js';

/**
 * Breaks each line of `text` into lines of at most `width` columns, indented as it is. It breaks at
 * spaces, but in a command between backticks only if that is longer than a line, and within a longer
 * word anywhere but within a byte of hex.
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
  return word.includes(' ') ? wrapWords(word.split(' '), room) : brokenWord(word, room);
}

function brokenWord(word: string, room: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const atom of atomsOf(word)) {
    if (piece !== '' && widthOf(piece + atom) > room) {
      pieces.push(piece);
      piece = '';
    }
    piece += atom;
  }
  return [...pieces, piece];
}
