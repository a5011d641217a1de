import {CLAUSE} from '../clauses.js';
import type {Scenario} from '../scenario.js';
import {type CaseRow, caseScenario, failure, none, refused, success} from './contract-case.js';

const MAX_REFERENCE = 'r'.repeat(50);

const DEVICE = 'validate-device';
const PARSER = 'process-payload';
const wrongKey = {authentication: {method: 'transparent', wrongKey: true}} as const;
const nobody = {
  authentication: {method: 'transparent', username: 'nobody-of-this-name'},
} as const;
const ECHO = {members: {reference: 'echo me'}};

const VALIDATION_CASES: readonly CaseRow[] = [
  ['partner-valid', 'Valid credentials are accepted', CLAUSE.endpoints, {expect: success()}],
  [
    'partner-wrong-key',
    'A wrong partnerKey fails',
    CLAUSE.errorObject,
    {...wrongKey, expect: refused()},
  ],
  [
    'partner-unknown',
    'An unknown partnerId fails',
    CLAUSE.errorObject,
    {...nobody, expect: refused()},
  ],
  [
    'partner-id-missing',
    'A request without partnerId fails',
    CLAUSE.validatePartner,
    {...none, body: {partnerKey: 'x'}, expect: failure()},
  ],
  [
    'partner-key-missing',
    'A request without partnerKey fails',
    CLAUSE.validatePartner,
    {...none, body: {partnerId: 'x'}, expect: failure()},
  ],
  [
    'reference-echoed',
    'A reference is echoed in a success',
    CLAUSE.common,
    {body: {reference: 'echo me'}, expect: ECHO},
  ],
  [
    'reference-echoed-on-failure',
    'A reference is echoed in a failure',
    CLAUSE.errorObject,
    {
      operation: PARSER,
      body: {reference: 'echo me', deviceType: 'no such type', devicePayload: '00'},
      expect: ECHO,
    },
  ],
  [
    'reference-50',
    'A reference of 50 characters is accepted',
    CLAUSE.limits,
    {body: {reference: MAX_REFERENCE}, expect: success()},
  ],
  [
    'reference-51',
    'A reference of 51 characters is rejected',
    CLAUSE.limits,
    {body: {reference: `${MAX_REFERENCE}r`}, expect: failure()},
  ],
  [
    'reference-type',
    'A reference that is not a string is rejected',
    CLAUSE.common,
    {body: {reference: 7}, expect: failure()},
  ],
  [
    'post-only',
    'Methods other than POST fail',
    CLAUSE.general,
    ['GET', 'PUT', 'DELETE'].map((verb) => ({verb, expect: failure()})),
  ],
  [
    'body-not-json',
    'A body that is not JSON fails',
    CLAUSE.general,
    {...none, body: 'partnerId=x&partnerKey=y', expect: failure()},
  ],
  [
    'device-valid',
    'A registered device validates',
    CLAUSE.endpoints,
    {operation: DEVICE, expect: success()},
    {needs: ['transparent', 'device'], basis: ['partner-valid'], bodyOf: ({device}) => device},
  ],
  [
    'device-client',
    'clientId distinguishes devices with the same serial',
    CLAUSE.common,
    {operation: DEVICE, expect: success()},
    {
      needs: ['transparent', 'twoClients'],
      basis: ['partner-valid'],
      bodyOf: ({twoClients}) => twoClients,
    },
  ],
  [
    'device-serial-missing',
    'validate-device without serial fails',
    CLAUSE.validateDevice,
    {operation: DEVICE, body: {firmware: '1'}, expect: failure()},
  ],
  [
    'device-firmware-missing',
    'validate-device without firmware fails',
    CLAUSE.validateDevice,
    {operation: DEVICE, expect: failure()},
    {needs: ['transparent', 'device'], bodyOf: ({device}) => ({serial: device?.serial})},
  ],
  [
    'device-unknown',
    'A device that is not registered fails',
    CLAUSE.operations,
    {operation: DEVICE, body: {serial: 'NO-SUCH-DEVICE-0', firmware: '1'}, expect: failure()},
  ],
  [
    'device-unauthenticated',
    'validate-device requires credentials',
    CLAUSE.credentials,
    {...wrongKey, operation: DEVICE, expect: refused()},
    {needs: ['device'], bodyOf: ({device}) => device},
  ],
  [
    'payload-unauthenticated',
    'process-payload requires credentials',
    CLAUSE.credentials,
    {
      ...wrongKey,
      operation: PARSER,
      body: {deviceType: 'idtech', devicePayload: '02'},
      expect: refused(),
    },
  ],
];

/**
 * What docs/interface.md#general-rules and docs/interface.md#validation-response say, of all
 * endpoints and of the two that validate.
 */
export const INTERFACE_VALIDATION: readonly Scenario[] = VALIDATION_CASES.map((each) =>
  caseScenario(each, 'interface'),
);
