import {explainHeader} from '../../auth/explain/explain-header.js';
import {transparentFault} from '../../auth/explain/explain-password.js';
import type {SignatureExplanation} from '../../auth/explain/explain-signature.js';
import {credentialsInBody} from '../../auth/methods/transparent.js';
import type {PartnerLookup} from '../../auth/partner/partner.js';
import type {RefusalReason} from '../../auth/verdict.js';
import {redactQuery} from '../../contract/masks/redact-query.js';
import {headerValues, type RawRequest} from '../http/request-head.js';

/** Why a request was refused, for the log of `serve --explain`; never the response expected. */
export interface Explanation {
  readonly faults: readonly string[];
  /** No usual mistake explains the signature. */
  readonly unexplained?: true;
  readonly stringToHash?: string;
  readonly contentHash?: string;
  /** Seconds by which the timestamp is behind the server's clock. */
  readonly clockSkew?: number;
}

/** A request that got a 1003, as plain data. */
export interface RefusedRaw extends RawRequest {
  /** `endpoint`: it is right by the keys at hand, and was refused elsewhere. */
  readonly reason: RefusalReason | 'endpoint' | undefined;
  readonly partners: PartnerLookup;
}

/** Explains the 1003 of a request; `now` in milliseconds. */
export function explainRefusal(refused: RefusedRaw, now: number): Explanation {
  const {rawHeaders, target, body, partners, reason = 'credentials'} = refused;
  const authorization = headerValues(rawHeaders, 'authorization');
  const [header] = authorization;
  if (authorization.length > 1) return {faults: ['two Authorization headers']};
  const credentials = credentialsInBody(body);
  if (header === undefined)
    return {faults: [transparentFault(credentials, partners) ?? REASONS[reason]]};
  const [host] = headerValues(rawHeaders, 'host');
  const request = {method: 'POST', target, body, authorization: header, host};
  return explanationOf(explainHeader(request, partners, now), reason);
}

function explanationOf(found: SignatureExplanation, reason: keyof typeof REASONS): Explanation {
  const {right, faults, timeFault, unexplained, stringToHash, contentHash, age} = found;
  return {
    faults: right ? [timeFault ?? REASONS[reason]] : faults,
    ...(unexplained && {unexplained}),
    ...(stringToHash === undefined ? {} : {stringToHash: redactQuery(stringToHash)}),
    ...(contentHash === undefined ? {} : {contentHash}),
    ...(age === undefined ? {} : {clockSkew: age}),
  };
}

const REASONS = {
  malformed: 'the Authorization header is malformed',
  scheme: 'unsupported scheme: expected Basic, Digest, Hmac or Rsa',
  credentials: 'wrong partner, key or method',
  body: 'partnerId or partnerKey in the body differ from those in the header',
  time: 'the nonce is too old, or was not issued by this service',
  strict: 'the interface does not promise this form',
  replay: 'the nonce was already used: generate a new one for every request',
  endpoint:
    'by the keyfile, the credentials are correct: the endpoint has another key or another clock, does not offer this method, or has seen the nonce',
} as const;
