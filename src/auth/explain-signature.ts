import {parseAuthorization} from './authorization-header.js';
import {isFresh} from './freshness.js';
import {headerFault} from './header-fault.js';
import {readSignature} from './hmac.js';
import type {PartnerLookup} from './partner.js';
import {contentHash, type SignedRequest, stringToHash} from './string-to-hash.js';
import {findMistakes} from './usual-mistakes.js';

/** A signed request to explain. */
export interface ExplainRequest extends SignedRequest {
  readonly authorization: string;
  /** The Host header. */
  readonly host?: string | undefined;
}

/**
 * What a server makes of a signed request. It never holds the response that would have been right.
 */
export interface SignatureExplanation {
  /** Whether the signature is right as it is, whatever its time and nonce. */
  readonly right: boolean;
  /** What is wrong, in words: of the form, the partner, the signature, the time. */
  readonly faults: readonly string[];
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
    const found = partner ? `${scheme} is not enabled for it` : 'nobody has this username';
    return {right: false, faults: [found], ...seen};
  }
  const mistakes = findMistakes({...request, scheme, fields}, partner);
  const faults = mistakes ?? ['the response is not right under any usual mistake'];
  return {
    right: mistakes?.length === 0,
    faults: [...faults, ...timeFaults(timestamp, now)],
    ...seen,
  };
}

function timeFaults(timestamp: string, now: number): readonly string[] {
  const age = Math.floor(now / 1000) - Number(timestamp);
  if (isFresh(Number(timestamp), now)) return [];
  if (isFresh(Math.floor(Number(timestamp) / 1000), now)) {
    return ['the timestamp is in milliseconds: seconds are expected'];
  }
  if (age > 0) return [`the timestamp is ${age} s old: at most 900 are accepted`];
  return [`the timestamp is ${-age} s ahead of the clock: at most 900 are accepted`];
}
