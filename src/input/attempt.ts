import {rethrowTerminalFault} from '../contract/paylens-error.js';

/** The result of `read`; undefined if it rejects the plaintext. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    rethrowTerminalFault(error);
    return undefined;
  }
}
