import type {AuthMethod} from '../../contract/auth-method.js';
import {hexOf} from '../../platform/bytes.js';
import {equalBytes} from '../../platform/hash.js';
import {
  type Credentials,
  hasOnly,
  quote,
  quoted,
  quotedName,
  timestampText,
} from '../authorization-header.js';
import type {HmacKey} from '../partner/hmac-key.js';
import type {Partner} from '../partner/partner.js';
import {decodeHex} from '../partner/shared-key.js';
import {subjectOf} from '../partner/timing-decoy.js';
import {isFresh, nonceLifetime} from '../replay-store.js';
import {type SignedRequest, stringToHash} from '../string-to-hash.js';
import {refuse, type Verdict, type VerifyContext} from '../verdict.js';

/** The properties of an Hmac or Rsa header. */
export interface SignatureFields {
  readonly username: string;
  readonly nonce: string;
  /** Seconds since 1970 as they are written. */
  readonly timestamp: string;
  readonly response: string;
}

/** Inputs of a signature besides the request; `timestamp` in seconds. */
export interface Signer {
  readonly partnerId: string;
  readonly nonce: string;
  readonly timestamp: number;
}

/** The Authorization header of HMAC for a request (docs/interface.md#hmac). */
export function signHmac(request: SignedRequest, signer: Signer, key: HmacKey): string {
  const {nonce, timestamp} = signer;
  const message = stringToHash(request, nonce, String(timestamp));
  return signatureHeader('Hmac', signer, hexOf(key.sign(message)));
}

/** The canonical Hmac and Rsa header: one space after each comma, the timestamp unquoted. */
export function signatureHeader(scheme: 'Hmac' | 'Rsa', signer: Signer, response: string): string {
  const {partnerId, nonce, timestamp} = signer;
  return `${scheme} username=${quote(partnerId)}, nonce=${quote(nonce)}, timestamp=${timestamp}, response="${response}"`;
}

/** Checks an Hmac header over the bytes of the request. */
export function verifyHmac(
  credentials: Credentials,
  request: SignedRequest,
  context: VerifyContext,
): Verdict {
  const fields = readSignature(credentials);
  const response = fields?.response.length === 64 ? decodeHex(fields.response) : undefined;
  if (!fields || !response) return refuse('malformed');
  const {partner, key} = subjectOf(context.partners, fields.username, 'hmac', 'hmacKey');
  const expected = key.sign(stringToHash(request, fields.nonce, fields.timestamp));
  if (!equalBytes(expected, response) || !partner) return refuse('credentials');
  return acceptIfTimely(fields, context.now(), partner, 'hmac');
}

const HMAC_PROPERTIES = new Set(['username', 'nonce', 'timestamp', 'response']);

/** The properties of an Hmac or Rsa header in their forms; undefined when one is malformed. */
export function readSignature({parameters}: Credentials): SignatureFields | undefined {
  const username = quotedName(parameters, 'username');
  const nonce = quotedName(parameters, 'nonce');
  const timestamp = timestampText(parameters);
  const response = quoted(parameters, 'response');
  if (!username || !nonce || !timestamp || !response) return undefined;
  return hasOnly(parameters, HMAC_PROPERTIES) ? {username, nonce, timestamp, response} : undefined;
}

/** The verdict on a right signature: accepted if its timestamp is fresh; its nonce is claimed later. */
export function acceptIfTimely(
  {timestamp, nonce}: SignatureFields,
  now: number,
  partner: Partner,
  method: AuthMethod,
): Verdict {
  const seconds = Number(timestamp);
  if (!isFresh(seconds, now)) return refuse('time');
  const lifetime = nonceLifetime(seconds, now);
  return {accepted: true, partner, method, nonce, lifetime, timestamp: seconds};
}
