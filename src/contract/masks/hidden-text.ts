const STAR = 0x2a;
const CHUNK = 8192;

/** What becomes of a character of the text. */
const STARRED = 1;
const LEFT_OUT = 2;

/** A text, and which of its characters are hidden. */
export class HiddenText {
  readonly text: string;
  #marks: Uint8Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Each character becomes an asterisk, unless it is hidden already. */
  hide(start: number, end: number): void {
    this.#marks ??= new Uint8Array(this.text.length);
    const marks = this.#marks;
    for (let i = start; i < end; i++) if (marks[i] === 0) marks[i] = STARRED;
  }

  /** All characters together become one asterisk. */
  hideAsOne(start: number, end: number): void {
    this.#marks ??= new Uint8Array(this.text.length);
    const marks = this.#marks;
    if (marks[start] === 0) marks[start] = STARRED;
    for (let i = start + 1; i < end; i++) marks[i] = LEFT_OUT;
  }

  toString(): string {
    const marks = this.#marks;
    if (!marks) return this.text;
    const codes = new Uint16Array(this.text.length);
    let count = 0;
    for (let i = 0; i < marks.length; i++) {
      const mark = marks[i];
      if (mark !== LEFT_OUT) codes[count++] = mark === STARRED ? STAR : this.text.charCodeAt(i);
    }
    return textOf(codes.subarray(0, count));
  }
}

/** Of char codes: a decoder would replace lone surrogates. */
export function textOf(codes: Uint16Array | Uint8Array): string {
  let text = '';
  for (let i = 0; i < codes.length; i += CHUNK) {
    const chunk = codes.subarray(i, i + CHUNK);
    // Takes anything like an array; spread, it would be iterated.
    text += String.fromCharCode.apply(undefined, chunk as unknown as number[]);
  }
  return text;
}
