import {ERROR_CATALOGUE, ERROR_CODES, type ErrorCode} from '../../src/contract/error-catalogue.js';
import type {Operation} from '../../src/contract/operation.js';

/** Errors of HTTP, authentication and body, whatever the operation. */
const ANY: readonly ErrorCode[] = [
  ...[1, 2, 1003, 1101, 1102, 2003, 2004, 2005, 2006, 2007, 2008, 2009, 2010, 2011],
] as ErrorCode[];

const OWN: Readonly<Record<Operation, (code: ErrorCode) => boolean>> = {
  'validate-partner': () => false,
  'validate-device': (code) => code >= 1201 && code <= 1205,
  // Its serial number comes from the payload, and it names no firmware.
  'process-payload': (code) =>
    [1202, 1203, 1205, 2000, 2001, 2002].includes(code) || (code >= 2100 && code < 9000),
};

/** Codes with further statuses (docs/contract.md#errors). */
const OTHER_STATUSES: Readonly<Partial<Record<ErrorCode, readonly number[]>>> = {
  2009: [408, 417, 431],
};

/** The errors that an operation can give, by HTTP status. */
export function errorsOf(operation: Operation): readonly (readonly [number, ErrorCode[]])[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of ERROR_CODES.filter((each) => ANY.includes(each) || OWN[operation](each))) {
    const {http = []} = ERROR_CATALOGUE[code];
    for (const status of [http, ...(OTHER_STATUSES[code] ?? [])].flat())
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([a], [b]) => a - b);
}
