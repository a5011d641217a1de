/** What was found where a number of hex digits is expected: the first other character, or how many. */
export function foundHex(text: string): string {
  const bad = text.search(/[^\da-f]/i);
  if (bad >= 0) return `a non-hex character at digit ${bad + 1}`;
  return `${text.length} ${nounFor(text.length, 'character')}`;
}

/** A regular noun after its number: `key` after 1, else `keys`. */
export function nounFor(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
