import {parseAuthorization} from '../auth/authorization-header.js';
import {explainHeader} from '../auth/explain/explain-header.js';
import {transparentFault} from '../auth/explain/explain-password.js';
import type {ExplainRequest, SignatureExplanation} from '../auth/explain/explain-signature.js';
import {readPair} from '../auth/methods/basic.js';
import {methodOf} from '../auth/methods/header-methods.js';
import type {BodyCredentials} from '../auth/methods/transparent.js';
import type {HeaderMethod} from '../contract/auth-method.js';
import {partnerOf, type SenderCredentials} from './credentials.js';

/** The method that an Authorization header is of; undefined if it is not one of the interface. */
export function methodOfHeader(header: string): HeaderMethod | undefined {
  const credentials = parseAuthorization(header);
  const scheme = credentials?.scheme ?? header.split(' ', 1)[0]?.toLowerCase() ?? '';
  return methodOf(scheme, credentials);
}

/**
 * Whether an Authorization header is right for a request, and if not, why: the usual mistake that
 * explains it. `now` in milliseconds. Throws 9015 when the key of its method is missing or not
 * usable.
 */
function checkHeader(
  request: ExplainRequest,
  method: HeaderMethod,
  credentials: SenderCredentials,
  now: number,
): SignatureExplanation {
  const partner = partnerOf(credentials, method);
  const partners = (id: string) => (id === partner.partnerId ? partner : undefined);
  return explainHeader(request, partners, now);
}

/** Partners whose keys may have been used in place of the sender's. */
interface Suspects {
  readonly sender: SenderCredentials;
  readonly others: readonly SenderCredentials[];
}

/** The same, with the shared keys of other partners if no mistake with the sender's own key explains it. */
export function checkWithOthers(
  request: ExplainRequest,
  method: HeaderMethod,
  {sender, others}: Suspects,
  now: number,
): SignatureExplanation {
  const own = checkHeader(request, method, sender, now);
  if (!own.unexplained || method !== 'hmac') return own;
  for (const {partnerId, sharedKey, encoding} of others.filter((other) => other.sharedKey)) {
    const borrowed = {partnerId: sender.partnerId, sharedKey, encoding};
    const {unexplained, faults, ...found} = checkHeader(request, method, borrowed, now);
    const whose = `the shared key of partner ${partnerId} was signed with`;
    if (!unexplained) return {...found, right: false, faults: [whose, ...faults]};
  }
  return own;
}

/** The username of a header, if it can be read. */
export function usernameOfHeader(header: string): string | undefined {
  const credentials = parseAuthorization(header);
  const token = credentials?.token68;
  if (token !== undefined) return readPair(token)?.[0];
  return credentials?.parameters.get('username')?.value;
}

/** Whether partnerId and partnerKey in a body are right, and if not, why. Throws 9015. */
export function checkTransparent(
  found: BodyCredentials,
  credentials: SenderCredentials,
): SignatureExplanation {
  const partner = partnerOf(credentials, 'transparent');
  const fault = transparentFault(found, (id) => (id === partner.partnerId ? partner : undefined));
  return {right: fault === undefined, faults: fault === undefined ? [] : [fault]};
}
