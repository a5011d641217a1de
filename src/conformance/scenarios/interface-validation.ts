import {hasNewMessageId} from '../rules.js';
import type {Scenario} from '../scenario.js';
import {type ContractCase, caseScenario} from './contract-case.js';
import {failure, refused, success} from './expectations.js';

const MAX_REFERENCE = 'r'.repeat(50);

const VALIDATION_CASES: readonly ContractCase[] = [
  {
    id: 'partner-valid',
    title: 'Valid credentials are accepted',
    clause: 'docs/interface.md#endpoints',
    step: {expect: success()},
  },
  {
    id: 'partner-wrong-key',
    title: 'A wrong partnerKey returns the error object',
    clause: 'docs/interface.md#error-object',
    step: {authentication: {method: 'transparent', wrongKey: true}, expect: failure()},
  },
  {
    id: 'partner-unknown',
    title: 'An unknown partnerId returns the error object',
    clause: 'docs/interface.md#error-object',
    step: {
      authentication: {method: 'transparent', username: 'nobody-of-this-name'},
      expect: failure(),
    },
  },
  {
    id: 'partner-id-missing',
    title: 'A request without partnerId fails',
    clause: 'docs/interface.md#validate-partner',
    needs: [],
    step: {authentication: {method: 'none'}, body: {partnerKey: 'x'}, expect: failure()},
  },
  {
    id: 'partner-key-missing',
    title: 'A request without partnerKey fails',
    clause: 'docs/interface.md#validate-partner',
    needs: [],
    step: {authentication: {method: 'none'}, body: {partnerId: 'x'}, expect: failure()},
  },
  {
    id: 'reference-echoed',
    title: 'A reference is echoed in a success',
    clause: 'docs/interface.md#common-members',
    step: {body: {reference: 'echo me'}, expect: success({members: {reference: 'echo me'}})},
  },
  {
    id: 'reference-echoed-on-failure',
    title: 'A reference is echoed in a failure',
    clause: 'docs/interface.md#error-object',
    step: {
      operation: 'process-payload',
      body: {reference: 'echo me', deviceType: 'no such type', devicePayload: '00'},
      expect: failure({members: {reference: 'echo me'}}),
    },
  },
  {
    id: 'reference-50',
    title: 'A reference of 50 characters is accepted',
    clause: 'docs/interface.md#limits',
    step: {
      body: {reference: MAX_REFERENCE},
      expect: success({members: {reference: MAX_REFERENCE}}),
    },
  },
  {
    id: 'reference-51',
    title: 'A reference of 51 characters is rejected',
    clause: 'docs/interface.md#limits',
    step: {body: {reference: `${MAX_REFERENCE}r`}, expect: failure()},
  },
  {
    id: 'reference-type',
    title: 'A reference that is not a string is rejected',
    clause: 'docs/interface.md#common-members',
    step: {body: {reference: 7}, expect: failure()},
  },
  {
    id: 'message-id-unique',
    title: 'Two responses have different messageIds',
    clause: 'docs/interface.md#validation-response',
    step: [{expect: success()}, {expect: success({rules: [hasNewMessageId]})}],
  },
  {
    id: 'post-only',
    title: 'Methods other than POST fail',
    clause: 'docs/interface.md#general-rules',
    step: ['GET', 'PUT', 'DELETE'].map((verb) => ({verb, expect: failure()})),
  },
  {
    id: 'body-not-json',
    title: 'A body that is not JSON returns the error object',
    clause: 'docs/interface.md#general-rules',
    needs: [],
    step: {authentication: {method: 'none'}, body: 'partnerId=x&partnerKey=y', expect: failure()},
  },
  {
    id: 'device-valid',
    title: 'A registered device validates',
    clause: 'docs/interface.md#endpoints',
    needs: ['transparent', 'device'],
    bodyOf: ({device}) => device,
    step: {operation: 'validate-device', expect: success()},
  },
  {
    id: 'device-client',
    title: 'clientId distinguishes devices with the same serial',
    clause: 'docs/interface.md#common-members',
    needs: ['transparent', 'twoClients'],
    bodyOf: ({twoClients}) => twoClients,
    step: {operation: 'validate-device', expect: success()},
  },
  {
    id: 'device-serial-missing',
    title: 'validate-device without serial fails',
    clause: 'docs/interface.md#validate-device',
    step: {operation: 'validate-device', body: {firmware: '1'}, expect: failure()},
  },
  {
    id: 'device-firmware-missing',
    title: 'validate-device without firmware fails',
    clause: 'docs/interface.md#validate-device',
    needs: ['transparent', 'device'],
    bodyOf: ({device}) => ({serial: device?.serial}),
    step: {operation: 'validate-device', expect: failure()},
  },
  {
    id: 'device-unknown',
    title: 'A device that is not registered fails',
    clause: 'docs/interface.md#operations',
    step: {
      operation: 'validate-device',
      body: {serial: 'NO-SUCH-DEVICE-0', firmware: '1'},
      expect: failure(),
    },
  },
  {
    id: 'device-unauthenticated',
    title: 'validate-device requires credentials',
    clause: 'docs/interface.md#authentication',
    needs: ['device'],
    bodyOf: ({device}) => device,
    step: {
      operation: 'validate-device',
      authentication: {method: 'transparent', wrongKey: true},
      expect: failure(),
    },
  },
  {
    id: 'payload-unauthenticated',
    title: 'process-payload requires credentials',
    clause: 'docs/interface.md#authentication',
    step: {
      operation: 'process-payload',
      authentication: {method: 'transparent', wrongKey: true},
      body: {deviceType: 'idtech', devicePayload: '02'},
      expect: refused(),
    },
  },
];

/**
 * What docs/interface.md#general-rules and docs/interface.md#validation-response say, of all
 * endpoints and of the two that validate.
 */
export const INTERFACE_VALIDATION: readonly Scenario[] = VALIDATION_CASES.map((each) =>
  caseScenario(each, 'interface'),
);
