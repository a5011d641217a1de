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
  const [detail, hint] = [error.detail, error.hint].map((text) => hideCards(redactKeys(text)));
  if (detail === error.detail && hint === error.hint) return error;
  const {code, cause, fault} = error;
  return new PaylensError(code, detail, {
    cause,
    ...(hint !== undefined && {hint}),
    ...(fault && {fault}),
  });
}
