import {OPERATIONS, pathOf} from '../../contract/operation.js';
import {hasOnly} from '../rules.js';
import type {Authentication, Configuration, Method, Scenario, Step} from '../scenario.js';
import {failure, refused, success} from './expectations.js';

const BODY = '{"reference":"signed"}';
const UNAUTHORIZED = {
  status: 401,
  errCode: 1003,
  headers: {'www-authenticate': /Digest .*SHA-256/},
};

interface Case {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly needs?: Scenario['needs'];
  /** A body that the configuration gives. */
  readonly bodyOf?: (config: Configuration) => object | undefined;
  readonly step: Omit<Step, 'operation'> & Partial<Pick<Step, 'operation'>>;
}

const none = {authentication: {method: 'none'} as const};

/** What our contract says of HTTP and of bodies (contract.md, sections 1 and 3). */
const HTTP: readonly Case[] = [
  httpCase('status-200', 'Success is status 200 and has no other member', {
    expect: success({status: 200, rules: [hasOnly('success', 'messageId')]}),
  }),
  httpCase('status-404', 'An unknown path is 404', {
    path: '/api/v1/nowhere',
    expect: failure({status: 404, errCode: 2008}),
  }),
  httpCase('status-405', 'A wrong verb is 405 with Allow', {
    verb: 'GET',
    expect: failure({status: 405, errCode: 2008, headers: {allow: /POST/}}),
  }),
  httpCase('status-413', 'A body of more than 64 KiB is 413', {
    ...none,
    body: `{"a":"${'a'.repeat(66_000)}"}`,
    expect: failure({status: 413, errCode: 2006}),
  }),
  httpCase('status-415', 'Another content type is 415', {
    headers: {'content-type': 'text/plain'},
    expect: failure({status: 415, errCode: 2007}),
  }),
  httpCase('status-415-encoding', 'A content encoding is 415', {
    headers: {'content-encoding': 'gzip'},
    expect: failure({status: 415, errCode: 2007}),
  }),
  httpCase('empty-body', 'An empty body without a header is 401 with challenges', {
    ...none,
    body: '',
    expect: refused(UNAUTHORIZED),
  }),
  httpCase('body-array', 'A body that is no object is 2004', {
    ...none,
    body: '[]',
    expect: failure({status: 400, errCode: 2004}),
  }),
  httpCase('body-duplicate', 'Duplicate members are 2004', {
    ...none,
    body: '{"partnerId":"a","partnerId":"b","partnerKey":"c"}',
    expect: failure({status: 400, errCode: 2004}),
  }),
  httpCase('body-proto', '__proto__ is 2004', {
    ...none,
    body: '{"__proto__":{},"partnerId":"a","partnerKey":"c"}',
    expect: failure({status: 400, errCode: 2004}),
  }),
  httpCase('body-deep', 'Nesting deeper than 8 is 2004', {
    ...none,
    body: `{"a":${'['.repeat(8)}${']'.repeat(8)}}`,
    expect: failure({status: 400, errCode: 2004}),
  }),
  httpCase('body-unknown-member', 'Unknown members are ignored', {
    body: {somethingElse: [1]},
    expect: success({status: 200}),
  }),
  httpCase('code-1101', 'A missing partnerId is 1101', {
    ...none,
    body: {partnerKey: 'x'},
    expect: failure({status: 400, errCode: 1101}),
  }),
  httpCase('code-1102', 'A missing partnerKey is 1102', {
    ...none,
    body: {partnerId: 'x'},
    expect: failure({status: 400, errCode: 1102}),
  }),
  httpCase('code-1003', 'A wrong partnerKey is 401, 1003, with challenges', {
    authentication: {method: 'transparent', wrongKey: true},
    expect: refused(UNAUTHORIZED),
  }),
  httpCase('code-2003', 'A reference of 51 characters is 2003', {
    body: {reference: 'r'.repeat(51)},
    expect: failure({status: 400, errCode: 2003}),
  }),
  httpCase('code-2005', 'A reference of the wrong type is 2005', {
    body: {reference: 1},
    expect: failure({status: 400, errCode: 2005}),
  }),
  payloadCase('code-2000', 'A missing deviceType is 2000', {devicePayload: '02'}, 2000),
  payloadCase(
    'code-2001',
    'An unknown deviceType is 2001',
    {deviceType: 'x', devicePayload: '02'},
    2001,
  ),
  payloadCase('code-2002', 'A missing devicePayload is 2002', {deviceType: 'idtech'}, 2002),
  payloadCase(
    'code-2100',
    'A payload of another form is 2100',
    {deviceType: 'idtech', devicePayload: 'zz'},
    2100,
  ),
  payloadCase(
    'code-2102',
    'A cut payload is 2102',
    {deviceType: 'idtech', devicePayload: '029801803F48'},
    2102,
  ),
  deviceCase('code-1201', 'A missing serial is 1201', {firmware: '1'}, 1201),
  deviceCase(
    'code-1202',
    'An unknown device is 1202',
    {serial: 'NO-SUCH-DEVICE-0', firmware: '1'},
    1202,
  ),
  {
    ...deviceCase('code-1203', 'An inactive device is 1203', {}, 1203),
    needs: ['transparent', 'inactiveDevice'],
    bodyOf: ({inactiveDevice}) => inactiveDevice,
  },
  deviceCase('code-1204', 'A missing firmware is 1204', {serial: 'NO-SUCH-DEVICE-0'}, 1204),
  {
    ...deviceCase('code-1205', 'A serial of two clients is 1205', {}, 1205),
    needs: ['transparent', 'twoClients'],
    bodyOf: ({twoClients}) => ({...twoClients, clientId: undefined}),
  },
];

