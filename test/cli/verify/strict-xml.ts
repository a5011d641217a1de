/** An element of an XML document; text between elements is an error unless it is white space. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
}

/**
 * The root of a well-formed XML 1.0 document; throws for everything that a strict parser rejects.
 */
export function readXml(text: string): Element {
  const foreign = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.exec(text);
  if (foreign) throw new Error(`no XML character at ${foreign.index}`);
  const declaration = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(text);
  if (!declaration) throw new Error('no XML declaration');
  const {element, end} = readElement(text, declaration[0].length);
  if (text.slice(end).trim() !== '') throw new Error('something behind the root');
  return element;
}

function readElement(text: string, start: number): {element: Element; end: number} {
  const open = match(/<([a-z-]+)((?:\s+[a-z-]+="[^"<]*")*)\s*(\/?)>/y, text, start);
  if (!open) throw new Error(`no start tag at ${start}`);
  const [whole, name = '', list = '', closed] = open;
  const attributes = readAttributes(list);
  let at = start + whole.length;
  const children: Element[] = [];
  for (; closed !== '/'; ) {
    at += match(/\s*/y, text, at)?.[0].length ?? 0;
    const close = match(/<\/([a-z-]+)>/y, text, at);
    if (close) {
      if (close[1] !== name) throw new Error(`${close[1]} ends ${name}`);
      at += close[0].length;
      break;
    }
    const child = readElement(text, at);
    children.push(child.element);
    at = child.end;
  }
  return {element: {name, attributes, children}, end: at};
}

function readAttributes(list: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of list.matchAll(/([a-z-]+)="([^"]*)"/g)) {
    if (name in attributes) throw new Error(`${name} stands twice`);
    attributes[name] = readText(value);
  }
  return attributes;
}

const NAMED: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'"};

function readText(value: string): string {
  if (/&(?!#\d+;|#x[\da-f]+;|(?:amp|lt|gt|quot|apos);)/i.test(value)) throw new Error('bare &');
  const plain = value.replace(/[\t\n\r]/g, ' ');
  return plain.replace(/&(?:#x([\da-f]+)|#(\d+)|([a-z]+));/gi, (_, hex, decimal, name) =>
    name ? (NAMED[name] ?? '') : String.fromCodePoint(parseInt(hex ?? decimal, hex ? 16 : 10)),
  );
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
