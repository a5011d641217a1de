/** Breaks `text` into lines of at most `width` characters, at blanks where there are any. */
export function wrapText(text: string, width: number): string {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const end = blank > 0 ? blank : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(blank > 0 ? end + 1 : end);
  }
  return [...lines, rest].join('\n');
}
