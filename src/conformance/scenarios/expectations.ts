import type {Expectation} from '../scenario.js';

type Extra = Partial<Omit<Expectation, 'success'>>;

/** A success response, and what the scenario requires in addition. */
export function success(extra: Extra = {}): Expectation {
  return {success: true, ...extra};
}

/** The error object. */
export function failure(extra: Extra = {}): Expectation {
  return {success: false, ...extra};
}

/** The error object of a call that was not authenticated. */
export function refused(extra: Extra = {}): Expectation {
  return failure({...extra, refused: true});
}
