import {constants, type KeyObject, sign, verify} from 'node:crypto';
import type {Credentials} from '../authorization-header.js';
import type {RsaPublicKey} from '../partner/rsa-public-key.js';
import {decodeBase64, decodeHex} from '../partner/shared-key.js';
import {rsaSubjectOf} from '../partner/timing-decoy.js';
import {type SignedRequest, stringToHash} from '../string-to-hash.js';
import {refuse, type Verdict, type VerifyContext} from '../verdict.js';
import {inTime, readSignature, type Signer, signatureHeader} from './hmac.js';

const HASH = 'sha256';
const PADDING = constants.RSA_PKCS1_PADDING;

/**
 * The Authorization header of RSA: RSASSA-PKCS1-v1_5 with SHA-256 over the string to hash of HMAC,
 * in lower-case hex (docs/contract.md#rsa; RFC 8017, 8.2).
 */
export function signRsa(request: SignedRequest, signer: Signer, key: KeyObject): string {
  const message = stringToHash(request, signer.nonce, String(signer.timestamp));
  const signature = sign(HASH, Buffer.from(message, 'latin1'), {key, padding: PADDING});
  return signatureHeader('Rsa', signer, signature.toString('hex'));
}

/** Checks an Rsa header over the bytes of the request; its response is hex, or base64. */
export function verifyRsa(
  credentials: Credentials,
  request: SignedRequest,
  context: VerifyContext,
): Verdict {
  const fields = readSignature(credentials);
  const response = fields && (decodeHex(fields.response) ?? decodeBase64(fields.response));
  if (!fields || !response) return refuse('malformed');
  const {partner, key} = rsaSubjectOf(context.partners, fields.username, response.length);
  const message = stringToHash(request, fields.nonce, fields.timestamp);
  if (!isRsaSignature(message, response, key) || !partner) return refuse('credentials');
  return inTime(fields, context.now(), partner, 'rsa');
}

/**
 * Whether `signature` is right for `message` (latin1). One that no key makes costs the same work: its
 * first byte is cleared, since OpenSSL does none for a number above the modulus.
 */
function isRsaSignature(
  message: string,
  signature: Uint8Array,
  {key, modulus}: RsaPublicKey,
): boolean {
  const whole = signature.length === modulus.length;
  const checked = whole ? signature : Buffer.alloc(modulus.length);
  const sound = whole && Buffer.compare(signature, modulus) < 0;
  if (!sound) checked[0] = 0;
  return verify(HASH, Buffer.from(message, 'latin1'), {key, padding: PADDING}, checked) && sound;
}
