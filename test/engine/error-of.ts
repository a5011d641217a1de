import {PaylensError} from '../../src/contract/paylens-error.js';

/** The PaylensError that `run` throws; fails if it throws none. */
export function errorOf(run: () => unknown): PaylensError {
  try {
    run();
  } catch (error) {
    if (error instanceof PaylensError) return error;
    throw error;
  }
  throw new Error('expected a PaylensError, nothing was thrown');
}
