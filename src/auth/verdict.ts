import type {AuthMethod} from '../contract/auth-method.js';
import type {DigestNonces} from './challenges.js';
import type {Partner, PartnerLookup} from './partner/partner.js';

/** Why a request was refused: for metrics and logs, never for the caller. */
export type RefusalReason =
  | 'malformed'
  | 'scheme'
  | 'credentials'
  | 'body'
  | 'time'
  | 'replay'
  | 'strict';

/** A request that is not authenticated. */
export interface Refusal {
  readonly accepted: false;
  readonly reason: RefusalReason;
  /** The Digest response is right, but its nonce can no longer be used (RFC 7616, 3.3). */
  readonly stale?: boolean;
}

/** A request whose credentials are right; its nonce, if it has one, is still to be claimed. */
export interface Acceptance {
  readonly accepted: true;
  readonly partner: Partner;
  readonly method: AuthMethod;
  readonly nonce?: string;
  /** How long the nonce must be stored, in milliseconds. */
  readonly lifetime?: number;
  /** Seconds since 1970 that must be fresh. */
  readonly timestamp?: number;
}

export type Verdict = Acceptance | Refusal;

/** State that verification needs. */
export interface VerifyContext {
  readonly partners: PartnerLookup;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The same, never going back: for the nonces of Digest challenges. Absent: `now`. */
  readonly latest?: (() => number) | undefined;
  readonly digestNonces: DigestNonces;
}

export function refuse(reason: RefusalReason): Refusal {
  return {accepted: false, reason};
}