/** What our contract says of authentication (contract.md, section 4). */
const AUTHENTICATION: readonly Case[] = [
  ...(['basic', 'digest', 'hmac', 'rsa'] as const).map((method) =>
    authCase(`auth-${method}`, `${method} authenticates`, method, {}, true),
  ),
  authCase(
    'auth-digest-preemptive',
    'Pre-emptive Digest authenticates where it is enabled',
    'digest-preemptive',
    {},
    true,
  ),
  authCase('auth-basic-wrong', 'A wrong key in Basic is refused', 'basic', {wrongKey: true}, false),
  authCase(
    'auth-digest-wrong',
    'A wrong key in Digest is refused',
    'digest',
    {wrongKey: true},
    false,
  ),
  authCase(
    'auth-rsa-tampered',
    'RSA notices a changed body',
    'rsa',
    {signedBody: (body) => `${body} `},
    false,
  ),
  authCase(
    'auth-rsa-stale',
    'RSA refuses what is more than 15 minutes old',
    'rsa',
    {timeShift: -960},
    false,
  ),
  authCase(
    'auth-hmac-ahead',
    'A timestamp 14 minutes ahead is taken',
    'hmac',
    {timeShift: 840},
    true,
  ),
  authCase(
    'auth-hmac-far-ahead',
    'A timestamp 16 minutes ahead is refused',
    'hmac',
    {timeShift: 960},
    false,
  ),
  authCase(
    'auth-scheme-case',
    'The scheme matches without regard to case',
    'hmac',
    {change: (h) => h.replace('Hmac', 'HMAC')},
    true,
  ),
  authCase(
    'auth-quoted-timestamp',
    'A quoted timestamp is taken',
    'hmac',
    {change: (h) => h.replace(/timestamp=(\d+)/, 'timestamp="$1"')},
    true,
  ),
  authCase(
    'auth-white-space',
    'White space around commas is taken',
    'hmac',
    {change: (h) => h.replaceAll(', ', ' ,\t')},
    true,
  ),
  authCase(
    'auth-unknown-property',
    'An unknown property is refused',
    'hmac',
    {change: (h) => `${h}, extra="1"`},
    false,
  ),
  authCase(
    'auth-repeated-property',
    'A repeated property is refused',
    'hmac',
    {change: (h) => `${h}, nonce="1"`},
    false,
  ),
  authCase(
    'auth-unquoted',
    'An unquoted username is refused',
    'hmac',
    {change: (h) => h.replace(/username="(\w*)"/, 'username=$1')},
    false,
  ),
  authCase(
    'auth-unknown-scheme',
    'An unknown scheme is refused',
    'hmac',
    {change: (h) => h.replace('Hmac', 'Bearer')},
    false,
  ),
];

/** What our contract adds to the interface. */
export const PAYLENS_CONTRACT: readonly Scenario[] = [
  ...[...HTTP, ...AUTHENTICATION].map(scenarioOf),
  ...OPERATIONS.map(
    (operation): Scenario => ({
      id: `unversioned-${operation}`,
      title: `${operation} is served without the version, too`,
      clause: 'contract.md, section 1: Paths',
      level: 'paylens',
      needs: operation === 'validate-partner' ? ['hmac'] : ['hmac', 'device', 'payload:idtech'],
      steps: ({device, payloads}) => {
        const {expect: _, ...request} = payloads?.idtech ?? {};
        const bodies = {
          'validate-partner': {},
          'validate-device': device ?? {},
          'process-payload': request,
        };
        return [
          {
            operation,
            path: pathOf(operation, false),
            authentication: {method: 'hmac'},
            body: bodies[operation],
            expect: success({status: 200}),
          },
        ];
      },
    }),
  ),
];

function scenarioOf({id, title, section, needs = ['transparent'], bodyOf, step}: Case): Scenario {
  return {
    id,
    title,
    clause: `contract.md, section ${section}`,
    level: 'paylens',
    needs,
    steps: (config) => {
      const body = bodyOf?.(config) ?? step.body;
      return [{operation: 'validate-partner', ...step, ...(body === undefined ? {} : {body})}];
    },
  };
}

function httpCase(id: string, title: string, step: Case['step']): Case {
  const needs = step.authentication?.method === 'none' ? {needs: []} : {};
  return {id, title, section: '1', ...needs, step};
}

function payloadCase(id: string, title: string, body: object, errCode: number): Case {
  const expect = failure({status: 400, errCode});
  return {id, title, section: '3', step: {operation: 'process-payload', body, expect}};
}

function deviceCase(id: string, title: string, body: object, errCode: number): Case {
  const expect = failure({status: 400, errCode});
  return {id, title, section: '3', step: {operation: 'validate-device', body, expect}};
}

function authCase(
  id: string,
  title: string,
  method: Method,
  change: Omit<Authentication, 'method'>,
  taken: boolean,
): Case {
  const expect = taken ? success({status: 200}) : refused(UNAUTHORIZED);
  return {
    id,
    title,
    section: '4',
    needs: [method],
    step: {authentication: {method, ...change}, body: BODY, expect},
  };
}
