import {ERROR_CATALOGUE} from '../contract/error-catalogue.js';
import {redactKeys} from '../contract/masks/redact-keys.js';
import {isPaylensError, PaylensError} from '../contract/paylens-error.js';

/** Removes from a text what could be a card number. */
export type HideCards = (text: string) => string;

/**
 * What `run` returns. Its errors say nothing that could be a card number or a key, also where they
 * quote what the caller passed: a name, a KSN, a partner ID.
 */
export function safely<T>(run: () => T, hideCards: HideCards): T {
  try {
    return run();
  } catch (error) {
    throw safe(error, hideCards);
  }
}

/** The same of a promise; also what `run` throws at once rejects it. */
export async function safelyLater<T>(run: () => Promise<T>, hideCards: HideCards): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw safe(error, hideCards);
  }
}

/** The same error if there is nothing to hide, and whatever is not ours, such as a reason to abort. */
function safe(error: unknown, hideCards: HideCards): unknown {
  if (!isPaylensError(error)) return error;
  // Wrong usage is of the command line: here it is a wrong argument.
  const code = error.code === 9001 ? 2005 : error.code;
  const own = error.hint === ERROR_CATALOGUE[9001].hint ? ERROR_CATALOGUE[code].hint : error.hint;
  const [detail = '', hint = ''] = [error.detail, own].map((text) => hideCards(redactKeys(text)));
  if (code === error.code && detail === error.detail && hint === error.hint) return error;
  const {cause, fault} = error;
  return new PaylensError(code, detail, {cause, hint, ...(fault && {fault})});
}
