import {describe, expect, it} from 'vitest';
import type {ProcessPayloadResult} from '../../../src/contract/process-payload.js';
import {KNOWN_TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {
  FURTHER_PAYLOADS,
  type Payload,
  SAMPLE_PAYLOADS,
  simulatedPayloads,
} from '../../payloads.js';
import {answer} from '../samples.js';

/** A name and a value in hex or base64, in JSON or in lines. */
const MEMBER = /(?<=[{,;\n]\s*"?)(\w{3,})(?="?\s*[:=]\s*"?([\w+/=]{22,}))/g;
const HOSTS = [...SAMPLE_PAYLOADS, ...FURTHER_PAYLOADS, ...simulatedPayloads()].filter(
  (host) => ciphertextsIn(host).length > 0,
);

/** The members that are a ciphertext, of one KSN: that of another track opens nothing. */
function ciphertextsIn({request: {deviceType, devicePayload}}: Payload) {
  const {candidates} = readPayload(KNOWN_TERMINALS.get(deviceType), devicePayload);
  const fields = candidates[0] ?? [];
  const ciphertexts = fields.map(({ciphertext}) => Buffer.from(ciphertext));
  const texts = ciphertexts.flatMap((one) => [one.toString('hex'), one.toString('base64')]);
  const found = [...devicePayload.matchAll(MEMBER)].map(({1: name, 2: value = '', index}) => {
    return {name, value, index};
  });
  const isOneKsn = new Set(fields.map(({ksn}) => ksn)).size === 1;
  return found.filter(
    ({value}) => isOneKsn && (texts.includes(value) || texts.includes(value.toLowerCase())),
  );
}

function whatIsIn({extracted, ...rest}: ProcessPayloadResult) {
  return [...Object.keys(rest), ...Object.keys(extracted)].sort();
}

/** The names that, when mistyped, cost the answer a part, and nothing is said. */
function lostBy(host: Payload) {
  const {request, keys} = host;
  const {devicePayload} = request;
  const whole = answer(request, keys).response;
  if (!whole) return [];
  return ciphertextsIn(host)
    .filter(({index}) => {
      const mistyped = `${devicePayload.slice(0, index)}u${devicePayload.slice(index)}`;
      const {response} = answer({...request, devicePayload: mistyped}, keys);
      return response && whatIsIn(response).join() !== whatIsIn(whole).join();
    })
    .map(({name}) => name);
}

describe('with one name mistyped, the answer is whole or refused:', () => {
  it.each(HOSTS.map((host) => [host.name, host] as const))('%s', (_, host) => {
    expect(lostBy(host)).toEqual([]);
  });
});
