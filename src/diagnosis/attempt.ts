import {passOnOwnFault} from '../contract/paylens-error.js';

/** The result of `read`; undefined if it rejects the plaintext. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    passOnOwnFault(error);
    return undefined;
  }
}
