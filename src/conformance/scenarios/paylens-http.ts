import {CLAUSE} from '../clauses.js';
import {type CaseRow, type CaseStep, failure, none, refused, success} from './contract-case.js';

const UNKNOWN = {serial: 'NO-SUCH-DEVICE-0'};

/** A code, what it is for, the scenario by which that is rejected, and a request that is. */
type CodeRow = readonly [
  code: number,
  what: string,
  basis: string,
  step: Omit<CaseStep, 'expect'>,
  more?: CaseRow[4],
];

const CODE_ROWS: readonly CodeRow[] = [
  [1101, 'A missing partnerId', 'partner-id-missing', {...none, body: {partnerKey: 'x'}}],
  [1102, 'A missing partnerKey', 'partner-key-missing', {...none, body: {partnerId: 'x'}}],
  [2003, 'A reference of 51 characters', 'reference-51', {body: {reference: 'r'.repeat(51)}}],
  [2005, 'A reference of the wrong type', 'reference-type', {body: {reference: 1}}],
  [2000, 'A missing deviceType', 'payload-type-missing', parsing({devicePayload: '02'})],
  [
    2001,
    'An unknown deviceType',
    'payload-type-unknown',
    parsing({deviceType: 'x', devicePayload: '02'}),
  ],
  [2002, 'A missing devicePayload', 'payload-missing', parsing({deviceType: 'idtech'})],
  [
    2100,
    'A payload of another format',
    'payload-not-decryptable',
    parsing({deviceType: 'idtech', devicePayload: 'zz'}),
  ],
  [
    2102,
    'A truncated payload',
    'payload-not-decryptable',
    parsing({deviceType: 'idtech', devicePayload: '029801803F48'}),
  ],
  [1201, 'A missing serial', 'device-serial-missing', validating({firmware: '1'})],
  [1202, 'An unknown device', 'device-unknown', validating({...UNKNOWN, firmware: '1'})],
  [
    1203,
    'An inactive device',
    'device-unknown',
    validating(),
    {
      needs: ['transparent', 'inactiveDevice'],
      bodyOf: ({inactiveDevice}) => inactiveDevice,
    },
  ],
  [1204, 'A missing firmware', 'device-firmware-missing', validating(UNKNOWN)],
  [
    1205,
    'A serial of two clients',
    'device-unknown',
    validating(),
    {
      needs: ['transparent', 'twoClients'],
      bodyOf: ({twoClients}) => ({...twoClients, clientId: undefined}),
    },
  ],
];

function parsing(body: object) {
  return {operation: 'process-payload', body} as const;
}

function validating(body: object = {}) {
  return {operation: 'validate-device', body} as const;
}

/**
 * What our contract says of HTTP and of bodies (docs/contract.md#http-statuses,
 * docs/contract.md#errors).
 */
export const HTTP_CASES: readonly CaseRow[] = [
  statusCase('status-404', 'An unknown path returns 404', {
    path: '/api/v1/nowhere',
    expect: failure({status: 404, errCode: 2008}),
  }),
  statusCase('status-405', 'A wrong method returns 405 with Allow', {
    verb: 'GET',
    expect: failure({status: 405, errCode: 2008, headers: {allow: /POST/}}),
  }),
  statusCase('status-413', 'A body of more than 64 KiB returns 413', {
    ...none,
    body: `{"a":"${'a'.repeat(66_000)}"}`,
    expect: failure({status: 413, errCode: 2006}),
  }),
  statusCase('status-415', 'Another content type returns 415', {
    headers: {'content-type': 'text/plain'},
    expect: failure({status: 415, errCode: 2007}),
  }),
  statusCase('status-415-encoding', 'A content encoding returns 415', {
    headers: {'content-encoding': 'gzip'},
    expect: failure({status: 415, errCode: 2007}),
  }),
  statusCase('empty-body', 'An empty body without a header returns 401 with challenges', {
    ...none,
    body: '',
    expect: refused({status: 401}),
  }),
  bodyCase('body-array', 'A body that is not an object returns 2004', {
    ...none,
    body: '[]',
    expect: failure({errCode: 2004}),
  }),
  bodyCase('body-duplicate', 'Duplicate members return 2004', {
    ...none,
    body: '{"partnerId":"a","partnerId":"b","partnerKey":"c"}',
    expect: failure({errCode: 2004}),
  }),
  bodyCase('body-proto', '__proto__ returns 2004', {
    ...none,
    body: '{"__proto__":{},"partnerId":"a","partnerKey":"c"}',
    expect: failure({errCode: 2004}),
  }),
  bodyCase('body-deep', 'Nesting deeper than 8 returns 2004', {
    ...none,
    body: `{"a":${'['.repeat(8)}${']'.repeat(8)}}`,
    expect: failure({errCode: 2004}),
  }),
  bodyCase('body-unknown-member', 'Unknown members are ignored', {
    body: {somethingElse: [1]},
    expect: success(),
  }),
  ...CODE_ROWS.map(codeCase),
];

function statusCase(id: string, title: string, step: CaseStep): CaseRow {
  const basis = step.verb === undefined ? [] : ['post-only'];
  return [id, title, CLAUSE.statuses, step, {basis}];
}

function bodyCase(id: string, title: string, step: CaseStep): CaseRow {
  return [id, title, CLAUSE.bodies, step];
}

function codeCase([code, what, basis, step, more]: CodeRow): CaseRow {
  const terms = {basis: [basis], ...more};
  const expect = failure({errCode: code});
  return [`code-${code}`, `${what} returns ${code}`, CLAUSE.errors, {...step, expect}, terms];
}
