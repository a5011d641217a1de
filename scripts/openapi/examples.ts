import {readFileSync} from 'node:fs';
import {ERROR_CATALOGUE, type ErrorCode} from '../../src/contract/error-catalogue.js';
import type {Operation} from '../../src/contract/operation.js';
import type {ProcessPayloadRequest} from '../../src/contract/process-payload.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {DEMO_PARTNER} from '../../src/service/registry/demo-registry.js';

/** A request and its response, as of `paylens serve --demo` except for the messageId. */
interface Exchange {
  readonly summary: string;
  readonly request: object;
  readonly response: object;
}

const {partnerId, partnerKey} = DEMO_PARTNER;
const MESSAGE_ID = '1795000000000000000000001';

/** Examples of each operation by name: the request and its success. */
export const EXCHANGES: Readonly<Record<Operation, Readonly<Record<string, Exchange>>>> = {
  'validate-partner': {
    demo: exchange('the partner of the demo server', {reference: 'order-1'}, {}),
  },
  'validate-device': {
    demo: exchange(
      'a device of the demo server',
      {reference: 'order-2', serial: 'DEMO0001', firmware: '1.0'},
      {},
    ),
  },
  'process-payload': {
    swiped: decrypted('a swipe on an ID TECH reader', 'idtech-swipe'),
    keyed: decrypted('a keyed entry with CVV, street and ZIP', 'idtech-keyed'),
  },
};

/** The error object of a code, as an example. */
export function errorExample(code: ErrorCode) {
  const errMessage = ERROR_CATALOGUE[code].message;
  return {success: false, errCode: code, errMessage, messageId: MESSAGE_ID};
}

function decrypted(summary: string, sample: string): Exchange {
  const request: ProcessPayloadRequest = JSON.parse(readFileSync(`samples/${sample}.json`, 'utf8'));
  return exchange(
    summary,
    {...request, reference: 'order-3'},
    processPayload(request, testKeyRing()),
  );
}

function exchange(
  summary: string,
  members: {readonly reference?: string | undefined; readonly [name: string]: unknown},
  result: object,
): Exchange {
  const {reference} = members;
  return {
    summary,
    request: {partnerId, partnerKey, ...members},
    response: {success: true, reference, messageId: MESSAGE_ID, ...result},
  };
}
