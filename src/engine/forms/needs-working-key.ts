import {PaylensError} from '../../contract/paylens-error.js';

/**
 * The error for data whose key the payload names but does not let us derive: 2111, unless the
 * format says otherwise.
 */
export function needsWorkingKey(why: string, code: 2111 | 2600 = 2111): PaylensError {
  return new PaylensError(code, `${why}; only the working key of the data decrypts it`, {
    hint: 'Give the key of the data itself: --key-file FILE --key-kind working.',
  });
}
