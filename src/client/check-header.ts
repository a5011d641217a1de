import {parseAuthorization} from '../auth/authorization-header.js';
import {explainHeader} from '../auth/explain/explain-header.js';
import type {ExplainRequest, SignatureExplanation} from '../auth/explain/explain-signature.js';
import {methodOf} from '../auth/methods/header-methods.js';
import type {HeaderMethod} from '../contract/auth-method.js';
import {partnerOf, type SenderCredentials} from './credentials.js';

/** The method that an Authorization header is of; undefined when it is none of the interface. */
export function methodOfHeader(header: string): HeaderMethod | undefined {
  const credentials = parseAuthorization(header);
  const scheme = credentials?.scheme ?? header.split(' ', 1)[0]?.toLowerCase() ?? '';
  return methodOf(scheme, credentials);
}

/**
 * Whether an Authorization header is right for a request, and if not, why: the usual mistake that
 * makes it right. `now` in milliseconds. Throws 9015 when the key of its method is missing or not
 * usable.
 */
export function checkHeader(
  request: ExplainRequest,
  method: HeaderMethod,
  credentials: SenderCredentials,
  now: number,
): SignatureExplanation {
  const partner = partnerOf(credentials, method);
  const partners = (id: string) => (id === partner.partnerId ? partner : undefined);
  return explainHeader(request, partners, now);
}
