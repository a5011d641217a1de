// The Markdown elements used by the pages of docs.

type Cells = readonly (string | number)[];

/** A table; cells may contain `|`. */
export function table(head: Cells, rows: readonly Cells[]): string {
  const line = (cells: Cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `* ${item}`).join('\n');
}

/** A fenced block of `text`. */
export function fence(language: string, text: string): string {
  return [`\`\`\`${language}`, text, '```'].join('\n');
}

/** Text in which addresses are turned into links. */
export function linked(text: string): string {
  return text.replaceAll(/https?:\/\/\S+/g, (address) => `<${address}>`);
}

/** The non-empty sections, separated by blank lines. */
export function page(...sections: readonly string[]): string {
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function cell(text: string | number): string {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}
