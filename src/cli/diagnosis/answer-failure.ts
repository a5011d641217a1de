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
  const own = await readCase(input, false, flags, givenKeys(keys, flags));
  const shown = {...given, argument: shownArgument(given.argument)};
  const failure = {
    error,
    given: {...own, terminals: flags.terminals},
    hasKeys: keys.length > 0,
    inWords: inGivenWords(shown),
    command: given.command,
    search: searchCommand(isOfOtherType(error) ? withoutType(shown) : shown),
  };
  return finish(answerSteps(failure, workedMs));
}

/** A literal argument may be a key that was typed in place of a file: stdin stands for it. */
function shownArgument(argument: string | undefined): string | undefined {
  return argument === undefined || isNoSecret(argument) ? argument : '-';
}

function withoutType<G extends GivenInput>(given: G): G {
  return {...given, flags: {...given.flags, 'device-type': undefined}};
}
