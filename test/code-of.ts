import {PaylensError} from '../src/contract/paylens-error.js';

/** What `run` throws; it fails if that is nothing. */
export function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('no error');
}

/** The code of the error that `run` throws: -1 for one of another kind, undefined for none. */
export function codeOf(run: () => unknown): number | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof PaylensError ? error.code : -1;
  }
}
