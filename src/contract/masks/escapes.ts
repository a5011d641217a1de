import {isNibble, NOWHERE} from './character-class.js';
import {type DigitRun, SHORTEST} from './digit-run.js';
import type {HiddenText} from './hidden-text.js';

export const PERCENT = 0x25;
export const BACKSLASH = 0x5c;
const LOWER_X = 0x78;
const LOWER_U = 0x75;

const LONGEST_ESCAPE = 9;

/**
 * Hides card numbers in a run whose first digits may be the last ones of an escape: `%20`, `%2520`,
 * `\\u0000`. They may also be digits of the card number, so the results of both readings are hidden.
 */
export function hideBehindEscape(
  run: DigitRun,
  escaped: number,
  hidden: HiddenText,
  hide: () => void,
): void {
  if (run.length < SHORTEST) return;
  hide();
  if (escaped === NOWHERE) return;
  for (const end of escapeEnds(hidden.text, escaped)) {
    const count = run.digitsBefore(end);
    if (count === 0) continue;
    run.dropDigits(count);
    hide();
  }
}

/** The last escape before a place that may reach to it, else nowhere. */
export function escapeNear(escaped: number, at: number): number {
  return at - escaped <= LONGEST_ESCAPE ? escaped : NOWHERE;
}

/** Where the escape that begins at `start` may end. */
function escapeEnds(text: string, start: number): number[] {
  if (text.charCodeAt(start) === PERCENT) return percentEnds(text, start + 1);
  const kind = text.charCodeAt(start + 1) | 0x20;
  if (kind === LOWER_X) return [start + 4];
  return kind === LOWER_U ? [start + 6] : [];
}

/** Percent signs may be escaped themselves. */
function percentEnds(text: string, start: number): number[] {
  const ends: number[] = [];
  for (let i = start; i <= start + 6; i += 2) {
    if (!isNibble(text.charCodeAt(i)) || !isNibble(text.charCodeAt(i + 1))) break;
    ends.push(i + 2);
    if (!text.startsWith('25', i)) break;
  }
  return ends;
}
