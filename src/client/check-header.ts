import {type Credentials, parseAuthorization} from '../auth/authorization-header.js';
import {DigestNonces} from '../auth/digest-nonces.js';
import {
  type ExplainRequest,
  explainSignature,
  type SignatureExplanation,
} from '../auth/explain/explain-signature.js';
import {readPair} from '../auth/methods/basic.js';
import {isSameTarget} from '../auth/methods/digest.js';
import {methodOf, verifyHeader} from '../auth/methods/header-methods.js';
import type {Partner} from '../auth/partner/partner.js';
import type {VerifyContext} from '../auth/verdict.js';
import type {HeaderMethod} from '../contract/auth-method.js';
import {partnerOf, type SenderCredentials} from './credentials.js';

/** The method that an Authorization header is of; undefined when it is none of the interface. */
export function methodOfHeader(header: string): HeaderMethod | undefined {
  const credentials = parseAuthorization(header);
  const scheme = credentials?.scheme ?? header.split(' ', 1)[0]?.toLowerCase() ?? '';
  return methodOf(scheme, credentials);
}

/** Whether a wrong header of this method is explained by the usual mistakes in signing. */
const EXPLAINED: Readonly<Record<HeaderMethod, boolean>> = {
  hmac: true,
  rsa: true,
  basic: false,
  digest: false,
  'digest-preemptive': false,
};

/**
 * Whether an Authorization header is right for a request, and if not, why: for HMAC and RSA the
 * usual mistake that makes it right. `now` in milliseconds. Throws 9015 when the key of its method
 * is missing or not usable.
 */
export function checkHeader(
  request: ExplainRequest,
  method: HeaderMethod,
  credentials: SenderCredentials,
  now: number,
): SignatureExplanation {
  const partner = partnerOf(credentials, method);
  const partners = (id: string) => (id === partner.partnerId ? partner : undefined);
  if (EXPLAINED[method]) return explainSignature(request, partners, now);
  const parsed = parseAuthorization(request.authorization);
  const faults = parsed ? faultsOf(parsed, request, method, {partner, partners, now}) : [MALFORMED];
  return {right: faults.length === 0, faults};
}

const MALFORMED = 'the header is malformed, or has a missing or extra property';

interface Expected {
  readonly partner: Partner;
  readonly partners: VerifyContext['partners'];
  readonly now: number;
}

function faultsOf(
  parsed: Credentials,
  request: ExplainRequest,
  method: HeaderMethod,
  {partner, partners, now}: Expected,
): readonly string[] {
  const nobody = new DigestNonces(Buffer.from('nobody'), (size) => Buffer.alloc(size));
  const context = {partners, now: () => now, digestNonces: nobody};
  const verdict = verifyHeader(method, parsed, request, context);
  // Whose challenge a Digest nonce is from, only its server knows.
  if (verdict.accepted || verdict.stale) return [];
  const username = usernameOf(parsed);
  if (username !== undefined && username !== partner.partnerId)
    return ['its username is not the partnerId'];
  const uri = parsed.parameters.get('uri')?.value;
  if (uri !== undefined && !isSameTarget(uri, request.target))
    return ['its uri is not the target of the request'];
  if (method === 'digest-preemptive' && parsed.parameters.get('nonce')?.value.includes(':'))
    return ['its nonce contains a colon: it could be a response to a challenge'];
  return [verdict.reason === 'malformed' ? MALFORMED : 'it is not valid for this partnerKey'];
}

function usernameOf({token68, parameters}: Credentials): string | undefined {
  if (token68 !== undefined) return readPair(token68)?.[0];
  return parameters.get('username')?.value;
}
