import {ERROR_CATALOGUE, type ErrorCode} from '../../contract/error-catalogue.js';
import {PaylensError} from '../../contract/paylens-error.js';

export const FAULTS = ['timeout', 'drop', 'slow', '500'] as const;
/** How a demo or mock service misbehaves: no answer, a closed connection, a late answer, status 500. */
export type Fault = (typeof FAULTS)[number];

/** What the `reference` of a request asks a demo or mock service to do. */
export interface Wish {
  readonly card?: string;
  readonly fault?: Fault;
}

/**
 * Reads `error:<errCode>`, `fault:<name>` and `card:<name>` in a reference.
 * Throws the wished error; 2005 when the code or fault does not exist.
 */
export function wishOf(reference: string | undefined): Wish {
  const [, kind, value = ''] = /^(error|fault|card):(.+)$/.exec(reference ?? '') ?? [];
  if (kind === 'error') throw wishedError(value);
  if (kind === 'fault') return {fault: faultOf(value)};
  return kind === 'card' ? {card: value} : {};
}

function wishedError(value: string): PaylensError {
  const code = Number(value) as ErrorCode;
  const known = Object.hasOwn(ERROR_CATALOGUE, value) && ERROR_CATALOGUE[code].http !== undefined;
  return known
    ? new PaylensError(code, 'as requested in the reference')
    : new PaylensError(2005, 'reference: expected error: and an error code of the service');
}

function faultOf(value: string): Fault {
  const fault = FAULTS.find((name) => name === value);
  if (fault) return fault;
  throw new PaylensError(2005, `reference: expected fault: and one of ${FAULTS.join(', ')}`);
}
