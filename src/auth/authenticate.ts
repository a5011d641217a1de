import type {AuthMethod} from '../contract/auth-method.js';
import {PaylensError} from '../contract/paylens-error.js';
import {equalBytes, sha256} from '../platform/hash.js';
import {parseAuthorization} from './authorization-header.js';
import {methodOf, VERIFY_HEADER} from './methods/header-methods.js';
import {type BodyCredentials, verifyTransparent} from './methods/transparent.js';
import type {Claim, ReplayStore} from './replay-store.js';
import {isFresh} from './replay-store.js';
import type {SteadyClock} from './steady-clock.js';
import type {SignedRequest} from './string-to-hash.js';
import {
  type Acceptance,
  type Refusal,
  refuse,
  type Verdict,
  type VerifyContext,
} from './verdict.js';

/** A request as it came in. */
export interface AuthRequest extends SignedRequest {
  /** The values of all its Authorization headers, from `rawHeaders`: Node hides a second one. */
  readonly authorization: readonly string[];
  /** partnerId and partnerKey of the body, where it could be parsed and they are texts. */
  readonly credentials?: BodyCredentials | undefined;
}

/** State that a server needs for authentication. */
export interface AuthContext extends VerifyContext {
  readonly replay: ReplayStore;
  /** Which requests a setting of the system clock made acceptable again. Absent: it is never set. */
  readonly clock?: Pick<SteadyClock, 'noteAccepted' | 'mayBeForgotten'> | undefined;
}

/** The sender of a request, and the method that authenticated it. */
export interface Authenticated {
  readonly partnerId: string;
  readonly method: AuthMethod;
}

/**
 * Determines who sent a request: by its Authorization header, or without one by its body
 * (docs/contract.md#authentication). The nonce is claimed last, after all other checks have passed.
 * Throws 1003, which is the same for every reason (`refusalOf` gives the reason for the log and the
 * challenges), and 2 if the replay store is full or unreachable.
 */
export async function authenticate(
  request: AuthRequest,
  context: AuthContext,
): Promise<Authenticated> {
  const verdict = verifyRequest(request, context);
  if (!verdict.accepted) throw refused(verdict);
  const {partner, method, nonce, lifetime, timestamp} = verdict;
  if (timestamp !== undefined && context.clock?.mayBeForgotten(timestamp)) {
    throw new PaylensError(2, 'the system clock was set: this may be a request used before');
  }
  if (nonce !== undefined && lifetime !== undefined) {
    const claim = await claimNonce(context.replay, partner.partnerId, nonce, lifetime, timestamp);
    if (claim === 'full') throw new PaylensError(2);
    if (claim === 'seen') throw refused(refuse('replay'));
    // The clock of the store may be ahead of this one, so that it has already removed the nonce.
    if (timestamp !== undefined && !isFresh(timestamp, context.now())) {
      throw refused(refuse('time'));
    }
    if (timestamp !== undefined) context.clock?.noteAccepted(timestamp);
  }
  return {partnerId: partner.partnerId, method};
}

/** Why `authenticate` threw 1003; undefined for any other error. */
export function refusalOf(error: unknown): Refusal | undefined {
  return error instanceof PaylensError && error.code === 1003
    ? (error.cause as Refusal | undefined)
    : undefined;
}

function verifyRequest(request: AuthRequest, context: AuthContext): Verdict {
  const {authorization, credentials = {}} = request;
  if (authorization.length === 0) return verifyTransparent(credentials, context);
  const [header = ''] = authorization;
  const parsed = authorization.length === 1 ? parseAuthorization(header) : undefined;
  if (!parsed) return refuse('malformed');
  const method = methodOf(parsed.scheme, parsed);
  if (!method) return refuse('scheme');
  const verdict = VERIFY_HEADER[method](parsed, request, context);
  return verdict.accepted && !agrees(verdict, credentials) ? refuse('body') : verdict;
}

// With a header, credentials in the body must belong to the user of the header.
function agrees({partner}: Acceptance, {partnerId, partnerKey}: BodyCredentials): boolean {
  if (partnerId && partnerId !== partner.partnerId) return false;
  if (!partnerKey) return true;
  return partner.keyHash !== undefined && equalBytes(sha256(partnerKey), partner.keyHash);
}

async function claimNonce(
  replay: ReplayStore,
  ...claim: Parameters<ReplayStore['claim']>
): Promise<Claim> {
  try {
    return await replay.claim(...claim);
  } catch (cause) {
    if (cause instanceof PaylensError) throw cause;
    throw new PaylensError(2, '', {cause});
  }
}

function refused(refusal: Refusal): PaylensError {
  return new PaylensError(1003, '', {cause: refusal});
}
