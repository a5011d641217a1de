import {REALM} from './partner/digest-key.js';

/** Parameters of the Digest challenges. */
export interface ChallengeOptions {
  /** A nonce just issued. */
  readonly nonce: string;
  /** The response was right, but for its nonce (RFC 7616, 3.3). */
  readonly stale?: boolean;
}

/**
 * The values of the WWW-Authenticate headers, in the order in which they are sent, for Digest two:
 * SHA-256 before MD5 (docs/contract.md#http-statuses). Transparent and pre-emptive Digest have none.
 */
export function challenges({nonce, stale}: ChallengeOptions): string[] {
  const end = stale ? ', stale=true' : '';
  const digest = (algorithm: string) =>
    `Digest realm="${REALM}", qop="auth", algorithm=${algorithm}, nonce="${nonce}", charset=UTF-8${end}`;
  return [
    `Hmac realm="${REALM}"`,
    `Rsa realm="${REALM}"`,
    digest('SHA-256'),
    digest('MD5'),
    `Basic realm="${REALM}", charset="UTF-8"`,
  ];
}
