import {randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {signHmac} from '../src/auth/methods/hmac.js';
import {HmacKey} from '../src/auth/partner/hmac-key.js';
import {type Operation, pathOf} from '../src/contract/operation.js';
import {DEMO_PARTNER} from '../src/service/registry/demo-registry.js';

const key = new HmacKey(Buffer.from(DEMO_PARTNER.sharedKey));

const BODIES: Readonly<Record<Operation, () => string>> = {
  'validate-partner': () => JSON.stringify({partnerId: DEMO_PARTNER.partnerId, reference: 'r-1'}),
  'validate-device': () => JSON.stringify({serial: 'DEMO0001', firmware: '1.0'}),
  'process-payload': () =>
    JSON.stringify(JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8'))),
};

/** `count` requests, each with its own nonce, ready to be written to a socket. */
export function signed(operation: Operation, count: number): Buffer[] {
  const target = pathOf(operation);
  const body = Buffer.from(BODIES[operation]());
  const timestamp = Math.floor(Date.now() / 1000);
  return Array.from({length: count}, () => {
    const signer = {partnerId: DEMO_PARTNER.partnerId, nonce: randomUUID(), timestamp};
    const lines = [
      `POST ${target} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Authorization: ${signHmac({method: 'POST', target, body}, signer, key)}`,
      `Content-Length: ${body.length}`,
    ];
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
  });
}
