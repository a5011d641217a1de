import {DEVICE_TYPES, type DeviceType} from '../../contract/device-types.js';
import {extracts, hasTrackObjects, hidesCard, isProcessedPayload} from '../rules.js';
import type {Scenario} from '../scenario.js';
import {type ContractCase, caseScenario, payloadRequest} from './contract-case.js';
import {failure, success} from './expectations.js';

/** Types whose payloads cannot be decrypted by anyone but the owner of the scheme. */
const UNREADABLE: readonly DeviceType[] = ['ingenico-ra1'];

/** A read of every device type, by the configured payload of that name. */
const READS: readonly Scenario[] = DEVICE_TYPES.filter((type) => !UNREADABLE.includes(type)).map(
  (type) => ({
    id: `read-${type}`,
    title: `A payload of ${type} is decrypted`,
    clause: 'docs/interface.md#endpoints',
    level: 'interface',
    needs: ['transparent', `payload:${type}`],
    steps: ({payloads}) => {
      const {expect, ...request} = payloads?.[type] ?? {deviceType: type, devicePayload: ''};
      const rules = [isProcessedPayload, hasTrackObjects, hidesCard, extracts(expect)];
      return [{operation: 'process-payload', body: request, expect: success({rules})}];
    },
  }),
);

const REQUEST = 'docs/interface.md#process-payload';
const ERROR_OBJECT = 'docs/interface.md#error-object';

const PAYLOAD_CASES: readonly ContractCase[] = [
  refusedBody('payload-type-missing', 'process-payload without deviceType fails', REQUEST, {
    devicePayload: '02',
  }),
  refusedBody('payload-type-unknown', 'A deviceType outside the enum fails', REQUEST, {
    deviceType: 'toaster',
    devicePayload: '02',
  }),
  refusedBody('payload-missing', 'process-payload without devicePayload fails', REQUEST, {
    deviceType: 'idtech',
  }),
  refusedBody('payload-wrong-type', 'A devicePayload that is not a string fails', REQUEST, {
    deviceType: 'idtech',
    devicePayload: 2,
  }),
  refusedBody(
    'payload-not-decryptable',
    'A payload that does not match its deviceType fails',
    ERROR_OBJECT,
    {deviceType: 'idtech', devicePayload: 'no payload at all'},
  ),
  {
    id: 'payload-reference',
    title: 'process-payload echoes the reference',
    clause: 'docs/interface.md#process-payload-response',
    needs: ['transparent', 'payload:idtech'],
    bodyOf: ({payloads}) => ({...payloadRequest(payloads?.idtech), reference: 'order 7'}),
    step: {operation: 'process-payload', expect: success({members: {reference: 'order 7'}})},
  },
];

function refusedBody(id: string, title: string, clause: string, body: object): ContractCase {
  return {id, title, clause, step: {operation: 'process-payload', body, expect: failure()}};
}

/** What docs/interface.md#process-payload says. */
export const INTERFACE_PAYLOAD: readonly Scenario[] = [
  ...READS,
  ...PAYLOAD_CASES.map((each) => caseScenario(each, 'interface')),
];
