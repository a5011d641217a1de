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

const CASES: readonly ContractCase[] = [
  {
    id: 'payload-type-missing',
    title: 'process-payload without deviceType fails',
    clause: 'docs/interface.md#process-payload',
    step: {operation: 'process-payload', body: {devicePayload: '02'}, expect: failure()},
  },
  {
    id: 'payload-type-unknown',
    title: 'A deviceType outside the enum fails',
    clause: 'docs/interface.md#process-payload',
    step: {
      operation: 'process-payload',
      body: {deviceType: 'toaster', devicePayload: '02'},
      expect: failure(),
    },
  },
  {
    id: 'payload-missing',
    title: 'process-payload without devicePayload fails',
    clause: 'docs/interface.md#process-payload',
    step: {operation: 'process-payload', body: {deviceType: 'idtech'}, expect: failure()},
  },
  {
    id: 'payload-wrong-type',
    title: 'A devicePayload that is not a string fails',
    clause: 'docs/interface.md#process-payload',
    step: {
      operation: 'process-payload',
      body: {deviceType: 'idtech', devicePayload: 2},
      expect: failure(),
    },
  },
  {
    id: 'payload-not-decryptable',
    title: 'A payload that does not match its deviceType fails',
    clause: 'docs/interface.md#error-object',
    step: {
      operation: 'process-payload',
      body: {deviceType: 'idtech', devicePayload: 'no payload at all'},
      expect: failure(),
    },
  },
  {
    id: 'payload-reference',
    title: 'process-payload echoes the reference',
    clause: 'docs/interface.md#process-payload-response',
    needs: ['transparent', 'payload:idtech'],
    bodyOf: ({payloads}) => ({...payloadRequest(payloads?.idtech), reference: 'order 7'}),
    step: {operation: 'process-payload', expect: success({members: {reference: 'order 7'}})},
  },
];

/** What docs/interface.md#process-payload says. */
export const INTERFACE_PAYLOAD: readonly Scenario[] = [
  ...READS,
  ...CASES.map((each) => caseScenario(each, 'interface')),
];
