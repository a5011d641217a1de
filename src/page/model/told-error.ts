import {PaylensError} from '../../contract/paylens-error.js';

/** What is told of an error, as plain data: a class does not pass the border of a worker. */
export type ToldError = Pick<PaylensError, 'code' | 'detail' | 'hint' | 'fault'>;

/** What is told of an error; of a defect nothing, it is thrown again. */
export function toldError(error: unknown): ToldError {
  if (!(error instanceof PaylensError)) throw error;
  const {code, detail, hint, fault} = error;
  return {code, detail, hint, fault};
}
