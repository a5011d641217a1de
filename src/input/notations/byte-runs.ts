import type {Place} from './notation.js';
import {NOTATIONS} from './table.js';

/** Characters that write bytes, and how. */
export interface ByteRun extends Place {
  readonly notation: string;
}

/**
 * The places where a text writes at least eight bytes in any notation, by their looks alone, in the
 * order of the text. Decimal numbers, short words and names in programs are left out.
 */
export function byteRuns(text: string): ByteRun[] {
  return NOTATIONS.flatMap(({name, looks = []}) =>
    looks.flatMap(([pattern, isMeant]) =>
      [...text.matchAll(pattern)]
        .filter(([found]) => isMeant?.(found) ?? true)
        .map(({0: found, index}) => ({notation: name, from: index, to: index + found.length})),
    ),
  ).sort((one, other) => one.from - other.from);
}
