import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {isPaylensError, type PaylensError} from '../contract/paylens-error.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {type Members, membersOf, payloadOf} from './arguments.js';
import {safely} from './safe-errors.js';
import {terminalsOf} from './terminals.js';

/** The arguments of a call about a payload, checked. */
export interface Call {
  readonly devicePayload: string;
  readonly members: Members;
  readonly terminals: TerminalSet;
}

/** A call that failed, and why. */
export interface FailedCall extends Call {
  readonly error: PaylensError;
}

/** Not members of the errors, which are logged and sent on. */
const FAILED = new WeakMap<object, FailedCall>();

/**
 * What `run` returns for a payload and its options, of which it knows those of `names`. Its errors are
 * those of `safely`, and `explain` finds their calls.
 */
export function called<T>(
  payload: unknown,
  options: unknown,
  names: readonly string[],
  run: (call: Call) => T,
): T {
  let call: Call | undefined;
  try {
    return safely(() => {
      const members = membersOf(options, 'options', names);
      const terminals = terminalsOf(members);
      call = {devicePayload: payloadOf(payload), members, terminals};
      return run(call);
    }, redactCardNumbers);
  } catch (error) {
    if (call && isPaylensError(error)) keepCall(error, call, error);
    throw error;
  }
}

/** Lets `explain` find the call that ended with `thrown`, an error or what says the same. */
export function keepCall(thrown: object, call: Call, error: PaylensError): void {
  FAILED.set(thrown, {...call, error});
}

/** The call of an error; undefined if it is none of `decrypt` or `inspect`. */
export function failedCall(thrown: unknown): FailedCall | undefined {
  return typeof thrown === 'object' && thrown !== null ? FAILED.get(thrown) : undefined;
}
