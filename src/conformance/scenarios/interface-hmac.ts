import {OPERATIONS} from '../../contract/operation.js';
import {CLAUSE} from '../clauses.js';
import type {Scenario} from '../scenario.js';
import {
  type CaseRow,
  caseScenario,
  payloadRequest,
  refused,
  SIGNED_BODY,
  type SignedRow,
  signedCases,
  success,
} from './contract-case.js';

const HMAC_CASES: readonly CaseRow[] = [
  ...hmacAccepted(CLAUSE.hmac, [['hmac-valid', 'A signed request is accepted']]),
  ...hmacAccepted(CLAUSE.hmacHeader, [
    ['hmac-upper-case', 'The response is accepted in upper-case hex', upperCaseResponse],
    ['hmac-recent', 'A timestamp 14 minutes old is accepted', {timeShift: -14 * 60}],
  ]),
  ...hmacAccepted(CLAUSE.hmacSignature, [
    [
      'hmac-white-space',
      'White space around the body is part of the content hash',
      {},
      ` \n${SIGNED_BODY}\r\n\t`,
    ],
  ]),
  ...hmacRejected(CLAUSE.hmacSignature, [
    [
      'hmac-white-space-unsigned',
      'Unsigned white space is detected',
      {signedBody: (body) => body.trim()},
      `${SIGNED_BODY}\n`,
    ],
    [
      'hmac-target-changed',
      'A signature for another resource is rejected',
      {signedTarget: '/api/v1/elsewhere'},
    ],
    ['hmac-nonce-changed', 'A nonce other than the signed one is rejected', changeNonce],
    ['hmac-timestamp-changed', 'A timestamp other than the signed one is rejected', earlier],
  ]),
  ...hmacRejected(CLAUSE.hmacRejections, [
    ['hmac-body-changed', 'A body changed after signing is rejected', {signedBody: changeBody}],
    ['hmac-wrong-key', 'A signature under another shared key is rejected', {wrongKey: true}],
    ['hmac-response-changed', 'A changed response is rejected', changeResponse],
  ]),
  ...hmacRejected(CLAUSE.hmacHeader, [
    ['hmac-stale', 'A timestamp more than 15 minutes old is rejected', {timeShift: -16 * 60}],
    ['hmac-unknown-user', 'An unknown username is rejected', {username: 'nobody-of-this-name'}],
    ['hmac-property-missing', 'A header without a nonce is rejected', withoutNonce],
  ]),
  [
    'hmac-replay',
    'A nonce is accepted only once',
    CLAUSE.hmacHeader,
    [
      {authentication: {method: 'hmac'}, body: SIGNED_BODY, expect: success()},
      {authentication: {method: 'hmac', sameNonce: true}, body: SIGNED_BODY, expect: refused()},
    ],
    {needs: ['hmac']},
  ],
  [
    'hmac-not-enabled',
    'A partner without HMAC cannot use it',
    CLAUSE.hmac,
    {
      authentication: {method: 'hmac', asPartnerWithoutHmac: true},
      body: SIGNED_BODY,
      expect: refused(),
    },
    {needs: ['hmac', 'partnerWithoutHmac']},
  ],
];

/** What docs/interface.md#hmac says. */
export const INTERFACE_HMAC: readonly Scenario[] = [
  ...HMAC_CASES.map((each) => caseScenario(each, 'interface')),
  ...OPERATIONS.slice(1).map(
    (operation): Scenario => ({
      id: `hmac-${operation}`,
      title: `HMAC authenticates ${operation}`,
      clause: CLAUSE.hmacSignature,
      level: 'interface',
      needs: operation === 'validate-device' ? ['hmac', 'device'] : ['hmac', 'payload:idtech'],
      basis: ['hmac-valid', operation === 'validate-device' ? 'device-valid' : 'read-idtech'],
      steps: ({device, payloads}) => {
        const body = operation === 'validate-device' ? device : payloadRequest(payloads?.idtech);
        return [{operation, authentication: {method: 'hmac'}, body: body ?? {}, expect: success()}];
      },
    }),
  ),
];

function hmacAccepted(clause: string, rows: readonly SignedRow[]): CaseRow[] {
  return signedCases({method: 'hmac', clause, expect: success()}, rows);
}

function hmacRejected(clause: string, rows: readonly SignedRow[]): CaseRow[] {
  return signedCases({method: 'hmac', clause, expect: refused()}, rows);
}

function upperCaseResponse(header: string): string {
  return header.replace(/response="(\w+)"/, (_, hex: string) => `response="${hex.toUpperCase()}"`);
}

function changeResponse(header: string): string {
  return header.replace(/response="(.)/, (_, old) => `response="${old === '0' ? '1' : '0'}`);
}

function changeBody(body: string): string {
  return body.replace('signed', 'other');
}

function changeNonce(header: string): string {
  return header.replace('nonce="', 'nonce="x');
}

function withoutNonce(header: string): string {
  return header.replace(/nonce="[^"]*", /, '');
}

function earlier(header: string): string {
  return header.replace(/timestamp=(\d+)/, (_, old) => `timestamp=${Number(old) - 1}`);
}
