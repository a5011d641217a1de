import type {HeaderMethod} from '../../contract/auth-method.js';
import type {Credentials} from '../authorization-header.js';
import type {SignedRequest} from '../string-to-hash.js';
import type {Verdict, VerifyContext} from '../verdict.js';
import {verifyBasic} from './basic.js';
import {verifyDigest} from './digest.js';
import {isPreemptive, verifyDigestPreemptive} from './digest-preemptive.js';
import {verifyHmac} from './hmac.js';
import {verifyRsa} from './rsa.js';

interface Verification {
  /** In lower case. */
  readonly scheme: string;
  readonly verify: (parsed: Credentials, request: SignedRequest, context: VerifyContext) => Verdict;
}

const VERIFICATIONS: Readonly<Record<HeaderMethod, Verification>> = {
  hmac: {scheme: 'hmac', verify: verifyHmac},
  rsa: {scheme: 'rsa', verify: verifyRsa},
  basic: {scheme: 'basic', verify: (parsed, _, context) => verifyBasic(parsed, context)},
  digest: {scheme: 'digest', verify: verifyDigest},
  'digest-preemptive': {scheme: 'digest', verify: verifyDigestPreemptive},
};

const BY_SCHEME = new Map(
  (Object.keys(VERIFICATIONS) as HeaderMethod[])
    .filter((method) => method !== 'digest-preemptive')
    .map((method) => [VERIFICATIONS[method].scheme, method]),
);

/**
 * The method of an Authorization header with this scheme, in lower case; undefined if it is none of
 * the interface. Only the parsed header tells the two kinds of Digest apart.
 */
export function methodOf(
  scheme: string,
  parsed: Credentials | undefined,
): HeaderMethod | undefined {
  const method = BY_SCHEME.get(scheme);
  return method === 'digest' && parsed && isPreemptive(parsed) ? 'digest-preemptive' : method;
}

/** The verdict on a request with an Authorization header of this method. */
export function verifyHeader(
  method: HeaderMethod,
  parsed: Credentials,
  request: SignedRequest,
  context: VerifyContext,
): Verdict {
  return VERIFICATIONS[method].verify(parsed, request, context);
}
