import {
  canonicalTarget,
  contentHash,
  type SignedRequest,
  stringToHash,
} from '../auth/string-to-hash.js';
import type {HeaderMethod} from '../contract/auth-method.js';
import type {SenderCredentials} from './credentials.js';
import type {SigningTerms} from './sign-request.js';

/** One step of signing: what is made, and what it is. */
export interface SigningStep {
  readonly name: string;
  readonly value: string;
}

/** How an Authorization header is computed, step by step; without keys. */
export function explainSigning(
  request: SignedRequest,
  method: HeaderMethod,
  credentials: SenderCredentials,
  terms: SigningTerms,
): readonly SigningStep[] {
  const {method: verb, target, body} = request;
  return [
    {name: 'verb', value: verb},
    {name: 'target', value: canonicalTarget(target)},
    {name: 'body', value: `${body.length} bytes, hashed as they are`},
    ...STEPS[method](request, credentials, terms),
  ];
}

type Steps = (
  request: SignedRequest,
  credentials: SenderCredentials,
  terms: SigningTerms,
) => readonly SigningStep[];

const STEPS: Readonly<Record<HeaderMethod, Steps>> = {
  basic: (_, {partnerId}) => [{name: 'token', value: `base64(${partnerId}:<partnerKey>)`}],
  hmac: (request, {encoding = 'utf8'}, terms) =>
    signatureSteps(
      request,
      terms,
      `HMAC-SHA256(<shared key as ${encoding}>, string to hash) in hex`,
    ),
  rsa: (request, _, terms) =>
    signatureSteps(
      request,
      terms,
      'RSASSA-PKCS1-v1_5 with SHA-256 (<private key>, string to hash) in hex',
    ),
  digest: (request, credentials) =>
    digestSteps(request, credentials, 'H(H(A1):nonce:nc:cnonce:qop:H(A2)) in hex'),
  'digest-preemptive': (request, credentials) =>
    digestSteps(request, credentials, 'md5(md5(A1):nonce:md5(A2)) in hex'),
};

function signatureSteps(
  request: SignedRequest,
  {nonce, timestamp}: SigningTerms,
  response: string,
): readonly SigningStep[] {
  return [
    {name: 'nonce', value: nonce},
    {name: 'timestamp', value: String(timestamp)},
    {name: 'content hash', value: contentHash(request.body)},
    {name: 'string to hash', value: stringToHash(request, nonce, String(timestamp))},
    {name: 'response', value: response},
  ];
}

function digestSteps(
  {method, target}: SignedRequest,
  {partnerId}: SenderCredentials,
  response: string,
): readonly SigningStep[] {
  return [
    {name: 'A1', value: `${partnerId}:Users:<partnerKey>`},
    {name: 'A2', value: `${method}:${canonicalTarget(target)}`},
    {name: 'response', value: response},
  ];
}
