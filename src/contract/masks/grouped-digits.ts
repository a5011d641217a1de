import {classOf, GAP, LETTER, NOWHERE} from './character-class.js';
import {DigitRun, LONGEST, type Shape} from './digit-run.js';
import {BACKSLASH, escapeNear, hideBehindEscape, PERCENT} from './escapes.js';
import type {HiddenText} from './hidden-text.js';

const MOST_PIECES = 3;
const LONGEST_GROUP = 9;
/** Digits or bytes one by one: six are more than a time or an IP address has. */
const FEWEST_BYTES = 6;
const ZERO = 0x30;
const AMPERSAND = 0x26;
const LESS_THAN = 0x3c;
const LOWER_X = 0x78;

/** With one of these between, pairs and single digits are bytes, also as a part of a longer row. */
const OF_BYTES = /^[.:/_|]$|x$/i;
const COMMA = /,/;
const TAG = /<\/?[a-z]{1,10} ?\/?>/iy;
const ESCAPE = /%[\da-f]{2}|\\(?:[nrt]|u[\da-f]{4})|&(?:nbsp|#\w{2,5});/iy;

/**
 * Hides card numbers in groups as on a card, or bytes or digits one by one, with the same between
 * them: dots, two spaces, `0x`, a tag, and escapes too if they are to be `decoded`.
 */
export function hideGrouped(hidden: HiddenText, decoded: boolean): void {
  const {text} = hidden;
  const groups = new Groups(hidden);
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i);
    const end = classOf(code) < GAP ? groupEnd(text, i) : i;
    if (end > i) groups.add(i, end);
    else groups.separate(i, code, pieceLength(text, i, code, decoded));
    i = end > i ? end : groups.end;
  }
  groups.clear();
}

/** The end of the digits from a place on; of `0x` before a byte, none are digits. */
function groupEnd(text: string, start: number): number {
  if (isPrefix(text, start)) return start;
  let end = start + 1;
  while (classOf(text.charCodeAt(end)) < GAP) end++;
  return end;
}

function isPrefix(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== ZERO || (text.charCodeAt(at + 1) | 0x20) !== LOWER_X) return false;
  return at === 0 || isBetween(text.charCodeAt(at - 1));
}

function isBetween(code: number): boolean {
  const kind = classOf(code);
  return kind >= GAP && kind !== LETTER;
}

/** How long one of the few things is that may stand between two groups, or 0. */
function pieceLength(text: string, at: number, code: number, decoded: boolean): number {
  if (code === ZERO) return 2;
  if (code === LESS_THAN) return Math.max(matchedLength(TAG, text, at), 1);
  if (code === BACKSLASH && (text.charCodeAt(at + 1) | 0x20) === LOWER_X) return 2;
  if (decoded && (code === PERCENT || code === BACKSLASH || code === AMPERSAND))
    return Math.max(matchedLength(ESCAPE, text, at), 1);
  return isBetween(code) ? 1 : 0;
}

function matchedLength(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex - at : 0;
}

const RUN = new DigitRun();

/** Groups of digits with the same between them. */
class Groups {
  /** Where the last group or piece ends. */
  end = 0;
  readonly #hidden: HiddenText;
  readonly #run = RUN;
  #groupEnd = 0;
  #pieces = 0;
  /** What stands between the groups. */
  #between = 0;
  #length = 0;
  #escape = NOWHERE;
  #behind = NOWHERE;
  /** How many of the groups before each are not of four digits, or of more than two. */
  readonly #notFour: number[] = [0];
  readonly #large: number[] = [0];

  constructor(hidden: HiddenText) {
    this.#hidden = hidden;
  }

  add(start: number, end: number): void {
    this.end = end;
    if (end - start > LONGEST_GROUP) {
      this.clear();
      return;
    }
    if (this.#run.length === 0) this.#behind = escapeNear(this.#escape, start);
    else this.#join(start);
    for (let at = start; at < end; at++)
      this.#run.add(this.#hidden.text.charCodeAt(at) - ZERO, at, at + 1);
    this.#run.endGroup();
    this.#groupEnd = end;
    this.#pieces = 0;
  }

  /** Takes what stands between groups; a length of 0 is of something that cannot. */
  separate(at: number, code: number, length: number): void {
    this.end = at + Math.max(length, 1);
    if (code === PERCENT || code === BACKSLASH) this.#escape = at;
    if (this.#run.length > 0 && (length === 0 || ++this.#pieces > MOST_PIECES)) this.clear();
  }

  clear(): void {
    this.#hide();
    this.#run.clear();
    this.#pieces = 0;
  }

  #join(start: number): void {
    const length = start - this.#groupEnd;
    if (this.#run.groups > 1 && this.#isBetween(this.#groupEnd, length)) return;
    if (this.#run.groups > 1) {
      this.#hide();
      this.#run.keepLastGroup();
      this.#behind = NOWHERE;
    }
    this.#between = this.#groupEnd;
    this.#length = length;
  }

  #isBetween(at: number, length: number): boolean {
    if (length !== this.#length) return false;
    const {text} = this.#hidden;
    for (let i = 0; i < length; i++)
      if (text.charCodeAt(at + i) !== text.charCodeAt(this.#between + i)) return false;
    return true;
  }

  #hide(): void {
    const run = this.#run;
    if (run.groups < 3) return;
    const between = this.#hidden.text.slice(this.#between, this.#between + this.#length);
    if (between.length === 1 && classOf(between.charCodeAt(0)) === GAP) return;
    const isOfBytes = OF_BYTES.test(between);
    const shape = this.#shapeWith(isOfBytes, COMMA.test(between));
    hideBehindEscape(run, this.#behind, this.#hidden, () => {
      this.#count();
      const isLongRow = run.groups > LONGEST && this.#large[run.groups] === 0;
      if (isLongRow && !isOfBytes) run.hideEncoded(this.#hidden);
      else run.hideCards(this.#hidden, shape);
    });
  }

  #shapeWith(isOfBytes: boolean, hasComma: boolean): Shape {
    return (run, first, last) => {
      if (this.#isAsOnCard(run, first, last)) return true;
      if ((hasComma && !isOfBytes) || last - first + 1 < FEWEST_BYTES) return false;
      if ((this.#large[last + 1] ?? 0) > (this.#large[first] ?? 0)) return false;
      return isOfBytes || (first === 0 && last === run.groups - 1 && mayBeIssuer(run));
    };
  }

  /** In fours, the last of which may be less, or as four, six and the rest. */
  #isAsOnCard(run: DigitRun, first: number, last: number): boolean {
    if (run.sizeOf(first) !== 4) return false;
    if (last === first + 2 && run.sizeOf(first + 1) === 6) return run.sizeOf(last) > 1;
    return this.#notFour[last] === this.#notFour[first] && run.sizeOf(last) <= 4;
  }

  #count(): void {
    for (let group = 0; group < this.#run.groups; group++) {
      const size = this.#run.sizeOf(group);
      this.#notFour[group + 1] = (this.#notFour[group] ?? 0) + (size === 4 ? 0 : 1);
      this.#large[group + 1] = (this.#large[group] ?? 0) + (size > 2 ? 1 : 0);
    }
  }
}

/** No card number begins with another digit; packed digits may have a zero in front. */
function mayBeIssuer(run: DigitRun): boolean {
  const digit = run.digitAt(0) || run.digitAt(1);
  return digit >= 2 && digit <= 6;
}
