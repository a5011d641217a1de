import {readFileSync} from 'node:fs';
import type {Run} from '../../src/conformance/run-scenarios.js';
import type {ConfiguredPayload} from '../../src/conformance/scenario.js';
import {AUTH_METHODS} from '../../src/contract/auth-method.js';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {Secret} from '../../src/contract/secret.js';

interface Sample {
  readonly request: ConfiguredPayload;
  readonly expect: {readonly response?: {readonly extracted: {readonly PAN: string}}};
}

/** The input of every scenario for a demo server at `baseUrl`. */
export function demoRun(baseUrl: string): Run {
  const secret = (text: string) => new Secret(Buffer.from(text));
  const sharedKey = secret('5ha3ed5ha3ed5ha3ed5ha3ed5ha3ed00');
  return {
    endpoint: {
      baseUrl,
      timeout: 5000,
      credentials: {
        partnerId: 'DEMO',
        partnerKey: secret('d3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0'),
        sharedKey,
        privateKey: secret(readFileSync('samples/demo-rsa-key.pem', 'utf8')),
      },
      withoutHmac: {partnerId: 'DEMO-UNSIGNED', sharedKey},
    },
    config: {
      device: {serial: 'DEMO0001', firmware: '1.0'},
      inactiveDevice: {serial: 'DEMO0003', firmware: '1.0'},
      twoClients: {serial: 'DEMO0005', firmware: '1.0', clientId: 'client-1'},
      payloads: Object.fromEntries(DEVICE_TYPES.flatMap(payloadOf)),
    },
    methods: new Set(AUTH_METHODS),
    elapsed: () => performance.now(),
  };
}

/** The first published read of a type that decrypts. */
function payloadOf(type: string): [string, ConfiguredPayload][] {
  const samples: Sample[] = JSON.parse(readFileSync(`test/samples/${type}.json`, 'utf8'));
  const sample = samples.find(({expect}) => expect.response);
  const PAN = sample?.expect.response?.extracted.PAN;
  return sample && PAN ? [[type, {...sample.request, expect: {PAN}}]] : [];
}
