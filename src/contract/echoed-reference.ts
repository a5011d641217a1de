import {MAX_REFERENCE_CHARS} from './check-request.js';
import {redactCardNumbers} from './masks/redact-card-numbers.js';

/** Length of the prefix that decides how the echoed part of a text is masked. */
const MASKED_WITH = 4 * MAX_REFERENCE_CHARS;

/**
 * A reference as it is echoed. One that is too long is cut, else a small request that is refused
 * would get a large answer; a card number that the cut goes through is masked.
 */
export function echoedReference(reference: string): string {
  if (reference.length <= MAX_REFERENCE_CHARS) return reference;
  const start = [...reference.slice(0, MASKED_WITH)];
  if (start.length <= MAX_REFERENCE_CHARS) return reference;
  return [...redactCardNumbers(start.join(''))].slice(0, MAX_REFERENCE_CHARS).join('');
}
