import {ERROR_CATALOGUE} from '../../contract/error-catalogue.js';
import type {PaylensError} from '../../contract/paylens-error.js';
import {ANSWER_MS, type Answer, answerOf} from '../../diagnosis/answer/answer.js';
import {maskReport} from '../../diagnosis/answer/mask-report.js';
import {diagnose} from '../../diagnosis/diagnose.js';
import {report} from '../../diagnosis/report.js';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import {type GivenInput, inGivenWords, isNoSecret, searchCommand} from './given-words.js';
import {givenKeys, readCase} from './read-case.js';

/** What a command was given that failed. */
export interface FailedInput extends GivenInput {
  /** Absent: it had no keys yet. */
  keys?: readonly RingKey[] | undefined;
  /** The error object is to be that of the service, and has no answer. */
  isOfService?: boolean;
  /** Wiped in the end. */
  ring?: {readonly wipe: () => void};
}

/** Milliseconds of work: a machine that is busy with something else makes no shorter search. */
function workedMs(): number {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * What a diagnosis of at most 300 ms finds out about a payload that failed: the cause, its evidence
 * and the next command, masked. The cause is the hint of the error if it finds no other.
 */
export async function answerFailure(error: PaylensError, given: FailedInput): Promise<Answer> {
  const {input, flags, keys = []} = given;
  const {terminals} = flags;
  const own = await readCase(input, false, flags, givenKeys(keys, flags));
  const limits = {budgetMs: ANSWER_MS, now: workedMs};
  const found = report(diagnose({...own, terminals}, limits));
  const shown = {...given, argument: shownArgument(given.argument)};
  const answer = answerOf(maskReport(inGivenWords(found, shown), terminals), error.hint);
  // What is said of this payload is more than that no key fits.
  const isSpecific = error.fault !== undefined || error.hint !== ERROR_CATALOGUE[error.code].hint;
  const known = found.solved || !isSpecific ? answer : undefined;
  const {next = searchCommand(shown), ...why} = known ?? {cause: error.hint, evidence: []};
  // If keys were given, it is said which one is missing: how the payload decrypts is no cause.
  const isMissing = error.code === 2600 && keys.length > 0;
  return isMissing ? {cause: error.hint, evidence: [], next} : {...why, next};
}

/** A literal argument may be a key that was typed in place of a file: stdin stands for it. */
function shownArgument(argument: string | undefined): string | undefined {
  return argument === undefined || isNoSecret(argument) ? argument : '-';
}
