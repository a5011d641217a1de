import {PaylensError} from '../../contract/paylens-error.js';

/** An error as plain data: a worker cannot send an instance of a class. */
export type ErrorView = Pick<PaylensError, 'code' | 'detail' | 'hint' | 'fault'>;

/** Converts an error to plain data; rethrows anything but a `PaylensError`. */
export function errorView(error: unknown): ErrorView {
  if (!(error instanceof PaylensError)) throw error;
  const {code, detail, hint, fault} = error;
  return {code, detail, hint, fault};
}
