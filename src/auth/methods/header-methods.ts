import type {HeaderMethod} from '../../contract/auth-method.js';
import type {Credentials} from '../authorization-header.js';
import type {SignedRequest} from '../string-to-hash.js';
import type {Verdict, VerifyContext} from '../verdict.js';
import {verifyBasic} from './basic.js';
import {verifyDigest} from './digest.js';
import {isPreemptive, verifyDigestPreemptive} from './digest-preemptive.js';
import {verifyHmac} from './hmac.js';
import {verifyRsa} from './rsa.js';

type Verify = (parsed: Credentials, request: SignedRequest, context: VerifyContext) => Verdict;

/** The verdict on a request with an Authorization header of each method. */
export const VERIFY_HEADER: Readonly<Record<HeaderMethod, Verify>> = {
  hmac: verifyHmac,
  rsa: verifyRsa,
  basic: (parsed, _, context) => verifyBasic(parsed, context),
  digest: verifyDigest,
  'digest-preemptive': verifyDigestPreemptive,
};

const BY_SCHEME = new Map(
  (['hmac', 'rsa', 'basic', 'digest'] as const).map((method) => [method as string, method]),
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
