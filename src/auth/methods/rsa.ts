import {isRsaSignature, type RsaPrivateKey, type RsaPublicKey, signRsaSha256} from '#platform';
import {bytesFromLatin1, hexOf} from '../../platform/bytes.js';
import type {Credentials} from '../authorization-header.js';
import {decodeBase64, decodeHex} from '../partner/shared-key.js';
import {rsaSubjectOf} from '../partner/timing-decoy.js';
import {type SignedRequest, stringToHash} from '../string-to-hash.js';
import {refuse, type Verdict, type VerifyContext} from '../verdict.js';
import {acceptIfTimely, readSignature, type Signer, signatureHeader} from './hmac.js';

/**
 * The Authorization header of RSA: RSASSA-PKCS1-v1_5 with SHA-256 over the string to hash of HMAC,
 * in lower-case hex (docs/contract.md#rsa; RFC 8017, 8.2).
 */
export async function signRsa(
  request: SignedRequest,
  signer: Signer,
  key: RsaPrivateKey,
): Promise<string> {
  const message = stringToHash(request, signer.nonce, String(signer.timestamp));
  return signatureHeader('Rsa', signer, hexOf(await signRsaSha256(key, bytesFromLatin1(message))));
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
  if (!isSignatureOf(message, response, key) || !partner) return refuse('credentials');
  return acceptIfTimely(fields, context.now(), partner, 'rsa');
}

/**
 * Whether `signature` is right for `message` (latin1). A number above the modulus costs the same work:
 * its first byte is cleared, since OpenSSL would reject it at once.
 */
function isSignatureOf(message: string, signature: Uint8Array, key: RsaPublicKey): boolean {
  const {modulus} = key;
  const whole = signature.length === modulus.length;
  const checked = whole ? signature : new Uint8Array(modulus.length);
  const sound = whole && isBelow(signature, modulus);
  if (!sound) checked[0] = 0;
  return isRsaSignature(key, bytesFromLatin1(message), checked) && sound;
}

/** Compares two numbers of one length, big-endian; takes the same time wherever they differ. */
function isBelow(number: Uint8Array, limit: Uint8Array): boolean {
  const borrow = number.reduceRight((b, byte, i) => ((byte - (limit[i] ?? 0) - b) >> 8) & 1, 0);
  return borrow === 1;
}
