import {OPERATIONS, pathOf} from '../../contract/operation.js';
import type {Authentication, Scenario, Step} from '../scenario.js';
import {caseScenario, payloadRequest} from './contract-case.js';
import {failure, refused, success} from './expectations.js';

const HMAC = 'docs/interface.md#hmac';
const HEADER = 'docs/interface.md#hmac-header';
const SIGNATURE = 'docs/interface.md#hmac-signature';
const REJECTIONS = 'docs/interface.md#hmac-rejections';
const HMAC_BODY = '{"reference": "signed"}';

interface HmacCase {
  readonly id: string;
  readonly title: string;
  readonly clause?: string;
  readonly authentication?: Omit<Authentication, 'method'>;
  readonly body?: string;
  /** Whether the request must be accepted. */
  readonly taken: boolean;
}

const CASES: readonly HmacCase[] = [
  {id: 'hmac-valid', title: 'A signed request is accepted', taken: true},
  {
    id: 'hmac-upper-case',
    title: 'The response is accepted in upper-case hex',
    clause: HEADER,
    authentication: {change: upperCaseResponse},
    taken: true,
  },
  {
    id: 'hmac-white-space',
    title: 'White space around the body is part of the content hash',
    clause: SIGNATURE,
    body: ` \n${HMAC_BODY}\r\n\t`,
    taken: true,
  },
  {
    id: 'hmac-white-space-unsigned',
    title: 'Unsigned white space is detected',
    clause: SIGNATURE,
    body: `${HMAC_BODY}\n`,
    authentication: {signedBody: (body) => body.trim()},
    taken: false,
  },
  {
    id: 'hmac-body-changed',
    title: 'A body changed after signing is rejected',
    clause: REJECTIONS,
    authentication: {signedBody: (body) => body.replace('signed', 'other')},
    taken: false,
  },
  {
    id: 'hmac-target-changed',
    title: 'A signature for another resource is rejected',
    clause: SIGNATURE,
    authentication: {signedTarget: '/api/v1/elsewhere'},
    taken: false,
  },
  {
    id: 'hmac-wrong-key',
    title: 'A signature under another shared key is rejected',
    clause: REJECTIONS,
    authentication: {wrongKey: true},
    taken: false,
  },
  {
    id: 'hmac-response-changed',
    title: 'A changed response is rejected',
    clause: REJECTIONS,
    authentication: {change: changeResponse},
    taken: false,
  },
  {
    id: 'hmac-nonce-changed',
    title: 'A nonce other than the signed one is rejected',
    clause: SIGNATURE,
    authentication: {change: (header) => header.replace('nonce="', 'nonce="x')},
    taken: false,
  },
  {
    id: 'hmac-timestamp-changed',
    title: 'A timestamp other than the signed one is rejected',
    clause: SIGNATURE,
    authentication: {change: (header) => header.replace(/timestamp=(\d+)/, earlier)},
    taken: false,
  },
  {
    id: 'hmac-recent',
    title: 'A timestamp 14 minutes old is accepted',
    clause: HEADER,
    authentication: {timeShift: -14 * 60},
    taken: true,
  },
  {
    id: 'hmac-stale',
    title: 'A timestamp more than 15 minutes old is rejected',
    clause: HEADER,
    authentication: {timeShift: -16 * 60},
    taken: false,
  },
  {
    id: 'hmac-unknown-user',
    title: 'An unknown username is rejected',
    clause: HEADER,
    authentication: {username: 'nobody-of-this-name'},
    taken: false,
  },
  {
    id: 'hmac-property-missing',
    title: 'A header without a nonce is rejected',
    clause: HEADER,
    authentication: {change: (header) => header.replace(/nonce="[^"]*", /, '')},
    taken: false,
  },
];

/** What docs/interface.md#hmac says. */
export const INTERFACE_HMAC: readonly Scenario[] = [
  ...CASES.map(hmacScenario),
  ...OPERATIONS.slice(1).map(
    (operation): Scenario => ({
      id: `hmac-${operation}`,
      title: `HMAC authenticates ${operation}`,
      clause: SIGNATURE,
      level: 'interface',
      needs: operation === 'validate-device' ? ['hmac', 'device'] : ['hmac', 'payload:idtech'],
      steps: ({device, payloads}) => {
        const body = operation === 'validate-device' ? device : payloadRequest(payloads?.idtech);
        return [{operation, authentication: {method: 'hmac'}, body: body ?? {}, expect: success()}];
      },
    }),
  ),
  {
    id: 'hmac-replay',
    title: 'A nonce is accepted only once',
    clause: HEADER,
    level: 'interface',
    needs: ['hmac'],
    steps: () => [signed({}, true), {...signed({sameNonce: true}, false), expect: failure()}],
  },
  {
    id: 'hmac-not-enabled',
    title: 'A partner without HMAC cannot use it',
    clause: HMAC,
    level: 'interface',
    needs: ['hmac', 'partnerWithoutHmac'],
    steps: () => [signed({asPartnerWithoutHmac: true}, false)],
  },
];

function hmacScenario({
  clause = HMAC,
  authentication = {},
  body,
  taken,
  ...about
}: HmacCase): Scenario {
  const step = {...signed(authentication, taken), ...(body !== undefined && {body})};
  return caseScenario({...about, clause, needs: ['hmac'], step}, 'interface');
}

function signed(authentication: Omit<Authentication, 'method'>, taken: boolean): Step {
  return {
    operation: 'validate-partner',
    path: pathOf('validate-partner'),
    authentication: {method: 'hmac', ...authentication},
    body: HMAC_BODY,
    expect: taken ? success() : refused(),
  };
}

function upperCaseResponse(header: string): string {
  return header.replace(/response="(\w+)"/, (_, hex: string) => `response="${hex.toUpperCase()}"`);
}

function changeResponse(header: string): string {
  return header.replace(
    /response="(.)/,
    (_, first: string) => `response="${first === '0' ? '1' : '0'}`,
  );
}

function earlier(_: string, seconds: string): string {
  return `timestamp=${Number(seconds) - 1}`;
}
