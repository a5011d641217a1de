/**
 * Shows control characters as `\xNN`: what comes out of a payload must not steer the terminal or
 * break a table.
 */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}
