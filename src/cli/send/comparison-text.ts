import type {ComparedLine} from '../../client/compare-strings.js';

/** Two strings to hash for people: a line in both once, others one above the other, marked. */
export function comparisonText(lines: readonly ComparedLine[]): string {
  return ['string to hash', ...lines.flatMap(textOf)].join('\n');
}

const NONE = '(no such line)';

function textOf({server = NONE, given = NONE, same}: ComparedLine): string[] {
  if (same === undefined) return [`  both    ${server}`];
  const mark = `${' '.repeat(10 + same)}^`;
  return [`- server  ${server}`, `+ given   ${given}`, mark];
}
