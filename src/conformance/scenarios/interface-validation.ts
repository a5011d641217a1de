import {hasNewMessageId} from '../rules.js';
import type {Scenario} from '../scenario.js';
import {failure, refused, success} from './expectations.js';

const LONGEST = 'r'.repeat(50);

/**
 * What docs/interface.md#general-rules and docs/interface.md#validation-response say, of all
 * endpoints and of the two that validate.
 */
export const INTERFACE_VALIDATION: readonly Scenario[] = [
  {
    id: 'partner-valid',
    title: 'Valid credentials are accepted',
    clause: 'docs/interface.md#endpoints',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [{operation: 'validate-partner', expect: success()}],
  },
  {
    id: 'partner-wrong-key',
    title: 'A wrong partnerKey returns the error object',
    clause: 'docs/interface.md#error-object',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [
      {
        operation: 'validate-partner',
        authentication: {method: 'transparent', wrongKey: true},
        expect: failure(),
      },
    ],
  },
  {
    id: 'partner-unknown',
    title: 'An unknown partnerId returns the error object',
    clause: 'docs/interface.md#error-object',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [
      {
        operation: 'validate-partner',
        authentication: {method: 'transparent', username: 'nobody-of-this-name'},
        expect: failure(),
      },
    ],
  },
  {
    id: 'partner-id-missing',
    title: 'A request without partnerId fails',
    clause: 'docs/interface.md#validate-partner',
    level: 'interface',
    needs: [],
    steps: () => [
      {
        operation: 'validate-partner',
        authentication: {method: 'none'},
        body: {partnerKey: 'x'},
        expect: failure(),
      },
    ],
  },
  {
    id: 'partner-key-missing',
    title: 'A request without partnerKey fails',
    clause: 'docs/interface.md#validate-partner',
    level: 'interface',
    needs: [],
    steps: () => [
      {
        operation: 'validate-partner',
        authentication: {method: 'none'},
        body: {partnerId: 'x'},
        expect: failure(),
      },
    ],
  },
  {
    id: 'reference-echoed',
    title: 'A reference is echoed in a success',
    clause: 'docs/interface.md#common-members',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [
      {
        operation: 'validate-partner',
        body: {reference: 'echo me'},
        expect: success({members: {reference: 'echo me'}}),
      },
    ],
  },
  {
    id: 'reference-echoed-on-failure',
    title: 'A reference is echoed in a failure',
    clause: 'docs/interface.md#error-object',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [
      {
        operation: 'process-payload',
        body: {reference: 'echo me', deviceType: 'no such type', devicePayload: '00'},
        expect: failure({members: {reference: 'echo me'}}),
      },
    ],
  },
  {
    id: 'reference-50',
    title: 'A reference of 50 characters is accepted',
    clause: 'docs/interface.md#limits',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [
      {
        operation: 'validate-partner',
        body: {reference: LONGEST},
        expect: success({members: {reference: LONGEST}}),
      },
    ],
  },
  {
    id: 'reference-51',
    title: 'A reference of 51 characters is rejected',
    clause: 'docs/interface.md#limits',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [
      {operation: 'validate-partner', body: {reference: `${LONGEST}r`}, expect: failure()},
    ],
  },
  {
    id: 'reference-type',
    title: 'A reference that is not a string is rejected',
    clause: 'docs/interface.md#common-members',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [{operation: 'validate-partner', body: {reference: 7}, expect: failure()}],
  },
  {
    id: 'message-id-unique',
    title: 'Two responses have different messageIds',
    clause: 'docs/interface.md#validation-response',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [
      {operation: 'validate-partner', expect: success()},
      {operation: 'validate-partner', expect: success({rules: [hasNewMessageId]})},
    ],
  },
  {
    id: 'post-only',
    title: 'Methods other than POST fail',
    clause: 'docs/interface.md#general-rules',
    level: 'interface',
    needs: ['transparent'],
    steps: () =>
      ['GET', 'PUT', 'DELETE'].map((verb) => ({
        operation: 'validate-partner' as const,
        verb,
        expect: failure(),
      })),
  },
  {
    id: 'body-not-json',
    title: 'A body that is not JSON returns the error object',
    clause: 'docs/interface.md#general-rules',
    level: 'interface',
    needs: [],
    steps: () => [
      {
        operation: 'validate-partner',
        authentication: {method: 'none'},
        body: 'partnerId=x&partnerKey=y',
        expect: failure(),
      },
    ],
  },
  {
    id: 'device-valid',
    title: 'A registered device validates',
    clause: 'docs/interface.md#endpoints',
    level: 'interface',
    needs: ['transparent', 'device'],
    steps: ({device}) => [{operation: 'validate-device', body: device ?? {}, expect: success()}],
  },
  {
    id: 'device-client',
    title: 'clientId distinguishes devices with the same serial',
    clause: 'docs/interface.md#common-members',
    level: 'interface',
    needs: ['transparent', 'twoClients'],
    steps: ({twoClients}) => [
      {operation: 'validate-device', body: twoClients ?? {}, expect: success()},
    ],
  },
  {
    id: 'device-serial-missing',
    title: 'validate-device without serial fails',
    clause: 'docs/interface.md#validate-device',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [{operation: 'validate-device', body: {firmware: '1'}, expect: failure()}],
  },
  {
    id: 'device-firmware-missing',
    title: 'validate-device without firmware fails',
    clause: 'docs/interface.md#validate-device',
    level: 'interface',
    needs: ['transparent', 'device'],
    steps: ({device}) => [
      {operation: 'validate-device', body: {serial: device?.serial}, expect: failure()},
    ],
  },
  {
    id: 'device-unknown',
    title: 'A device that is not registered fails',
    clause: 'docs/interface.md#operations',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [
      {
        operation: 'validate-device',
        body: {serial: 'NO-SUCH-DEVICE-0', firmware: '1'},
        expect: failure(),
      },
    ],
  },
  {
    id: 'device-unauthenticated',
    title: 'validate-device requires credentials',
    clause: 'docs/interface.md#authentication',
    level: 'interface',
    needs: ['device'],
    steps: ({device}) => [
      {
        operation: 'validate-device',
        authentication: {method: 'transparent', wrongKey: true},
        body: device ?? {},
        expect: failure(),
      },
    ],
  },
  {
    id: 'payload-unauthenticated',
    title: 'process-payload requires credentials',
    clause: 'docs/interface.md#authentication',
    level: 'interface',
    needs: ['transparent'],
    steps: () => [
      {
        operation: 'process-payload',
        authentication: {method: 'transparent', wrongKey: true},
        body: {deviceType: 'idtech', devicePayload: '02'},
        expect: refused(),
      },
    ],
  },
];
