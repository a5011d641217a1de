import {neverCards} from './never-cards.js';

/** Lengths of card numbers (ISO/IEC 7812-1). */
export const MIN_CARD_DIGITS = 12;
const MAX_CARD_DIGITS = 19;
/** Ends a group and takes no room: a separator in hex stands there. */
export const GROUP_END = '\0';
/** Between two groups: one character of any kind, or at most three soft ones. */
const BETWEEN_GROUPS = /^\0*(?:(?:[^a-z\0]\0*)?|(?:[\s,.;"'-]\0*){2,3})$/i;
/** Three characters, each before a separator in hex. */
const MAX_BETWEEN = 7;

/** What a digit adds to the sum of Luhn, if its place from the right is even. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9] as const;

/**
 * Finds the card numbers of a normalised text: sequences of whole groups with 12 to 19 digits in all
 * that satisfy Luhn. `hide` gets the places of the digits to hide. Takes linear time.
 */
export function hideCards(text: string, hide: (place: number) => void): void {
  /** The digits of the groups that may belong together, and which of them are the first of a group. */
  const places: number[] = [];
  const isFirst: boolean[] = [];
  let never: Uint8Array | undefined;
  let end = 0;
  for (const {0: digits, index} of text.matchAll(/\d+/g)) {
    const isTooLong = digits.length > MAX_CARD_DIGITS;
    const isNear = index - end <= MAX_BETWEEN && BETWEEN_GROUPS.test(text.slice(end, index));
    if (places.length > 0 && (isTooLong || !isNear)) {
      places.length = 0;
      isFirst.length = 0;
    }
    end = index + digits.length;
    if (isTooLong) continue;
    for (let at = index; at < end; at++) isFirst.push(places.push(at) > 0 && at === index);
    for (const count of cardsAtEnd(text, places, isFirst)) {
      const card = places.slice(-count);
      never ??= neverCards(text);
      const excepted = card.filter((place) => never?.[place] === 1).length;
      // The first six and last four digits stay, of 12 the last four.
      if (2 * excepted <= count) card.slice(count > MIN_CARD_DIGITS ? 6 : 0, -4).forEach(hide);
    }
  }
}

/** The lengths of the card numbers that end with the last digit. */
function cardsAtEnd(
  text: string,
  places: readonly number[],
  isFirst: readonly boolean[],
): readonly number[] {
  const found: number[] = [];
  const {length} = places;
  const most = Math.min(MAX_CARD_DIGITS, length);
  for (let count = 1, sum = 0; count <= most; count++) {
    const value = text.charCodeAt(places[length - count]!) - 0x30;
    sum += count % 2 === 1 ? value : DOUBLED[value]!;
    if (count >= MIN_CARD_DIGITS && sum % 10 === 0 && isFirst[length - count]) found.push(count);
  }
  return found;
}
