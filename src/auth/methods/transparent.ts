import type {AuthMethod} from '../../contract/auth-method.js';
import {bodyObject} from '../../contract/parse-json.js';
import {equalBytes, sha256} from '../../platform/hash.js';
import {subjectOf} from '../partner/timing-decoy.js';
import {refuse, type Verdict, type VerifyContext} from '../verdict.js';

/** The credentials that a body carries; an empty text counts as missing. */
export interface BodyCredentials {
  readonly partnerId?: string | undefined;
  readonly partnerKey?: string | undefined;
}

/** The members that make a body authenticate its request (docs/interface.md#transparent). */
export function signTransparent(partnerId: string, partnerKey: string): Required<BodyCredentials> {
  return {partnerId, partnerKey};
}

/** The credentials in the bytes of a body; none if it is not JSON of the interface. */
export function credentialsInBody(body: Uint8Array): BodyCredentials {
  const {partnerId, partnerKey} = bodyObject(body) ?? {};
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {partnerId: textOf(partnerId), partnerKey: textOf(partnerKey)};
}

/** Checks partnerId and partnerKey of the body. */
export function verifyTransparent(
  {partnerId, partnerKey}: BodyCredentials,
  context: VerifyContext,
): Verdict {
  if (!partnerId || !partnerKey) return refuse('malformed');
  return verifyKey(partnerId, partnerKey, 'transparent', context);
}

/** Checks an id and its key, both as text, for a method that sends them. */
export function verifyKey(
  partnerId: string,
  partnerKey: string,
  method: AuthMethod,
  {partners}: VerifyContext,
): Verdict {
  const {partner, key} = subjectOf(partners, partnerId, method, 'keyHash');
  const right = equalBytes(sha256(partnerKey), key);
  return right && partner ? {accepted: true, partner, method} : refuse('credentials');
}
