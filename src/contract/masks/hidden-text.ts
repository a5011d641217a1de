import type {Layer} from './layer.js';

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
