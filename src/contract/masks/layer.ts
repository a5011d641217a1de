/** Where the characters of a text stand in the one that it was read from. */
interface Origin {
  readonly source: Layer;
  readonly start: (at: number) => number;
  readonly end: (at: number) => number;
}

/** A text as it is read, and the range of the original that each of its characters stands for. */
export class Layer {
  readonly text: string;
  /** True if a hidden character becomes as many asterisks as it has in the original. */
  readonly keepsLength: boolean;
  /** Absent: it is the original. Few characters are hidden, so their ranges are not kept. */
  readonly #origin: Origin | undefined;

  constructor(text: string, keepsLength: boolean, origin?: Origin) {
    this.text = text;
    this.keepsLength = keepsLength;
    this.#origin = origin;
  }

  start(at: number): number {
    return this.#origin ? this.#origin.source.start(this.#origin.start(at)) : at;
  }

  end(at: number): number {
    return this.#origin ? this.#origin.source.end(this.#origin.end(at) - 1) : at + 1;
  }

  /** The same with another meaning for what matches `pattern`; undefined if nothing does. */
  rewritten(pattern: RegExp, meaning: Meaning): Layer | undefined {
    let text = '';
    let from = 0;
    for (const match of this.text.matchAll(pattern)) {
      text += this.text.slice(from, match.index) + meaning(match);
      from = match.index + match[0].length;
    }
    if (from === 0) return undefined;
    text += this.text.slice(from);
    // Found when a character is hidden: an array that grows takes longer than all else.
    let cuts: readonly Cut[] | undefined;
    const rangeOf = (at: number) => {
      cuts ??= cutsOf(this.text, pattern, meaning);
      return rangeIn(cuts, at);
    };
    return new Layer(text, this.keepsLength, {
      source: this,
      start: (at) => rangeOf(at)[0],
      end: (at) => rangeOf(at)[1],
    });
  }
}

/** What a match is read as. */
type Meaning = (match: RegExpMatchArray) => string;

/** Characters of a text, from `at` to `end`, that stand for a range of the one before. */
interface Cut {
  readonly at: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

const NO_CUT: Cut = {at: 0, end: 0, from: 0, to: 0};

function cutsOf(text: string, pattern: RegExp, meaning: Meaning): Cut[] {
  let growth = 0;
  return Array.from(text.matchAll(pattern), (match) => {
    const [from, to] = [match.index, match.index + match[0].length];
    const at = from + growth;
    const end = at + meaning(match).length;
    growth = end - to;
    return {at, end, from, to};
  });
}

/** The range that a character stands for: that of its cut, or one character behind the last cut. */
function rangeIn(cuts: readonly Cut[], at: number): readonly [start: number, end: number] {
  let low = 0;
  for (let high = cuts.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (cuts[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  const {end, from, to} = cuts[low - 1] ?? NO_CUT;
  return at < end ? [from, to] : [to + at - end, to + at - end + 1];
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
    const end = layer.end(at);
    for (let i = start; i < end; i++)
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
