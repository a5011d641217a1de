import {type RsaPrivateKey, readRsaPrivateKey} from '#platform';
import {isName} from '../auth/header-fields.js';
import {signBasic} from '../auth/methods/basic.js';
import {signDigest} from '../auth/methods/digest.js';
import {isOwnNonce, signDigestPreemptive} from '../auth/methods/digest-preemptive.js';
import {signHmac} from '../auth/methods/hmac.js';
import {signRsa} from '../auth/methods/rsa.js';
import type {DigestAlgorithm, DigestKey} from '../auth/partner/digest-key.js';
import type {SignedRequest} from '../auth/string-to-hash.js';
import type {HeaderMethod} from '../contract/auth-method.js';
import {PaylensError} from '../contract/paylens-error.js';
import {partnerOf, requiredKeyText, type SenderCredentials} from './credentials.js';

/** What a signature needs besides the request and the keys. */
export interface SigningTerms {
  /** 1 to 128 printable ASCII characters. */
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** For Digest: what the server's challenge says, and how often its nonce is used with this. */
  readonly challenge?: DigestTerms | undefined;
}

export interface DigestTerms {
  readonly nonce: string;
  readonly algorithm: DigestAlgorithm;
  readonly count: number;
}

/**
 * The Authorization header of a request, by any method that has one. Rejects with 9015 when the key of the
 * method is missing or not usable, 9001 for a partnerId or nonce that cannot be sent, and for Digest
 * without a challenge.
 */
export async function signRequest(
  request: SignedRequest,
  method: HeaderMethod,
  credentials: SenderCredentials,
  terms: SigningTerms,
): Promise<string> {
  return SIGNERS[method](request, credentials, terms);
}

type Signer = (
  request: SignedRequest,
  credentials: SenderCredentials,
  terms: SigningTerms,
) => string | Promise<string>;

const SIGNERS: Readonly<Record<HeaderMethod, Signer>> = {
  basic: basicHeader,
  hmac: hmacHeader,
  rsa: rsaHeader,
  digest: digestHeader,
  'digest-preemptive': preemptiveHeader,
};

function basicHeader(_: SignedRequest, {partnerId, partnerKey}: SenderCredentials): string {
  if (!partnerId.includes(':'))
    return signBasic(partnerId, requiredKeyText(partnerKey, 'partnerKey'));
  throw new PaylensError(
    9001,
    'partnerId: Basic authentication does not allow a colon in the partner ID',
  );
}

function rsaHeader(
  request: SignedRequest,
  credentials: SenderCredentials,
  terms: SigningTerms,
): Promise<string> {
  const fields = signatureFields(credentials, terms);
  return signRsa(request, fields, rsaKeyOf(credentials));
}

function hmacHeader(
  request: SignedRequest,
  credentials: SenderCredentials,
  terms: SigningTerms,
): string {
  const fields = signatureFields(credentials, terms);
  const {hmacKey} = partnerOf(credentials, 'hmac');
  if (!hmacKey) throw new PaylensError(9015, 'sharedKey is missing');
  return signHmac(request, fields, hmacKey);
}

function preemptiveHeader(
  request: SignedRequest,
  credentials: SenderCredentials,
  terms: SigningTerms,
): string {
  const {partnerId, nonce} = signatureFields(credentials, terms);
  const key = digestKeyOf(credentials, 'digest-preemptive');
  assertOwnNonce(nonce);
  return signDigestPreemptive(request, {partnerId, nonce}, key);
}

function digestHeader(
  request: SignedRequest,
  credentials: SenderCredentials,
  terms: SigningTerms,
): string {
  const {partnerId: username, nonce: cnonce} = signatureFields(credentials, terms);
  const key = digestKeyOf(credentials, 'digest');
  const {challenge} = terms;
  if (!challenge) throw new PaylensError(9001, 'Digest needs a challenge, and none was given');
  return signDigest(request, {...challenge, username, cnonce}, key);
}

function signatureFields({partnerId}: SenderCredentials, {nonce, timestamp}: SigningTerms) {
  assertName(partnerId, 'partnerId');
  assertName(nonce, 'nonce');
  return {partnerId, nonce, timestamp};
}

function digestKeyOf(credentials: SenderCredentials, method: HeaderMethod): DigestKey {
  const {digestKey} = partnerOf(credentials, method);
  if (digestKey) return digestKey;
  throw new PaylensError(9015, 'partnerKey is missing');
}

function assertName(text: string, name: string): void {
  if (isName(text)) return;
  throw new PaylensError(9001, `${name}: expected 1 to 128 printable ASCII characters`);
}

function assertOwnNonce(nonce: string): void {
  if (isOwnNonce(nonce)) return;
  throw new PaylensError(9001, 'nonce: pre-emptive Digest does not accept a colon', {
    hint: 'Such a header could be mistaken for a response to a challenge. Omit --nonce.',
  });
}

function rsaKeyOf({privateKey}: SenderCredentials): RsaPrivateKey {
  if (!privateKey) throw new PaylensError(9015, 'the RSA private key is missing');
  const key = readRsaPrivateKey(privateKey.reveal());
  if (key) return key;
  throw new PaylensError(
    9015,
    'private key: expected an RSA private key in PEM form, not encrypted',
  );
}
