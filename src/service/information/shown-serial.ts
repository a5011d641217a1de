import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';

const KSN = /^(?:[\da-f]{20}|[\da-f]{24})$/i;
/** As long as card numbers, single spaces and hyphens between groups; not all satisfy Luhn. */
const DIGITS = /(?<!\d)\d(?:[ -]?\d){11,18}(?!\d)/g;
const FIRST = 6;
const LAST = 4;

/**
 * A serial number, or another text that names a device, with digits masked that could be a card
 * number or a key: callers put them there by mistake.
 */
export function shownSerial(text: string): string {
  const redacted = redactKeys(redactCardNumbers(text));
  return KSN.test(text) ? redacted : redacted.replace(DIGITS, maskedDigits);
}

function maskedDigits(run: string): string {
  const hidden = run.slice(FIRST, -LAST).replace(/\d/g, '*');
  return run.slice(0, FIRST) + hidden + run.slice(-LAST);
}
