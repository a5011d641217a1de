import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {printable} from './terminal-text.js';

/** Longer text could be sent to flood the terminal. */
const MAX_FOREIGN_CHARS = 1000;
/** So that a card number at the cut is still recognised and masked. */
const OVERLAP = 64;

/** Text from the endpoint for people: truncated, card numbers masked, invisible characters escaped. */
export function foreignText(text: string): string {
  const masked = redactCardNumbers(text.slice(0, MAX_FOREIGN_CHARS + OVERLAP));
  return printable(cutText(masked, text.length));
}

/** A text truncated to the limit, with its original length. */
export function cutText(text: string, whole = text.length): string {
  if (whole <= MAX_FOREIGN_CHARS) return text;
  return `${text.slice(0, MAX_FOREIGN_CHARS)}... (truncated: ${whole.toLocaleString('en')} characters)`;
}
