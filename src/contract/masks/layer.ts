/** A text as it is read, and the range of the original that each of its characters stands for. */
export class Layer {
  readonly text: string;
  /** True if a hidden character becomes as many asterisks as it has in the original. */
  readonly keepsLength: boolean;
  /** Start and end of each character; empty for the original itself. */
  readonly #ranges: ArrayLike<number>;

  constructor(text: string, keepsLength: boolean, ranges: ArrayLike<number> = []) {
    this.text = text;
    this.keepsLength = keepsLength;
    this.#ranges = ranges;
  }

  start(at: number): number {
    return this.#ranges[2 * at] ?? at;
  }

  end(at: number): number {
    return this.#ranges[2 * at + 1] ?? at + 1;
  }

  /** The same with another meaning for what matches `pattern`; undefined if nothing does. */
  rewritten(pattern: RegExp, meaning: (match: RegExpMatchArray) => string): Layer | undefined {
    const pieces: string[] = [];
    const ranges: number[] = [];
    let end = 0;
    const copyTo = (to: number) => {
      pieces.push(this.text.slice(end, to));
      for (; end < to; end++) ranges.push(this.start(end), this.end(end));
    };
    for (const match of this.text.matchAll(pattern)) {
      copyTo(match.index);
      end += match[0].length;
      const read = meaning(match);
      pieces.push(read);
      for (let i = 0; i < read.length; i++) ranges.push(this.start(match.index), this.end(end - 1));
    }
    if (end === 0) return undefined;
    copyTo(this.text.length);
    return new Layer(pieces.join(''), this.keepsLength, ranges);
  }
}

const STARRED = 1;
const REMOVED = 2;

/** A text, and which of its characters are hidden. */
export class HiddenText {
  readonly #text: string;
  #marks: Uint8Array | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Hides what a character of a layer stands for: by an asterisk each, or all together by one. */
  hide(layer: Layer, at: number): void {
    this.#marks ??= new Uint8Array(this.#text.length);
    const start = layer.start(at);
    for (let i = start; i < layer.end(at); i++)
      this.#marks[i] ||= layer.keepsLength || i === start ? STARRED : REMOVED;
  }

  toString(): string {
    let shown = '';
    let end = 0;
    this.#marks?.forEach((mark, at) => {
      if (mark === 0) return;
      shown += this.#text.slice(end, at) + (mark === STARRED ? '*' : '');
      end = at + 1;
    });
    return shown + this.#text.slice(end);
  }
}
