import {hasOnly} from '../rules.js';
import {type CaseStep, type ContractCase, UNAUTHORIZED} from './contract-case.js';
import {failure, refused, success} from './expectations.js';

const none = {authentication: {method: 'none'} as const};

const ERRORS = 'docs/contract.md#errors';

/**
 * What our contract says of HTTP and of bodies (docs/contract.md#http-statuses,
 * docs/contract.md#errors).
 */
export const HTTP_CASES: readonly ContractCase[] = [
  statusCase('status-200', 'Success returns 200 and no other members', {
    expect: success({status: 200, rules: [hasOnly('success', 'messageId')]}),
  }),
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
    expect: refused(UNAUTHORIZED),
  }),
  bodyCase('body-array', 'A body that is not an object returns 2004', {
    ...none,
    body: '[]',
    expect: failure({status: 400, errCode: 2004}),
  }),
  bodyCase('body-duplicate', 'Duplicate members return 2004', {
    ...none,
    body: '{"partnerId":"a","partnerId":"b","partnerKey":"c"}',
    expect: failure({status: 400, errCode: 2004}),
  }),
  bodyCase('body-proto', '__proto__ returns 2004', {
    ...none,
    body: '{"__proto__":{},"partnerId":"a","partnerKey":"c"}',
    expect: failure({status: 400, errCode: 2004}),
  }),
  bodyCase('body-deep', 'Nesting deeper than 8 returns 2004', {
    ...none,
    body: `{"a":${'['.repeat(8)}${']'.repeat(8)}}`,
    expect: failure({status: 400, errCode: 2004}),
  }),
  bodyCase('body-unknown-member', 'Unknown members are ignored', {
    body: {somethingElse: [1]},
    expect: success({status: 200}),
  }),
  codeCase('code-1101', 'A missing partnerId returns 1101', {
    ...none,
    body: {partnerKey: 'x'},
    expect: failure({status: 400, errCode: 1101}),
  }),
  codeCase('code-1102', 'A missing partnerKey returns 1102', {
    ...none,
    body: {partnerId: 'x'},
    expect: failure({status: 400, errCode: 1102}),
  }),
  codeCase('code-1003', 'A wrong partnerKey returns 401, 1003 and challenges', {
    authentication: {method: 'transparent', wrongKey: true},
    expect: refused(UNAUTHORIZED),
  }),
  codeCase('code-2003', 'A reference of 51 characters returns 2003', {
    body: {reference: 'r'.repeat(51)},
    expect: failure({status: 400, errCode: 2003}),
  }),
  codeCase('code-2005', 'A reference of the wrong type returns 2005', {
    body: {reference: 1},
    expect: failure({status: 400, errCode: 2005}),
  }),
  payloadCase('code-2000', 'A missing deviceType returns 2000', {devicePayload: '02'}, 2000),
  payloadCase(
    'code-2001',
    'An unknown deviceType returns 2001',
    {deviceType: 'x', devicePayload: '02'},
    2001,
  ),
  payloadCase('code-2002', 'A missing devicePayload returns 2002', {deviceType: 'idtech'}, 2002),
  payloadCase(
    'code-2100',
    'A payload of another format returns 2100',
    {deviceType: 'idtech', devicePayload: 'zz'},
    2100,
  ),
  payloadCase(
    'code-2102',
    'A truncated payload returns 2102',
    {deviceType: 'idtech', devicePayload: '029801803F48'},
    2102,
  ),
  deviceCase('code-1201', 'A missing serial returns 1201', {firmware: '1'}, 1201),
  deviceCase(
    'code-1202',
    'An unknown device returns 1202',
    {serial: 'NO-SUCH-DEVICE-0', firmware: '1'},
    1202,
  ),
  {
    ...deviceCase('code-1203', 'An inactive device returns 1203', {}, 1203),
    needs: ['transparent', 'inactiveDevice'],
    bodyOf: ({inactiveDevice}) => inactiveDevice,
  },
  deviceCase('code-1204', 'A missing firmware returns 1204', {serial: 'NO-SUCH-DEVICE-0'}, 1204),
  {
    ...deviceCase('code-1205', 'A serial of two clients returns 1205', {}, 1205),
    needs: ['transparent', 'twoClients'],
    bodyOf: ({twoClients}) => ({...twoClients, clientId: undefined}),
  },
];

function statusCase(id: string, title: string, step: CaseStep): ContractCase {
  return httpCase(id, title, 'docs/contract.md#http-statuses', step);
}

function bodyCase(id: string, title: string, step: CaseStep): ContractCase {
  return httpCase(id, title, 'docs/contract.md#bodies', step);
}

function codeCase(id: string, title: string, step: CaseStep): ContractCase {
  return httpCase(id, title, ERRORS, step);
}

function httpCase(id: string, title: string, clause: string, step: CaseStep): ContractCase {
  const needs = step.authentication?.method === 'none' ? {needs: []} : {};
  return {id, title, clause, ...needs, step};
}

function payloadCase(id: string, title: string, body: object, errCode: number): ContractCase {
  const expect = failure({status: 400, errCode});
  return {id, title, clause: ERRORS, step: {operation: 'process-payload', body, expect}};
}

function deviceCase(id: string, title: string, body: object, errCode: number): ContractCase {
  const expect = failure({status: 400, errCode});
  return {id, title, clause: ERRORS, step: {operation: 'validate-device', body, expect}};
}
