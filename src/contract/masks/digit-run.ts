import type {HiddenText} from './hidden-text.js';

/** Lengths of card numbers (ISO/IEC 7812-1). */
export const SHORTEST = 12;
export const LONGEST = 19;
/** Of a run that is kept for the next text. */
const CAPACITY = 4096;
/** Digits that encode digits may do so again. */
const DEEPEST = 3;

/** Which stretches of groups may be a card number; the groups are the ones from `first` to `last`. */
export type Shape = (run: DigitRun, first: number, last: number) => boolean;

/**
 * The digits of a text that may belong together, in groups, and where each stands. Making one takes
 * longer than to read a short text, so each is used again.
 */
export class DigitRun {
  length = 0;
  /** Groups that have ended. */
  groups = 0;
  readonly #asOne: boolean;
  readonly #depth: number;
  #values = new Uint8Array(CAPACITY);
  #starts = new Int32Array(CAPACITY);
  #ends = new Int32Array(CAPACITY);
  #groupEnds = new Int32Array(CAPACITY);
  /**
   * Of the digits before each, the sum with every even one doubled, then with every odd one: the
   * last digit of each. Where two are the same, the digits between them satisfy Luhn.
   */
  #sums = new Uint8Array(2 * CAPACITY + 2);
  #decoded: DigitRun | undefined;

  /** `asOne`: what stands for a hidden digit becomes one asterisk. */
  constructor(asOne = false, depth = 0) {
    this.#asOne = asOne;
    this.#depth = depth;
  }

  clear(): void {
    this.length = 0;
    this.groups = 0;
    if (this.#values.length > CAPACITY) this.#resize(CAPACITY);
  }

  add(digit: number, start: number, end: number): void {
    if (this.length === this.#values.length) this.#resize(2 * this.length);
    this.#values[this.length] = digit;
    this.#starts[this.length] = start;
    this.#ends[this.length++] = end;
  }

  /** The digits added next are in another group. */
  endGroup(): void {
    this.#groupEnds[this.groups++] = this.length;
  }

  /** Forgets all but the group that has ended last. */
  keepLastGroup(): void {
    this.#shift(this.groupStart(this.groups - 1));
    this.groups = 0;
    this.endGroup();
  }

  digitAt(index: number): number {
    return this.#values[index] ?? 0;
  }

  groupStart(group: number): number {
    return group === 0 ? 0 : (this.#groupEnds[group - 1] ?? 0);
  }

  sizeOf(group: number): number {
    return (this.#groupEnds[group] ?? 0) - this.groupStart(group);
  }

  /** How many digits start before a place in the text. */
  digitsBefore(place: number): number {
    let count = 0;
    while (count < this.length && (this.#starts[count] ?? 0) < place) count++;
    return count;
  }

  /** Takes digits that are none off the front. */
  dropDigits(count: number): void {
    this.#shift(count);
    let kept = 0;
    for (let group = 0; group < this.groups; group++) {
      const end = (this.#groupEnds[group] ?? 0) - count;
      if (end > 0) this.#groupEnds[kept++] = end;
    }
    this.groups = kept;
  }

  /**
   * Hides the card numbers: stretches of complete groups, of any shape or the one given, that
   * satisfy Luhn. The last group must have ended.
   */
  hideCards(hidden: HiddenText, shape?: Shape): void {
    if (this.length < SHORTEST) return;
    if (this.groups > 1 || this.length <= LONGEST) this.#hideStretches(hidden, shape);
    this.hideEncoded(hidden);
  }

  /** Hides the card numbers that pairs of the digits encode. */
  hideEncoded(hidden: HiddenText): void {
    if (this.length < 2 * SHORTEST || this.#depth === DEEPEST) return;
    this.#hideDecoded(hidden, 0);
    this.#hideDecoded(hidden, 1);
  }

  /** In the hex of ASCII, the first digit of each pair is a three. */
  #hideDecoded(hidden: HiddenText, from: number): void {
    this.#decoded ??= new DigitRun(this.#asOne, this.#depth + 1);
    const decoded = this.#decoded;
    for (let i = from; i < this.length; i += 2) {
      if (this.#values[i] === 3 && i + 1 < this.length) {
        decoded.add(this.#values[i + 1] ?? 0, this.#starts[i] ?? 0, this.#ends[i + 1] ?? 0);
      } else if (decoded.length > 0) decoded.finish(hidden);
    }
    decoded.finish(hidden);
  }

  /** Ends the last group, hides the card numbers, and is empty for others. */
  finish(hidden: HiddenText, shape?: Shape): void {
    if (this.length >= SHORTEST) {
      this.endGroup();
      this.hideCards(hidden, shape);
    }
    this.clear();
  }

  /** A card number may be between other numbers. */
  #hideStretches(hidden: HiddenText, shape: Shape | undefined): void {
    this.#sum();
    for (let first = 0; first < this.groups; first++) {
      const start = this.groupStart(first);
      if (this.length - start < SHORTEST) return;
      this.#hideFrom(first, start, hidden, shape);
    }
  }

  /** Of the stretches from a group on, the longest covers the others. */
  #hideFrom(first: number, start: number, hidden: HiddenText, shape: Shape | undefined): void {
    const ends = this.#groupEnds;
    const sums = this.#sums;
    let from = 0;
    let to = 0;
    for (let last = first; last < this.groups; last++) {
      const end = ends[last] ?? 0;
      const length = end - start;
      if (length > LONGEST) break;
      if (length < SHORTEST || sums[2 * end + (end & 1)] !== sums[2 * start + (end & 1)]) continue;
      if (shape && !shape(this, first, last)) continue;
      if (to === 0) from = length > SHORTEST ? start + 6 : start;
      to = end - 4;
    }
    for (let digit = from; digit < to; digit++) this.#hide(digit, hidden);
  }

  #shift(count: number): void {
    this.length -= count;
    for (let i = 0; i < this.length; i++) {
      this.#values[i] = this.#values[i + count] ?? 0;
      this.#starts[i] = this.#starts[i + count] ?? 0;
      this.#ends[i] = this.#ends[i + count] ?? 0;
    }
  }

  #hide(digit: number, hidden: HiddenText): void {
    const [start, end] = [this.#starts[digit] ?? 0, this.#ends[digit] ?? 0];
    if (this.#asOne) hidden.hideAsOne(start, end);
    else hidden.hide(start, end);
  }

  #sum(): void {
    const sums = this.#sums;
    let [even, odd] = [0, 0];
    for (let i = 0; i < this.length; i++) {
      const digit = this.#values[i] ?? 0;
      const doubled = digit > 4 ? 2 * digit - 9 : 2 * digit;
      even += (i & 1) === 0 ? doubled : digit;
      odd += (i & 1) === 0 ? digit : doubled;
      if (even > 9) even -= 10;
      if (odd > 9) odd -= 10;
      sums[2 * i + 2] = even;
      sums[2 * i + 3] = odd;
    }
  }

  #resize(capacity: number): void {
    const kept = Math.min(this.length, capacity);
    const resized = <T extends Uint8Array | Int32Array>(from: T, to: T): T => {
      to.set(from.subarray(0, kept));
      return to;
    };
    this.#values = resized(this.#values, new Uint8Array(capacity));
    this.#starts = resized(this.#starts, new Int32Array(capacity));
    this.#ends = resized(this.#ends, new Int32Array(capacity));
    this.#groupEnds = resized(this.#groupEnds, new Int32Array(capacity));
    this.#sums = new Uint8Array(2 * capacity + 2);
  }
}
