import type {AuthMethod} from '../../contract/auth-method.js';
import {OPERATIONS, pathOf} from '../../contract/operation.js';
import {CLAUSE} from '../clauses.js';
import type {Scenario} from '../scenario.js';
import {
  type CaseRow,
  caseScenario,
  payloadRequest,
  refused,
  type SignedRow,
  signedCases,
  success,
} from './contract-case.js';
import {HTTP_CASES} from './paylens-http.js';

/** What our contract says of authentication (docs/contract.md#authentication). */
const AUTHENTICATION_CASES: readonly CaseRow[] = [
  ...(['basic', 'digest', 'rsa'] as const).flatMap((method) =>
    accepted(method, [[`auth-${method}`, `${method} authenticates`]]),
  ),
  ...accepted('digest-preemptive', [
    ['auth-digest-preemptive', 'Pre-emptive Digest authenticates where it is enabled'],
  ]),
  ...rejected('basic', [
    ['auth-basic-wrong', 'A wrong key in Basic is rejected', {wrongKey: true}],
  ]),
  ...rejected('digest', [
    ['auth-digest-wrong', 'A wrong key in Digest is rejected', {wrongKey: true}],
  ]),
  ...rejected('rsa', [
    ['auth-rsa-tampered', 'RSA detects a changed body', {signedBody: (body) => `${body} `}],
    ['auth-rsa-stale', 'RSA rejects timestamps more than 15 minutes old', {timeShift: -960}],
  ]),
  ...accepted('hmac', [
    ['auth-hmac-ahead', 'A timestamp 14 minutes ahead is accepted', {timeShift: 840}],
    ['auth-scheme-case', 'The scheme is case-insensitive', (h) => h.replace('Hmac', 'HMAC')],
    ['auth-quoted-timestamp', 'A quoted timestamp is accepted', quoteTimestamp],
    [
      'auth-white-space',
      'White space around commas is accepted',
      (h) => h.replaceAll(', ', ' ,\t'),
    ],
  ]),
  ...rejected('hmac', [
    ['auth-hmac-far-ahead', 'A timestamp 16 minutes ahead is rejected', {timeShift: 960}],
    ['auth-unknown-property', 'An unknown property is rejected', (h) => `${h}, extra="1"`],
    ['auth-repeated-property', 'A repeated property is rejected', (h) => `${h}, nonce="1"`],
    ['auth-unquoted', 'An unquoted username is rejected', unquoteUsername],
    ['auth-unknown-scheme', 'An unknown scheme is rejected', (h) => h.replace('Hmac', 'Bearer')],
  ]),
];

function accepted(method: AuthMethod, rows: readonly SignedRow[]): CaseRow[] {
  return signedCases({method, clause: CLAUSE.authentication, expect: success()}, rows);
}

function rejected(method: AuthMethod, rows: readonly SignedRow[]): CaseRow[] {
  return signedCases({method, clause: CLAUSE.authentication, expect: refused()}, rows);
}

function quoteTimestamp(header: string): string {
  return header.replace(/timestamp=(\d+)/, 'timestamp="$1"');
}

function unquoteUsername(header: string): string {
  return header.replace(/username="(\w*)"/, 'username=$1');
}

/** What our contract adds to the interface. */
export const PAYLENS_CONTRACT: readonly Scenario[] = [
  ...[...HTTP_CASES, ...AUTHENTICATION_CASES].map((each) => caseScenario(each, 'paylens')),
  ...OPERATIONS.map(
    (operation): Scenario => ({
      id: `unversioned-${operation}`,
      title: `${operation} is also served without the version in the path`,
      clause: CLAUSE.paths,
      level: 'paylens',
      needs: operation === 'validate-partner' ? ['hmac'] : ['hmac', 'device', 'payload:idtech'],
      basis: [operation === 'validate-partner' ? 'hmac-valid' : `hmac-${operation}`],
      steps: ({device, payloads}) => {
        const bodies = {
          'validate-partner': {},
          'validate-device': device ?? {},
          'process-payload': payloadRequest(payloads?.idtech),
        };
        return [
          {
            operation,
            path: pathOf(operation, false),
            authentication: {method: 'hmac'},
            body: bodies[operation],
            expect: success(),
          },
        ];
      },
    }),
  ),
];
