import type {AuthMethod} from '../contract/auth-method.js';
import {REALM} from './partner/digest-key.js';

/** Parameters of the Digest challenges. */
export interface ChallengeOptions {
  /** A nonce just issued. */
  readonly nonce: string;
  /** The answer was right, but for its nonce (RFC 7616, 3.3). */
  readonly stale?: boolean;
}

/**
 * The values of the WWW-Authenticate headers for the methods that a server offers, one each, for
 * Digest two: SHA-256 before MD5 (docs/contract.md#http-statuses). Transparent and pre-emptive
 * Digest have none.
 */
export function challengesFor(
  methods: Iterable<AuthMethod>,
  options: ChallengeOptions,
): readonly string[] {
  const offered = new Set(methods);
  return ORDER.filter((method) => offered.has(method)).flatMap((method) =>
    CHALLENGES[method](options),
  );
}

type Challenges = (options: ChallengeOptions) => readonly string[];

/** In the order in which they are sent. */
const CHALLENGES: Readonly<Record<AuthMethod, Challenges>> = {
  hmac: () => [`Hmac realm="${REALM}"`],
  rsa: () => [`Rsa realm="${REALM}"`],
  digest: (options) => [digestChallenge('SHA-256', options), digestChallenge('MD5', options)],
  basic: () => [`Basic realm="${REALM}", charset="UTF-8"`],
  transparent: () => [],
  'digest-preemptive': () => [],
};

const ORDER = Object.keys(CHALLENGES) as AuthMethod[];

function digestChallenge(algorithm: string, {nonce, stale}: ChallengeOptions): string {
  const end = stale ? ', stale=true' : '';
  return `Digest realm="${REALM}", qop="auth", algorithm=${algorithm}, nonce="${nonce}", charset=UTF-8${end}`;
}
