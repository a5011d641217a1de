import {atomsOf, widthOf} from './text-width.js';

interface Place {
  readonly width: number;
  /** What the first line begins with: spaces, or a prompt. */
  readonly lead?: string;
}

/** The lines after the first are indented by as much more. */
const HANG = '  ';
/** The words of a POSIX shell, each with its quotes; bash's `$'...'` is one of them. */
const WORD = /(?:\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\]|['"\\])+/gs;

/**
 * The lines of a command that a shell reads as one: each but the last ends in a backslash. A word
 * that is longer than a line is broken, never inside of quotes, and goes on in the first column.
 */
export function continuedLines(command: string, {width, lead = ''}: Place): string[] {
  const whole = lead + command;
  if (widthOf(whole) <= width) return [whole];
  const words = command.match(WORD) ?? [];
  const hang = ' '.repeat(widthOf(lead)) + HANG;
  const lines: string[] = [];
  let line = lead;
  let isEmpty = true;
  words.forEach((word, i) => {
    const room = width - (i === words.length - 1 ? 0 : CONTINUED.length);
    const longer = isEmpty ? line + word : `${line} ${word}`;
    isEmpty = false;
    if (widthOf(longer) <= room) {
      line = longer;
      return;
    }
    if (line !== lead) lines.push(line + CONTINUED);
    const start = line === lead ? lead : hang;
    const pieces =
      widthOf(start + word) <= room ? [start + word] : brokenShellWord(start, word, room);
    line = pieces.pop() ?? '';
    lines.push(...pieces.map((piece) => `${piece}\\`));
  });
  return [...lines, line];
}

const CONTINUED = ' \\';

/** The least part of a word, and the quotes that it stands in. */
interface Atom {
  readonly text: string;
  readonly quote: '' | "'" | '"' | "$'";
}

function brokenShellWord(start: string, word: string, room: number): string[] {
  const pieces: string[] = [];
  let lead = start;
  let piece: Atom[] = [];
  for (const atom of quotedAtoms(word)) {
    if (piece.length > 0 && widthOf(lead + written([...piece, atom])) >= room) {
      pieces.push(lead + written(piece));
      lead = '';
      piece = [];
    }
    piece.push(atom);
  }
  return [...pieces, lead + written(piece)];
}

const SEGMENT = /\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"|(?:\\.|[^'"\\])+|['"\\]/gs;

function quotedAtoms(word: string): Atom[] {
  return (word.match(SEGMENT) ?? []).flatMap((segment): Atom[] => {
    const [, quote = '', text = segment] = /^(\$'|['"])(.*)['"]$/s.exec(segment) ?? [];
    return atomsOf(text).map((atom) => ({text: atom, quote: quote as Atom['quote']}));
  });
}

/** The atoms, those in the same quotes together. */
function written(atoms: readonly Atom[]): string {
  let text = '';
  let quote: Atom['quote'] = '';
  for (const atom of atoms) {
    if (atom.quote !== quote) text += quote.slice(-1) + atom.quote;
    quote = atom.quote;
    text += atom.text;
  }
  return text + quote.slice(-1);
}
