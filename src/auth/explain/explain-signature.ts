import {parseAuthorization} from '../authorization-header.js';
import {isFresh} from '../freshness.js';
import {readSignature} from '../methods/hmac.js';
import type {PartnerLookup} from '../partner/partner.js';
import {contentHash, type SignedRequest, stringToHash} from '../string-to-hash.js';
import {findMistakes} from './find-signing-mistake.js';
import {headerFault} from './header-fault.js';

/** A signed request to explain. */
export interface ExplainRequest extends SignedRequest {
  readonly authorization: string;
  /** The Host header. */
  readonly host?: string | undefined;
}

/** The verdict on a signed request. It never contains the correct response. */
export interface SignatureExplanation {
  /** Whether the signature is right as it is; its age and its nonce may still be too old. */
  readonly right: boolean;
  /** Description of the error: in the form, the partner, or the signature. */
  readonly faults: readonly string[];
  /** Whether its timestamp is accepted at this time. */
  readonly fresh?: boolean;
  /** Why a right signature is refused at this time. */
  readonly timeFault?: string;
  readonly stringToHash?: string;
  readonly contentHash?: string;
  /** Seconds by which the timestamp is behind the clock; negative when it is ahead. */
  readonly age?: number;
}

/** Explains the Hmac or Rsa header of a request; `now` in milliseconds. */
export function explainSignature(
  request: ExplainRequest,
  partners: PartnerLookup,
  now: number,
): SignatureExplanation {
  const credentials = parseAuthorization(request.authorization);
  const fault = headerFault(request.authorization);
  const fields = credentials && readSignature(credentials);
  if (!fields || fault !== undefined) return {right: false, faults: [fault ?? 'malformed']};
  const {nonce, timestamp, username} = fields;
  const seen = {
    stringToHash: stringToHash(request, nonce, timestamp),
    contentHash: contentHash(request.body),
    age: Math.floor(now / 1000) - Number(timestamp),
  };
  const scheme = credentials.scheme === 'hmac' ? 'hmac' : 'rsa';
  const partner = partners(username);
  if (!partner?.methods.has(scheme)) {
    const found = partner ? `${scheme} is not enabled for it` : 'unknown username';
    return {right: false, faults: [found], ...seen};
  }
  const mistakes = findMistakes({...request, scheme, fields}, partner);
  const faults = mistakes ?? ['the response is wrong, and no common mistake explains it'];
  return {...seen, ...judge([...faults], Number(timestamp), now)};
}

function judge(
  faults: string[],
  timestamp: number,
  now: number,
): Pick<SignatureExplanation, 'right' | 'faults' | 'fresh' | 'timeFault'> {
  const age = Math.floor(now / 1000) - timestamp;
  const fresh = isFresh(timestamp, now);
  if (!fresh && isFresh(Math.floor(timestamp / 1000), now)) {
    faults.push('the timestamp is in milliseconds: seconds are expected');
  }
  const right = faults.length === 0;
  if (fresh) return {right, faults, fresh};
  const found = age > 0 ? `${age} s old` : `${-age} s ahead of the clock`;
  return {right, faults, fresh, timeFault: `the timestamp is ${found}: at most 900 are accepted`};
}
