/** One line of two strings to hash: the same in both, or how each has it. */
export interface ComparedLine {
  readonly server?: string;
  readonly given?: string;
  /** Characters that both lines begin with; undefined if the lines are the same. */
  readonly same?: number;
}

/** Sets the string that a server hashes beside the one that a caller hashed, line by line. */
export function compareStrings(server: string, given: string): readonly ComparedLine[] {
  const ours = visibleLinesOf(server);
  const theirs = visibleLinesOf(given);
  const count = Math.max(ours.length, theirs.length);
  return Array.from({length: count}, (_, i) => comparedLine(ours[i], theirs[i]));
}

/** A text with its line feeds shown, each line on a line of its own. */
export function visibleLinesOf(text: string): string[] {
  const shown = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n\n')
    .replace(/[^\n\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return shown.split('\n');
}

function comparedLine(server: string | undefined, given: string | undefined): ComparedLine {
  const both = {...(server !== undefined && {server}), ...(given !== undefined && {given})};
  return server === given ? both : {...both, same: commonStart(server ?? '', given ?? '')};
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
