import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {printable} from './terminal-text.js';

/** Longer text is of no use to a person, and could be sent to flood the terminal. */
const MAX_FOREIGN_CHARS = 1000;
/** A card number that the cut goes through is still recognised in what follows it. */
const OVERLAP = 64;

/** Text of the other side, as people see it: cut, without card numbers, nothing in it unseen. */
export function foreignText(text: string): string {
  const masked = redactCardNumbers(text.slice(0, MAX_FOREIGN_CHARS + OVERLAP));
  return printable(cutText(masked, text.length));
}

/** A text truncated to the limit, with its original length. */
export function cutText(text: string, whole = text.length): string {
  if (whole <= MAX_FOREIGN_CHARS) return text;
  return `${text.slice(0, MAX_FOREIGN_CHARS)}... (truncated: ${whole.toLocaleString('en')} characters)`;
}
