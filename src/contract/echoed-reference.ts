import {LONGEST_REFERENCE} from './check-request.js';
import {redactCardNumbers} from './masks/redact-card-numbers.js';

/** Length of the prefix that decides how the echoed part of a text is masked. */
const MASKED_WITH = 4 * LONGEST_REFERENCE;

/**
 * A reference as it is echoed. One that is too long is cut, else a small request that is refused
 * would get a large answer; a card number that the cut goes through is masked.
 */
export function echoedReference(reference: string): string {
  if (reference.length <= LONGEST_REFERENCE) return reference;
  const start = [...reference.slice(0, MASKED_WITH)];
  if (start.length <= LONGEST_REFERENCE) return reference;
  return [...redactCardNumbers(start.join(''))].slice(0, LONGEST_REFERENCE).join('');
}
