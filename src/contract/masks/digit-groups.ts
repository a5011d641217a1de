const TIME_COLON = '(?::|%3a)';
const YEAR = '(?:19|20)\\d\\d';
const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const HOUR = '(?:[01]\\d|2[0-4])';
const SIXTY = '[0-5]\\d';
const ZONE = `(?: ?(?:z|(?:[+-]|%2b)\\d\\d(?:${TIME_COLON}?\\d\\d)?))?`;
const TIME = `${HOUR}${TIME_COLON}${SIXTY}(?:${TIME_COLON}[0-6]\\d(?:[.,]\\d{1,9})?)?${ZONE}`;
const DATE = `(?:${YEAR}([-./_])${MONTH}\\1${DAY}|[0-3]?\\d([-./])[0-3]?\\d\\2${YEAR})`;
const BASIC_TIME = `${HOUR}${SIXTY}[0-6]\\d`;
const IPV4_OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const HEX4 = '[\\da-f]{1,4}';

/** Numbers that may satisfy Luhn by chance and are no card, each as it is usually written. */
const TOKENS = new RegExp(
  `(?<!\\d)(?=[\\da-f])(?:${[
    // Dates and times of ISO 8601, and the usual forms of logs.
    `(?<!\\d)${DATE}(?:(?:t|[ ,_+]|, |%20)${TIME})?(?![\\d:])`,
    `(?<!\\d|\\d[:.])${TIME}(?![\\d:])`,
    `(?<=[a-z]{3} {1,2})[0-3]?\\d (?:${YEAR} )?${TIME}(?: ${YEAR})?(?![\\d:])`,
    `(?<!\\d)${YEAR}${MONTH}${DAY}(?:[t _-]?${BASIC_TIME}(?:\\d{3})?|[ _-]${TIME})(?!\\d)`,
    `(?<=\\dt)${BASIC_TIME}(?:[.,]\\d{1,9})?${ZONE}(?!\\d)`,
    // Milliseconds since 1970, from 2014 to 2033: no card number of 13 digits begins so.
    '(?<!\\d|\\d\\.)1[4-9]\\d{8}\\.?\\d{3}(?!\\d|\\.\\d)',
    // IP addresses; a version 6 has eight groups, or begins as assigned ones do.
    `(?<!\\d|\\d\\.)${IPV4_OCTET}(?:\\.${IPV4_OCTET}){3}(?::\\d{1,5})?(?!\\d|\\.\\d)`,
    `(?<![\\da-z:])(?=[\\d:]{0,38}[a-f])[\\da-f]{3,4}(?::${HEX4}){7}(?![\\da-z:])`,
    `(?<![\\da-z:])(?:2[\\da-f]{3}|f[c-f][\\da-f]{2}|64)(?::${HEX4}){0,6}::${HEX4}(?::${HEX4}){0,5}(?![\\da-z:])`,
    // UUIDs: of one without letters, every digit may be one of a card.
    '(?<![\\da-z])(?=[\\d-]{0,35}[a-f])[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}(?![\\da-z])',
    // KSNs, filled with F in front or with the usual beginning of a counter. Without a letter behind the
    // fill it may be a card number that was given as a KSN.
    '(?<![\\da-z])(?:f{4}(?=\\d{0,15}[a-f])[\\da-f]{16}(?:[\\da-f]{4})?|[\\da-f]{14}e[01][\\da-f]{4})(?![\\da-z])',
  ].join('|')})`,
  'gi',
);

/** For each character of a text, 1 if it belongs to such a number. */
function neverCards(text: string): Uint8Array {
  const marks = new Uint8Array(text.length);
  for (const {0: token, index} of text.matchAll(TOKENS)) marks.fill(1, index, index + token.length);
  return marks;
}

