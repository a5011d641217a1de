// Unseen are controls, format characters such as those that turn the direction of writing, what has
// no width, separators of lines, and what is no character; marks at the beginning, or piled on one
// letter. Printable ASCII has none of them, and is not searched: that would load tables of Unicode.

/**
 * Shows characters that cannot be seen as `\xNN` or `\u{NNNN}`: what comes from outside must not
 * steer the terminal, break a table, or look like what it is not.
 */
export function printable(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?<=^|\p{M}{3})\p{M}/gu;
  return text.replace(unseen, escaped);
}

/** As `printable`, for text whose line feeds are ours. */
export function printableLines(text: string): string {
  if (/^[\n -~]*$/.test(text)) return text;
  const unseen = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?<=^|\p{M}{3})\p{M}/gu;
  return text.replace(unseen, escaped);
}

/** The same JSON without characters that cannot be seen: they become escapes of JSON. */
export function printableJson(json: string): string {
  if (/^[\n -~]*$/.test(json)) return json;
  const unseen = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
  return json.replace(unseen, (character) => character.split('').map(unitEscape).join(''));
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code <= 0xff ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

function unitEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
