import {bytesOfHex} from '../../platform/bytes.js';
import {equalBytes, md5Hex} from '../../platform/hash.js';
import {
  type Credentials,
  hasOnly,
  isName,
  quote,
  quoted,
  quotedName,
} from '../authorization-header.js';
import {type DigestKey, REALM} from '../partner/digest-key.js';
import {decodeHex} from '../partner/shared-key.js';
import {subjectOf} from '../partner/timing-decoy.js';
import {nonceLifetime} from '../replay-store.js';
import {canonicalTarget, type SignedRequest} from '../string-to-hash.js';
import {refuse, type Verdict, type VerifyContext} from '../verdict.js';
import {isSameTarget} from './digest.js';

/** The Authorization header of digest-preemptive: MD5 with a nonce that the caller chose. */
export function signDigestPreemptive(
  {method, target}: SignedRequest,
  {partnerId, nonce}: {readonly partnerId: string; readonly nonce: string},
  key: DigestKey,
): string {
  const uri = canonicalTarget(target);
  const response = preemptiveResponse(key.ha1('MD5'), nonce, method, uri);
  return `Digest username=${quote(partnerId)}, realm="${REALM}", nonce=${quote(nonce)}, uri=${quote(uri)}, response="${response}"`;
}

/** Whether a Digest header has none of the parameters that only the challenge form has. */
export function isPreemptive({parameters}: Credentials): boolean {
  return hasOnly(parameters, PREEMPTIVE_PROPERTIES);
}

/**
 * Whether a caller may choose `text` as its nonce: a name without a colon. The answer to a
 * challenge is the hash that this form would make of `nonce:nc:cnonce:qop`, over any body.
 */
export function isOwnNonce(text: string): boolean {
  return isName(text) && !text.includes(':');
}

/** Checks a Digest header that answers no challenge (docs/contract.md#pre-emptive-digest). */
export function verifyDigestPreemptive(
  {parameters}: Credentials,
  request: SignedRequest,
  context: VerifyContext,
): Verdict {
  const username = quotedName(parameters, 'username');
  const nonce = quoted(parameters, 'nonce');
  const uri = quoted(parameters, 'uri');
  const response = decodeHex(quoted(parameters, 'response') ?? '');
  if (!username || !nonce || !uri || response?.length !== 16) return refuse('malformed');
  if (!isOwnNonce(nonce)) return refuse('malformed');
  if (quoted(parameters, 'realm') !== REALM || !isSameTarget(uri, request.target))
    return refuse('malformed');
  const {partner, key} = subjectOf(context.partners, username, 'digest-preemptive', 'digestKey');
  const expected = preemptiveResponse(key.ha1('MD5'), nonce, request.method, uri);
  const right = equalBytes(bytesOfHex(expected), response);
  if (!right || !partner) return refuse('credentials');
  const lifetime = nonceLifetime(0, context.now());
  return {accepted: true, partner, method: 'digest-preemptive', nonce, lifetime};
}

/** md5(HA1:nonce:md5(method:uri)), the form of RFC 2069. */
export function preemptiveResponse(
  ha1: string,
  nonce: string,
  method: string,
  uri: string,
): string {
  return md5Hex(`${ha1}:${nonce}:${md5Hex(`${method}:${uri}`)}`);
}

const PREEMPTIVE_PROPERTIES = new Set(['username', 'realm', 'nonce', 'uri', 'response']);