/** Lengths of card numbers (ISO/IEC 7812-1). */
export const MIN_CARD_DIGITS = 12;
const MAX_CARD_DIGITS = 19;
/** Ends a group and takes no room: a separator in hex stands there. */
export const GROUP_END = 0;
/** Between two groups: one character of any kind but a letter, or at most three of these. */
const SOFT = Uint8Array.from({length: 256}, (_, code) =>
  /[\s,.;"'-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const MAX_SOFT = 3;
/** Three characters, each before a separator in hex. */
const MAX_BETWEEN = 7;

/**
 * Finds the card numbers of a normalised text: sequences of whole groups with 12 to 19 digits in all
 * that satisfy Luhn and are not all zero, as those of a mask. `hide` gets the places of the digits to hide. Takes linear time.
 */
export function hideCards(text: string, hide: (place: number) => void): void {
  let never: Uint8Array | undefined;
  const mayBeCard: MayBeCard = (digits, length) => {
    never ??= neverCards(text);
    let tokens = 0;
    for (let back = 1; back <= length; back++) tokens += never[digits.place(back)]!;
    return 2 * tokens <= length;
  };
  /** The last digits, and how many of them are of groups that may belong together. */
  const digits = new LastDigits();
  let count = 0;
  let end = 0;
  for (let start = 0; start < text.length; start++) {
    if (!isDigit(text.charCodeAt(start))) continue;
    const isNear = isBetweenGroups(text, end, start);
    for (end = start; isDigit(text.charCodeAt(end)); ) end++;
    const isTooLong = end - start > MAX_CARD_DIGITS;
    if (isTooLong || !isNear) count = 0;
    if (!isTooLong) count += digits.addGroup(text, start, end);
    if (count >= MIN_CARD_DIGITS) {
      const hidden = mostHidden(digits, Math.min(count, MAX_CARD_DIGITS), mayBeCard);
      for (let back = hidden; back > 4; back--)
        if (digits.isNewlyHidden(back)) hide(digits.place(back));
    }
    start = end;
  }
}

/** What a digit adds to the sum of Luhn, if its place from the right is even. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9] as const;

/** Of a digit: its place, the first digit of its group, both sums before it, whether it is hidden. */
const [PLACE_OF, GROUP_OF, SUMS_OF, HIDDEN_OF, FACTS] = [0, 1, 2, 4, 5] as const;

/** The last digits of a text, at least as many as two card numbers have. */
class LastDigits {
  readonly #ring = new Array<number>(64 * FACTS).fill(0);
  /** The sums of Luhn, if the even digits are as they are, or the odd ones, and the others doubled. */
  #even = 0;
  #odd = 0;
  #count = 0;

  /** Adds the digits of a range, and returns how many there are. */
  addGroup(text: string, start: number, end: number): number {
    const group = this.#count;
    for (let at = start; at < end; at++) {
      const i = this.#index(0);
      const value = text.charCodeAt(at) - 0x30;
      const isEven = this.#count++ % 2 === 0;
      this.#ring[i + PLACE_OF] = at;
      this.#ring[i + GROUP_OF] = group;
      this.#ring[i + SUMS_OF] = this.#even;
      this.#ring[i + SUMS_OF + 1] = this.#odd;
      this.#ring[i + HIDDEN_OF] = 0;
      this.#even += isEven ? value : DOUBLED[value]!;
      this.#odd += isEven ? DOUBLED[value]! : value;
    }
    return end - start;
  }

  /** The place of the last digit, which is the first from the end, or of one before it. */
  place(back: number): number {
    return this.#ring[this.#index(back) + PLACE_OF]!;
  }

  /** True the first time. */
  isNewlyHidden(back: number): boolean {
    const i = this.#index(back) + HIDDEN_OF;
    this.#ring[i]!++;
    return this.#ring[i] === 1;
  }

  /** How many digits there are from the beginning of a group on, given one of its digits. */
  lengthFrom(back: number): number {
    return this.#count - this.#ring[this.#index(back) + GROUP_OF]!;
  }

  /** The sum of Luhn of as many digits at the end; 0 if all are zero. */
  sum(length: number): number {
    const i = this.#index(length) + SUMS_OF;
    return this.#count % 2 === 1 ? this.#even - this.#ring[i]! : this.#odd - this.#ring[i + 1]!;
  }

  #index(back: number): number {
    return FACTS * ((this.#count - back) & 63);
  }
}

/** Whether as many digits at the end may be a card number. */
type MayBeCard = (digits: LastDigits, length: number) => boolean;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

function isBetweenGroups(text: string, start: number, end: number): boolean {
  if (end - start > MAX_BETWEEN) return false;
  let count = 0;
  let soft = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === GROUP_END) continue;
    if (isLetter(code)) return false;
    count++;
    soft += SOFT[code] ?? 0;
  }
  return count <= 1 || (count <= MAX_SOFT && soft === count);
}

/**
 * How many digits from the end the first one is that is to be hidden, of the card numbers that end
 * with the last of `count` digits; 0: there is none. The first six and last four digits of a number
 * stay, of 12 the last four.
 */
function mostHidden(digits: LastDigits, count: number, mayBeCard: MayBeCard): number {
  let most = 0;
  for (let length = 0; length < count; ) {
    length = digits.lengthFrom(length + 1);
    if (length < MIN_CARD_DIGITS || length > count) continue;
    const sum = digits.sum(length);
    // Zeros only, as those of a mask, are no card.
    if (sum === 0 || sum % 10 !== 0) continue;
    const hidden = length > MIN_CARD_DIGITS ? length - 6 : length;
    if (hidden > most && mayBeCard(digits, length)) most = hidden;
  }
  return most;
}
