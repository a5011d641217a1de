import {neverCards} from './never-cards.js';

/** Lengths of card numbers (ISO/IEC 7812-1). */
export const MIN_CARD_DIGITS = 12;
const MAX_CARD_DIGITS = 19;
/** Between two groups of digits: one character of any kind, or so many soft ones. */
const MAX_SOFT_CHARS = 3;
/** Ends a group and takes no room: a separator in hex stands there. */
export const GROUP_END = '\0';

/** What a character is, besides the digit of that value. */
const SOFT = 10;
const OTHER = 11;
const LETTER = 12;
const NO_WIDTH = 13;

const KINDS = Uint8Array.from({length: 128}, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\d/.test(character)) return Number(character);
  if (/[\s,.;"'-]/.test(character)) return SOFT;
  if (/[a-z]/i.test(character)) return LETTER;
  return character === GROUP_END ? NO_WIDTH : OTHER;
});

/** One separator: a tag, the mark of a hex byte, an escaped space or tab in front of a digit. */
const MARK = /<\/?[a-z]{1,10} ?\/?>|(?<!\d)0x|\\x|%(?:25){0,3}(?:20|09)(?=\d)/iy;
const MARK_STARTS = Uint8Array.from({length: 128}, (_, code) =>
  /[<0\\%]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** How many characters stand for one separator at a place, or 0. */
export function markLength(text: string, at: number, code: number): number {
  if (MARK_STARTS[code] !== 1) return 0;
  MARK.lastIndex = at;
  return MARK.test(text) ? MARK.lastIndex - at : 0;
}

/**
 * Finds the card numbers of a normalised text: sequences of whole groups with 12 to 19 digits in all
 * that satisfy Luhn. `hide` gets the places of the digits to hide. Takes linear time.
 */
export function hideGroups(text: string, hide: (places: readonly number[]) => void): void {
  const groups = new DigitGroups(text, hide);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = KINDS[code] ?? OTHER;
    const mark = markLength(text, i, code);
    if (kind < SOFT && mark === 0) groups.add(kind, i);
    else groups.separate(mark > 0 ? SOFT : kind);
    if (mark > 0) i += mark - 1;
  }
  groups.separate(LETTER);
}

/** The last digits of a text that may belong together; their arrays are used in a circle. */
class DigitGroups {
  readonly #text: string;
  readonly #hide: (places: readonly number[]) => void;
  readonly #values = new Uint8Array(32);
  readonly #places = new Float64Array(32);
  readonly #isFirst = new Uint8Array(32);
  #neverCards: Uint8Array | undefined;
  #count = 0;
  #groupDigits = 0;
  #between = 0;
  #hasOther = false;

  constructor(text: string, hide: (places: readonly number[]) => void) {
    this.#text = text;
    this.#hide = hide;
  }

  add(value: number, place: number): void {
    const at = this.#count++ & 31;
    this.#values[at] = value;
    this.#places[at] = place;
    this.#isFirst[at] = this.#groupDigits++ === 0 ? 1 : 0;
    this.#between = 0;
    this.#hasOther = false;
  }

  /** Takes a character that is no digit; forgets the groups if no more can belong to them. */
  separate(kind: number): void {
    if (this.#count === 0) return;
    if (this.#groupDigits > 0) this.#endGroup();
    if (kind === NO_WIDTH) return;
    this.#between++;
    this.#hasOther ||= kind !== SOFT;
    if (kind === LETTER || this.#between > (this.#hasOther ? 1 : MAX_SOFT_CHARS)) this.#count = 0;
  }

  #endGroup(): void {
    if (this.#groupDigits > MAX_CARD_DIGITS) this.#count = 0;
    this.#groupDigits = 0;
    let sum = 0;
    const longest = Math.min(this.#count, MAX_CARD_DIGITS);
    for (let digits = 1; digits <= longest; digits++) {
      const at = (this.#count - digits) & 31;
      const value = this.#values[at] ?? 0;
      const weighed = digits % 2 === 0 ? 2 * value : value;
      sum += weighed > 9 ? weighed - 9 : weighed;
      if (digits >= MIN_CARD_DIGITS && sum % 10 === 0 && this.#isFirst[at] === 1)
        this.#hideCard(digits);
    }
  }

  /** The first six and last four digits stay, of 12 the last four. */
  #hideCard(digits: number): void {
    const first = this.#count - digits;
    const places = Array.from({length: digits}, (_, i) => this.#places[(first + i) & 31] ?? 0);
    this.#neverCards ??= neverCards(this.#text);
    const never = this.#neverCards;
    if (2 * places.filter((place) => never[place] === 1).length > digits) return;
    this.#hide(places.slice(digits > MIN_CARD_DIGITS ? 6 : 0, -4));
  }
}
