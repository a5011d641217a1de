import {hexByte, latin1Of, upperHexOf} from '../../../../platform/bytes.js';

const STX = 0x02;
const ETX = 0x03;

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
    const length = this.#text.length;
    let lrc = wrongLrc ? 1 : 0;
    let sum = 0;
    for (let i = 0; i < length; i++) {
      lrc ^= this.#text.charCodeAt(i);
      sum += this.#text.charCodeAt(i);
    }
    const head = [STX, length & 0xff, length >> 8].map((value) => this.#unit(value)).join('');
    const tail = [lrc, sum & 0xff, ETX].map((value) => this.#unit(value)).join('');
    return head + this.#text + tail;
  }

  #unit(value: number): string {
    return this.form === 'keyboard' ? hexByte(value) : String.fromCharCode(value);
  }
}
