import {PaylensError, rethrowTerminalFault} from '../contract/paylens-error.js';

/** The result of `read`; undefined if it rejects the plaintext. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    rethrowTerminalFault(error);
    return undefined;
  }
}

/** The error with which `read` rejects; undefined if it rejects nothing. */
export function rejectionOf(read: () => unknown): PaylensError | undefined {
  try {
    read();
  } catch (error) {
    rethrowTerminalFault(error);
    return error instanceof PaylensError ? error : undefined;
  }
  return undefined;
}
