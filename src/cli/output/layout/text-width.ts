import stringWidth from 'fast-string-width';

/** The width without a terminal: nothing is wrapped. */
export const UNLIMITED = Number.POSITIVE_INFINITY;

const ASCII = /^[ -~]*$/;
/** Hex of some length, whole bytes of it. */
const HEX_RUN = /(?<![0-9A-Za-z])((?:[0-9A-Fa-f]{2}){4,})(?![0-9A-Za-z])/;
/** An escape of `printable` or of a shell stays whole. */
const ESCAPE = /\\x[0-9a-f]{2}|\\u\{[0-9a-f]+\}|\\.|[^\\]+|\\/g;

/** Columns of a terminal that a line takes: two for a wide character, none for a mark or a colour. */
export function widthOf(line: string): number {
  return ASCII.test(line) ? line.length : stringWidth(line);
}

/** The parts of a word that stay whole when it is broken: bytes of hex, escapes, graphemes. */
export function atomsOf(word: string): string[] {
  return word
    .split(HEX_RUN)
    .flatMap((part, i) => (i % 2 === 1 ? (part.match(/../g) ?? []) : atomsOfText(part)));
}

function atomsOfText(text: string): string[] {
  return (text.match(ESCAPE) ?? []).flatMap((part) =>
    part.startsWith('\\') ? [part] : graphemesOf(part),
  );
}

function graphemesOf(text: string): string[] {
  if (ASCII.test(text)) return [...text];
  return Array.from(new Intl.Segmenter().segment(text), ({segment}) => segment);
}

/** As much of the beginning of a line as fits `width` columns. */
export function cutToWidth(line: string, width: number): string {
  let cut = '';
  for (const atom of widthOf(line) <= width ? [] : graphemesOf(line)) {
    if (widthOf(cut + atom) > width) return cut;
    cut += atom;
  }
  return line;
}
