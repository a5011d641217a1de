import {expect, it} from 'vitest';
import {readingOrder} from '../../../src/service/inspector/reading-order.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {hmacHeader} from '../node-signature.js';

const BODY = Buffer.from(JSON.stringify({partnerId: 'DEMO-UNSIGNED', partnerKey: 'x'}));
const {partners} = demoRegistry();

it.each([
  ['the partner of its header', [hmacHeader()], ['DEMO']],
  ['the partner of a Basic header', [`Basic ${btoa('DEMO:x')}`], ['DEMO']],
  ['the partner of its body without a header', [], ['DEMO-UNSIGNED']],
  ['the partner of its body behind a damaged header', ['Hmac username='], ['DEMO-UNSIGNED']],
  ['those of both', ['Hmac', hmacHeader()], ['DEMO-UNSIGNED', 'DEMO']],
])('a refused request is read with %s', (_, headers, expected) => {
  const rawHeaders = headers.flatMap((header) => ['Authorization', header]);
  const refused = {target: '/', rawHeaders, body: BODY, reason: 'credentials'} as const;
  const order = readingOrder({refused, now: 0}, partners);
  expect(order.partners.map(({partnerId}) => partnerId)).toEqual(expected);
});
