import {workedMs} from '#platform';
import type {PaylensError} from '../../contract/paylens-error.js';
import {type Answer, answerSteps, isOfOtherType} from '../../diagnosis/answer/answer.js';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import {finish} from '../../input/steps.js';
import {type GivenInput, inGivenWords, isNoSecret, searchCommand} from './given-words.js';
import {givenKeys, readCase} from './read-case.js';

/** What a command was given that failed. */
export interface FailedInput extends GivenInput {
  /** Absent: it had no keys yet. */
  keys?: readonly RingKey[] | undefined;
  /** What further command shows what this one could not: `decrypt` unless given. */
  command?: 'inspect';
  /** The error object is to be that of the service, and has no answer. */
  isOfService?: boolean;
  /** Wiped in the end. */
  ring?: {readonly wipe: () => void};
}

/** The answer to a payload that failed, in the words of the command line. */
export async function answerFailure(error: PaylensError, given: FailedInput): Promise<Answer> {
  const {input, flags, keys = []} = given;
  const ofAnyType = {...flags, 'device-type': undefined};
  const own = await readCase(input, false, flags, givenKeys(keys, flags));
  // A literal argument may be a key that was typed in place of a file: stdin stands for it.
  const argument = isNoSecret(given.argument ?? '') ? given.argument : '-';
  const shown = {...given, argument};
  const failure = {
    error,
    given: {...own, terminals: flags.terminals},
    hasKeys: keys.length > 0,
    inWords: inGivenWords(shown),
    command: given.command,
    search: searchCommand({...shown, flags: isOfOtherType(error) ? ofAnyType : flags}),
  };
  return finish(answerSteps(failure, workedMs));
}
