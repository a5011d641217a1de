import type {Layer} from './layer.js';

/** What becomes of a character of the text: it stays, is an asterisk, or is left out. */
const SHOWN = [undefined, '*', ''] as const;
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
    const marks = this.#marks.subarray(layer.start(at), layer.end(at));
    const isNew = !layer.keepsLength && !marks.includes(STARRED);
    for (let i = 0; i < marks.length; i++) if (marks[i] === 0) marks[i] = STARRED;
    if (isNew) marks.fill(REMOVED, 1);
  }

  toString(): string {
    const marks = this.#marks;
    if (!marks) return this.#text;
    return this.#text.replaceAll(/[\s\S]/g, (shown, at: number) => SHOWN[marks[at] ?? 0] ?? shown);
  }
}
