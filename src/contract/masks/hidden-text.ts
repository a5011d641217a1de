/** What becomes of a character of the text. */
const STARRED = 1;
const REMOVED = 2;

/** A text, and which of its characters are hidden. */
export class HiddenText {
  readonly #text: string;
  #marks: Uint8Array | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Each character becomes an asterisk; or all together one, unless some are hidden already. */
  hide(start: number, end: number, asOne: boolean): void {
    this.#marks ??= new Uint8Array(this.#text.length);
    const marks = this.#marks;
    const isNew = asOne && !marks.subarray(start, end).includes(STARRED);
    for (let i = start; i < end; i++) if (marks[i] === 0) marks[i] = STARRED;
    if (isNew) marks.fill(REMOVED, start + 1, end);
  }

  toString(): string {
    const marks = this.#marks;
    if (!marks) return this.#text;
    let shown = '';
    let copied = 0;
    for (let i = marks.findIndex(Boolean); i >= 0 && i < marks.length; i++) {
      if (marks[i] === 0) continue;
      shown += this.#text.slice(copied, i) + (marks[i] === STARRED ? '*' : '');
      copied = i + 1;
    }
    return shown + this.#text.slice(copied);
  }
}
