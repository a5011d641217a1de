import {hexByte, latin1Of, upperHexOf} from '../../../../platform/bytes.js';
import {FRAME_END, FRAME_START, trailerSums} from './frame.js';

/**
 * Assembles the card data of a frame, the reverse of RecordCursor. In keyboard text bytes become hex
 * pairs and tracks stay as they are; in every other form both are one character per byte.
 */
export class FrameBuilder {
  readonly form: string;
  #text = '';

  constructor(form: string) {
    this.form = form;
  }

  byte(value: number): this {
    return this.bytes(Uint8Array.of(value));
  }

  bytes(bytes: Uint8Array): this {
    this.#text += this.form === 'keyboard' ? upperHexOf(bytes) : latin1Of(bytes);
    return this;
  }

  text(text: string): void {
    this.#text += text;
  }

  /** The card data so far, in characters of the form, as covered by LRC, CheckSum and MAC. */
  get cardData(): string {
    return this.#text;
  }

  /**
   * Builds the frame: STX, length, card data, LRC, CheckSum, ETX; with a wrong LRC if requested.
   */
  finish(wrongLrc = false): string {
    const {length} = this.#text;
    const {lrc, sum} = trailerSums({text: this.#text}, 0, length);
    const unit = (value: number) =>
      this.form === 'keyboard' ? hexByte(value) : String.fromCharCode(value);
    const head = [FRAME_START, length & 0xff, length >> 8].map(unit).join('');
    const tail = [wrongLrc ? lrc ^ 1 : lrc, sum, FRAME_END].map(unit).join('');
    return head + this.#text + tail;
  }
}
