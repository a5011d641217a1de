/** One slip in typed or copied digits, and its position. */
export interface DigitEdit {
  readonly kind: 'wrong' | 'swapped' | 'bytes-swapped' | 'lost' | 'added';
  /** Counted from 1, in the digits as given; for a lost digit, the position where it belongs. */
  readonly digit: number;
  /** The true digit in place of a wrong or lost one. */
  readonly right?: string | undefined;
}

/**
 * The fewest edits, at most `most`, by which `given` differs from `right`; undefined if it takes
 * more.
 */
export function digitEdits(given: string, right: string, most: number): DigitEdit[] | undefined {
  if (Math.abs(given.length - right.length) > most) return undefined;
  return [...Array(most + 1).keys()]
    .map((count) => editsFrom(given, 0, right, 0, count))
    .find((edits) => edits !== undefined);
}

/** Describes edits in sentences: `Digit 7 is wrong. Digits 9 and 10 are transposed.` */
export function inSentences(edits: readonly DigitEdit[]): string {
  return edits.map(sentenceOf).join(' ');
}

/** The true digits in sentences: `Digit 7 should be A.` Undefined if none is known. */
export function trueDigits(edits: readonly DigitEdit[]): string | undefined {
  const known = edits.filter(({right}) => right !== undefined);
  const sentences = known.map(({digit, right}) => `Digit ${digit} should be ${right}.`);
  return known.length === 0 ? undefined : sentences.join(' ');
}

function sentenceOf({kind, digit}: DigitEdit): string {
  if (kind === 'swapped') return `Digits ${digit} and ${digit + 1} are transposed.`;
  if (kind === 'bytes-swapped')
    return `Bytes ${(digit + 1) / 2} and ${(digit + 3) / 2} are transposed.`;
  const verdicts = {wrong: 'is wrong', lost: 'was lost', added: 'is extra'};
  return `Digit ${digit} ${verdicts[kind]}.`;
}

/** Finds edits recursively; up to the first difference there is only one way. */
function editsFrom(
  given: string,
  i: number,
  right: string,
  j: number,
  most: number,
): DigitEdit[] | undefined {
  let [at, to] = [i, j];
  while (at < given.length && given[at] === right[to]) {
    at++;
    to++;
  }
  if (at >= given.length && to >= right.length) return [];
  if (most === 0) return undefined;
  const isSwapped = given[at] === right[to + 1] && given[at + 1] === right[to];
  const [byte, own] = [at - (at % 2), to - (at % 2)];
  const areBytesSwapped =
    given.slice(byte, byte + 4) === right.slice(own + 2, own + 4) + right.slice(own, own + 2);
  const ways = [
    ...(isSwapped ? [['swapped', at + 2, to + 2, at] as const] : []),
    ...(areBytesSwapped ? [['bytes-swapped', byte + 4, own + 4, byte] as const] : []),
    ['wrong', at + 1, to + 1, at] as const,
    ['lost', at, to + 1, at] as const,
    ['added', at + 1, to, at] as const,
  ];
  for (const [kind, nextAt, nextTo, place] of ways) {
    if (nextAt > given.length || nextTo > right.length) continue;
    const rest = editsFrom(given, nextAt, right, nextTo, most - 1);
    const digit = kind === 'wrong' || kind === 'lost' ? right.charAt(to).toUpperCase() : undefined;
    if (rest) return [{kind, digit: place + 1, right: digit}, ...rest];
  }
  return undefined;
}
