import {createHash, createHmac, randomUUID} from 'node:crypto';
import {DEMO_PARTNER} from '../../src/service/registry/demo-registry.js';

/** What of a signed request a test chooses; the rest is right. */
export interface Signing {
  readonly target?: string;
  readonly body?: string | Uint8Array;
  readonly nonce?: string;
  /** Seconds. */
  readonly timestamp?: number;
  readonly partnerId?: string;
  readonly key?: string;
}

/** An Hmac header made by node:crypto from the interface's text, not by our signer. */
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
