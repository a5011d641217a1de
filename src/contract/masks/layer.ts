/** A text as it is read, and the range of the original that each of its characters stands for. */
export class Layer {
  text: string;
  /** True if a hidden character becomes as many asterisks as it has in the original. */
  readonly keepsLength: boolean;
  /** Start and end of each character; empty for the original itself. */
  readonly #places: number[] = [];

  constructor(keepsLength: boolean, text = '') {
    this.keepsLength = keepsLength;
    this.text = text;
  }

  add(characters: string, start: number, end: number): void {
    this.text += characters;
    for (let i = 0; i < characters.length; i++) this.#places.push(start, end);
  }

  start(index: number): number {
    return this.#places[2 * index] ?? index;
  }

  end(index: number): number {
    return this.#places[2 * index + 1] ?? index + 1;
  }
}

/** A text with another meaning for what matches `pattern`; undefined if nothing does. */
export function rewritten(
  source: Layer,
  pattern: RegExp,
  meaning: (match: RegExpMatchArray) => string,
): Layer | undefined {
  const layer = new Layer(source.keepsLength);
  let end = 0;
  const copyTo = (to: number) => {
    for (; end < to; end++) layer.add(source.text.charAt(end), source.start(end), source.end(end));
  };
  for (const match of source.text.matchAll(pattern)) {
    copyTo(match.index);
    end += match[0].length;
    layer.add(meaning(match), source.start(match.index), source.end(end - 1));
  }
  if (end === 0) return undefined;
  copyTo(source.text.length);
  return layer;
}
