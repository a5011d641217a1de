/**
 * Breaks each line of `text` into lines of at most `width` characters, at spaces where there are
 * any.
 */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let start = 0;
  while (line.length - start > width) {
    const blank = line.slice(start, start + width + 1).lastIndexOf(' ');
    const end = blank > 0 ? start + blank : wholeCharacters(line, start + width);
    lines.push(line.slice(start, end));
    start = blank > 0 ? end + 1 : end;
  }
  return [...lines, line.slice(start)];
}

/** The end, or the one before it when it would part the two halves of a character. */
function wholeCharacters(line: string, end: number): number {
  const next = line.charCodeAt(end);
  return next >= 0xdc00 && next <= 0xdfff ? end - 1 : end;
}
