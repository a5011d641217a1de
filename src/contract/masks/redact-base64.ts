import {isDigit, sextetOf} from './character-class.js';
import {HiddenText, textOf} from './hidden-text.js';

const SHORTEST_TOKEN = 16;
/** Groups of four characters that hold digits, among them ones that do not, as in UTF-16. */
const FEWEST_GROUPS = 3;
const LONGEST_GAP = 8;
/** What may hold the rest of the first and the last number. */
const AROUND = 24;

/**
 * Hides in base64 what `redact` hides in the encoded text: the characters of each hidden byte
 * become asterisks. `redact` must keep lengths. Base64 of text without digits is not decoded. Takes
 * linear time.
 */
export function redactBase64(text: string, redact: (decoded: string) => string): string {
  const hidden = new HiddenText(text);
  hideBase64(hidden, redact);
  return hidden.toString();
}

/** Hides in base64 what `redact` hides in the encoded text. */
export function hideBase64(hidden: HiddenText, redact: (decoded: string) => string): void {
  const {text} = hidden;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (sextetOf(text.charCodeAt(i)) < 64) continue;
    if (i - start >= SHORTEST_TOKEN) new Token(hidden, start, i, redact).hide();
    start = i + 1;
  }
}

/** Digits in base64, from the first group of four to the last. */
interface Stretch {
  first: number;
  last: number;
  groups: number;
}

/** Characters of base64, in which groups of four may begin at each place. */
class Token {
  readonly #hidden: HiddenText;
  readonly #start: number;
  readonly #end: number;
  readonly #redact: (decoded: string) => string;

  constructor(hidden: HiddenText, start: number, end: number, redact: (decoded: string) => string) {
    this.#hidden = hidden;
    this.#start = start;
    this.#end = end;
    this.#redact = redact;
  }

  hide(): void {
    const stretches = [0, 1, 2, 3].map((): Stretch => ({first: 0, last: -LONGEST_GAP, groups: 0}));
    let bits = 0;
    for (let i = this.#start; i < this.#end; i++) {
      bits = ((bits << 6) | sextetOf(this.#hidden.text.charCodeAt(i))) & 0xffffff;
      const at = i - 3;
      const stretch = stretches[at & 3];
      if (at < this.#start || !stretch || !holdsDigits(bits)) continue;
      if (at - stretch.last > LONGEST_GAP) {
        this.#hideIn(stretch);
        stretch.first = at;
        stretch.groups = 0;
      }
      stretch.last = at;
      stretch.groups++;
    }
    for (const stretch of stretches) this.#hideIn(stretch);
  }

  #hideIn({first, last, groups}: Stretch): void {
    if (groups < FEWEST_GROUPS) return;
    let start = Math.max(first - AROUND, this.#start);
    start += (first - start) & 3;
    const end = Math.min(last + 4 + AROUND, this.#end);
    const decoded = this.#decode(start, end);
    const redacted = this.#redact(decoded);
    if (redacted === decoded) return;
    for (let i = 0; i < decoded.length; i++) {
      if (redacted[i] === decoded[i]) continue;
      this.#hidden.hide(start + (((8 * i) / 6) | 0), start + (((8 * i + 7) / 6) | 0) + 1);
    }
  }

  #decode(start: number, end: number): string {
    const bytes = new Uint8Array(Math.floor(((end - start) * 6) / 8));
    let bits = 0;
    let count = 0;
    for (let i = start; i < end; i++) {
      bits = ((bits << 6) | sextetOf(this.#hidden.text.charCodeAt(i))) & 0xffffff;
      const place = (i - start) & 3;
      if (place > 0) bytes[count++] = bits >> (6 - 2 * place);
    }
    return textOf(bytes);
  }
}

/** True if two of three bytes are digits. */
function holdsDigits(bits: number): boolean {
  const [first, second, third] = [
    isDigit(bits >> 16),
    isDigit((bits >> 8) & 255),
    isDigit(bits & 255),
  ];
  return first ? second || third : second && third;
}
