import {ERROR_CATALOGUE} from '../contract/error-catalogue.js';
import {errorObjectOf} from '../contract/error-object.js';
import {PaylensError} from '../contract/paylens-error.js';
import {stackOf, TRACING} from '../contract/stack-of.js';
import type {Answer} from '../diagnosis/answer/answer.js';
import {systemCode, systemReason} from '../files/system-error.js';
import {printError, printJson, printTrace} from './output/output.js';
import {toUsageError} from './usage-error.js';

/** Further members of the error object: reference and messageId, what was read before it. */
export type FailureMembers = Readonly<Record<string, unknown>> & {readonly answer?: Answer};

/**
 * Prints `error` once, for people or with `json` as the error object, and sets the exit code of the
 * catalogue. Any error other than a PaylensError or wrong usage becomes error 1, without its text. What
 * was typed and may be a secret `shown` takes out. With PAYLENS_TRACE=1 its stack follows on stderr.
 */
export function reportFailure(
  error: unknown,
  json: boolean,
  members: FailureMembers = {},
  shown: (text: string) => string = (text) => text,
): void {
  process.exitCode = requestedExit(error);
  if (process.exitCode !== undefined) return;
  const {code, detail, hint, fault} = knownError(error);
  // A flag's own parser may have thrown it, and oclif then changed the message: build it again.
  const failure = new PaylensError(code, shown(detail), {hint: shown(hint), ...(fault && {fault})});
  process.exitCode = ERROR_CATALOGUE[code].exit;
  if (json) printJson({...errorObjectOf(failure), ...members});
  else printError(failure, members.answer);
  if (TRACING) printTrace(stackOf(error));
}

function knownError(error: unknown): PaylensError {
  if (error instanceof PaylensError) return error;
  // The kind of a defect helps its report; its text could hold anything.
  const name = error instanceof Error ? error.name : typeof error;
  if (name === 'ExitPromptError') return new PaylensError(9030);
  // Opening any file may fail so, also a module of paylens.
  if (['EMFILE', 'ENFILE'].includes(systemCode(error) ?? ''))
    return new PaylensError(9002, systemReason(error), {
      hint: 'Raise the open-file limit (ulimit -n), or close other programs.',
    });
  return toUsageError(error) ?? new PaylensError(1, name);
}

// How oclif ends a command early, after --help for example.
function requestedExit(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIT') return undefined;
  const {oclif} = error as {oclif?: {exit?: number}};
  return oclif?.exit ?? 0;
}
