/**
 * Text for people is laid out for their terminal: a layout is a function of the width. Without a
 * terminal the width is infinite, and nothing is wrapped.
 *
 * - Paragraphs break at spaces, longer words at the width, hex at whole bytes (`wrap-text.ts`).
 * - A table that does not fit gets narrower columns, or becomes one record after the other; a single
 *   record is vertical (`table.ts`).
 * - A command to copy is never broken.
 */
import {widthOf} from './text-width.js';
import {wrapText} from './wrap-text.js';

/** Something for people, in lines of at most `width` columns. */
export type Layout = (width: number) => string;

/** A paragraph is a layout that is not painted. */
export type Part = Layout | string;

/** Paragraphs; the lines of one are indented as it is. */
export function text(lines: string, paint: (line: string) => string = (line) => line): Layout {
  return (width) =>
    wrapText(lines, width)
      .split('\n')
      .map((line) => paint(line))
      .join('\n');
}

/** The parts below each other. */
export function stack(...parts: readonly Part[]): Layout {
  return (width) => parts.map((part) => layOut(part, width)).join('\n');
}

/** A layout indented by `spaces`. */
export function indented(spaces: number, part: Part): Layout {
  const margin = ' '.repeat(spaces);
  return (width) =>
    layOut(part, width - spaces)
      .split('\n')
      .map((line) => (line === '' ? '' : margin + line))
      .join('\n');
}

/** A line whose text after the first `column` characters is wrapped in a column of its own. */
export function hanging(column: number, line: string): Layout {
  const margin = ' '.repeat(column);
  const body = line.slice(column);
  return (width) => {
    const [first = '', ...more] = wrapText(body, width - column).split('\n');
    const lines = more.map((one) => margin + one.trim());
    return [line.slice(0, column) + first.trimEnd(), ...lines].join('\n');
  };
}

/** A text to copy in one line, after spaces or a prompt. */
export function verbatim(line: string): Layout {
  return () => line;
}

/** A text to copy after a label, unbroken: below it where both do not fit a line. */
export function copied(label: string, whole: string): Layout {
  const line = `${label} ${whole}`;
  return (width) => (widthOf(line) <= width ? line : `${label}\n${whole}`);
}

/** The lines of a part. */
export function layOut(part: Part, width: number): string {
  return typeof part === 'string' ? wrapText(part, width) : part(width);
}
