import {refusalOf} from '../../auth/authenticate.js';
import {explainSignature, type SignatureExplanation} from '../../auth/explain/explain-signature.js';
import {redactQuery} from '../../contract/redact-query.js';
import {headerValues} from '../http/request-head.js';
import type {Registry} from '../registry/registry.js';
import type {Incoming} from './answer-request.js';

/** Why a request was refused, for the log of `serve --explain`; never the response expected. */
export interface Explanation {
  readonly faults: readonly string[];
  readonly stringToHash?: string;
  readonly contentHash?: string;
  /** Seconds by which the timestamp is behind the server's clock. */
  readonly clockSkew?: number;
}

/** Explains the 1003 of a signed request; `now` in milliseconds. */
export function explainRefusal(
  {rawHeaders, target, body}: Incoming,
  error: unknown,
  {partners}: Registry,
  now: number,
): Explanation {
  const authorization = headerValues(rawHeaders, 'authorization');
  const [header] = authorization;
  if (header === undefined) return {faults: ['the credentials in the body are wrong']};
  if (authorization.length > 1) return {faults: ['two Authorization headers']};
  if (!/^(?:hmac|rsa)\s/i.test(header)) return {faults: [reasonOf(error)]};
  const [host] = headerValues(rawHeaders, 'host');
  const request = {method: 'POST', target, body, authorization: header, host};
  return explanationOf(explainSignature(request, partners, now), error);
}

function explanationOf(found: SignatureExplanation, error: unknown): Explanation {
  const {right, faults, timeFault, stringToHash, contentHash, age} = found;
  return {
    faults: right ? [timeFault ?? reasonOf(error)] : faults,
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
  time: 'the timestamp or nonce is too old, or ahead of the clock',
  replay: 'the nonce was already used: generate a new one for every request',
} as const;

function reasonOf(error: unknown): string {
  return REASONS[refusalOf(error)?.reason ?? 'credentials'];
}
