import {describe, expect, it} from 'vitest';
import {ERROR_CATALOGUE, ERROR_CODES, type ErrorCode} from '../../src/contract/error-catalogue.js';

type Member = 'http' | 'exit';

/** What callers rely on: neither a status nor an exit code of the interface ever changes. */
const PAYLOADS = [2100, 2101, 2102, 2103, 2110, 2111, 2400, 2600, 2601, 2602, 2800] as const;
const PARAMETERS = [2000, 2001, 2002, 2003, 2004, 2005] as const;
const DEVICES = [1201, 1202, 1203, 1204, 1205] as const;

const FROZEN: readonly (readonly [Member, number | undefined, readonly ErrorCode[]])[] = [
  ['http', 400, [1101, 1102, ...DEVICES, ...PARAMETERS, 2009, ...PAYLOADS]],
  ['http', 401, [1003]],
  ['http', 403, [2011]],
  ['http', 404, [2008]],
  ['http', 413, [2006]],
  ['http', 415, [2007]],
  ['http', 421, [2010]],
  ['http', 500, [1]],
  ['http', 503, [2]],
  [
    'http',
    undefined,
    [9001, 9002, 9010, 9011, 9012, 9013, 9014, 9015, 9020, 9021, 9030, 9040, 9050, 9051],
  ],
  ['exit', 1, [1]],
  ['exit', 2, [1101, 1102, 9001]],
  ['exit', 3, [9010, 9011, 9012, 9013, 9014, 9015]],
  ['exit', 4, [...DEVICES, ...PARAMETERS, 2006, ...PAYLOADS, 9002, 9040, 9050, 9051]],
  ['exit', 5, [1003]],
  ['exit', 6, [2, 2007, 2008, 2009, 2010, 2011, 9020, 9021]],
  ['exit', 130, [9030]],
];

describe('the catalogue', () => {
  it.each(FROZEN)('gives %s %s to the same codes as ever', (member, value, codes) => {
    const found = ERROR_CODES.filter((code) => ERROR_CATALOGUE[code][member] === value);
    expect(found).toEqual(codes);
  });
});
