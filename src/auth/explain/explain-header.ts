import type {PartnerLookup} from '../partner/partner.js';
import {digestFault} from './explain-digest.js';
import {basicFault} from './explain-password.js';
import {
  type ExplainRequest,
  explainSignature,
  type SignatureExplanation,
} from './explain-signature.js';

/**
 * Explains an Authorization header of any method; `now` in milliseconds. Only the server can
 * tell whether its nonce was used before, and whether a Digest nonce is from its own challenge.
 */
export function explainHeader(
  request: ExplainRequest,
  partners: PartnerLookup,
  now: number,
): SignatureExplanation {
  const {authorization} = request;
  const [, scheme = ''] = /^\s*(basic|digest)\b/i.exec(authorization) ?? [];
  if (scheme === '') return explainSignature(request, partners, now);
  const fault =
    scheme.toLowerCase() === 'basic'
      ? basicFault(authorization, partners)
      : digestFault(authorization, request, partners);
  return {right: fault === undefined, faults: fault === undefined ? [] : [fault]};
}
