import {DEVICE_TYPES, type DeviceType} from '../../contract/device-types.js';
import {CLAUSE} from '../clauses.js';
import {must, objectOf} from '../rules.js';
import type {Rule, Scenario} from '../scenario.js';
import {type CaseRow, caseScenario, failure, payloadRequest, success} from './contract-case.js';
import {hasExtracted} from './watched-cards.js';

const operation = 'process-payload';

/** Types whose payloads cannot be decrypted by anyone but the owner of the scheme. */
const UNREADABLE: readonly DeviceType[] = ['ingenico-ra1'];

/** A read of every device type, by the configured payload of that name. */
const READS: readonly Scenario[] = DEVICE_TYPES.filter((type) => !UNREADABLE.includes(type)).map(
  (type) => ({
    id: `read-${type}`,
    title: `A payload of ${type} is decrypted`,
    clause: CLAUSE.endpoints,
    level: 'interface',
    needs: ['transparent', `payload:${type}`],
    basis: ['partner-valid'],
    steps: ({payloads}) => {
      const {expect, ...request} = payloads?.[type] ?? {deviceType: type, devicePayload: ''};
      return [{operation, body: request, expect: success({rules: [extracts(expect)]})}];
    },
  }),
);

const PAYLOAD_CASES: readonly CaseRow[] = [
  refusedBody(
    'payload-type-missing',
    'process-payload without deviceType fails',
    CLAUSE.processPayload,
    {
      devicePayload: '02',
    },
  ),
  refusedBody(
    'payload-type-unknown',
    'A deviceType outside the enum fails',
    CLAUSE.processPayload,
    {
      deviceType: 'toaster',
      devicePayload: '02',
    },
  ),
  refusedBody(
    'payload-missing',
    'process-payload without devicePayload fails',
    CLAUSE.processPayload,
    {
      deviceType: 'idtech',
    },
  ),
  refusedBody(
    'payload-wrong-type',
    'A devicePayload that is not a string fails',
    CLAUSE.processPayload,
    {
      deviceType: 'idtech',
      devicePayload: 2,
    },
  ),
  refusedBody(
    'payload-not-decryptable',
    'A payload that does not match its deviceType fails',
    CLAUSE.errorObject,
    {deviceType: 'idtech', devicePayload: 'no payload at all'},
  ),
  [
    'payload-reference',
    'process-payload echoes the reference',
    CLAUSE.response,
    {operation, expect: {members: {reference: 'order 7'}}},
    {
      needs: ['transparent', 'payload:idtech'],
      bodyOf: ({payloads}) => ({...payloadRequest(payloads?.idtech), reference: 'order 7'}),
    },
  ],
];

function refusedBody(id: string, title: string, clause: string, body: object): CaseRow {
  return [id, title, clause, {operation, body, expect: failure()}];
}

/** Members of `extracted` that the configuration knows; what contradicts its tracks is judged there. */
function extracts(known: Readonly<Record<string, string>> = {}): Rule {
  return (answer) => {
    const extracted = objectOf(answer.body?.extracted);
    const names = hasExtracted(answer).length > 0 ? [] : Object.keys(known);
    return names.flatMap((name) =>
      must(extracted[name] === known[name], `extracted.${name} as configured`, 'another value'),
    );
  };
}

/** What docs/interface.md#process-payload says. */
export const INTERFACE_PAYLOAD: readonly Scenario[] = [
  ...READS,
  ...PAYLOAD_CASES.map((each) => caseScenario(each, 'interface')),
];
