import {createHash, createHmac, randomUUID} from 'node:crypto';
import {DEMO_PARTNER} from '../../src/service/registry/demo-registry.js';

/** The parts of a signed request that a test chooses; the rest is valid. */
export interface Signing {
  readonly target?: string;
  readonly body?: string | Uint8Array;
  readonly nonce?: string;
  /** Seconds. */
  readonly timestamp?: number;
  readonly partnerId?: string;
  readonly key?: string;
}

/** An Hmac header computed with node:crypto from the text of the interface, not by our signer. */
export function hmacHeader(signing: Signing = {}): string {
  const {target = '/api/v1/partner/validate', body = '{}', nonce = randomUUID()} = signing;
  const {timestamp = Math.floor(Date.now() / 1000)} = signing;
  const {partnerId = DEMO_PARTNER.partnerId, key = DEMO_PARTNER.sharedKey} = signing;
  const content = createHash('sha256').update(body).digest('hex');
  const response = createHmac('sha256', key)
    .update(`POST ${target}\n${nonce}\n${timestamp}\n\n${content}`)
    .digest('hex');
  return `Hmac username="${partnerId}", nonce="${nonce}", timestamp=${timestamp}, response="${response}"`;
}
