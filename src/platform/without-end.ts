/**
 * A text without the characters at its end that `one` matches, such as `/=/`. In linear time:
 * `replace(/=+$/, '')` tries every run of them to its end, once for each of its characters.
 */
export function withoutEnd(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
