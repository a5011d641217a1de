import {PAYLOAD_ERRORS} from '../contract/error-catalogue.js';
import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {isPaylensError} from '../contract/paylens-error.js';
import type {Answer} from '../diagnosis/answer/answer.js';
import {membersOf, wrong} from './arguments.js';
import {failedCall} from './calls.js';
import {type AbortSignalLike, signalOf} from './diagnose.js';
import {safelyLater} from './safe-errors.js';

export type {Answer} from '../diagnosis/answer/answer.js';

/** Settings of `explain`. */
export interface ExplainOptions {
  /** Ends the diagnosis: the promise is rejected with its reason. */
  readonly signal?: AbortSignalLike | undefined;
}

/**
 * Says why `decrypt` or `inspect` failed: one cause, its evidence, and the next command. `error` is
 * what the call threw, or the `error` of an inspection. A diagnosis of at most 300 ms looks at the
 * payload and the options of that call, whose keys must still be there; it gives way to other tasks.
 * Of any other PaylensError the cause is its hint. Card data is masked, and no key is in it.
 *
 * Rejects with PaylensError: 2005 for anything but such an error or for a wrong option, 9040 if a
 * terminal of `terminals` fails.
 */
export function explain(error: unknown, options?: ExplainOptions): Promise<Answer> {
  return safelyLater(async () => {
    const {signal} = membersOf(options, 'options', ['signal']);
    const abort = signalOf(signal);
    const call = failedCall(error);
    const known = call?.error ?? (isPaylensError(error) ? error : undefined);
    if (!known) throw wrong('error', 'an error of decrypt or inspect', error);
    if (!call || !PAYLOAD_ERRORS.has(known.code)) return {cause: known.hint, evidence: []};
    const {answerCall} = await import('./answer-call.js');
    return answerCall(call, abort);
  }, redactCardNumbers);
}
