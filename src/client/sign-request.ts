import {readRsaPrivateKey} from '#platform';
import {isName} from '../auth/authorization-header.js';
import {signBasic} from '../auth/methods/basic.js';
import {signDigest} from '../auth/methods/digest.js';
import {isOwnNonce, signDigestPreemptive} from '../auth/methods/digest-preemptive.js';
import {signHmac} from '../auth/methods/hmac.js';
import {signRsa} from '../auth/methods/rsa.js';
import type {DigestAlgorithm} from '../auth/partner/digest-key.js';
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
  /** For Digest: the server's challenge, and how often its nonce is used, this time included. */
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
  basic: (_, {partnerId, partnerKey}) => {
    if (!partnerId.includes(':'))
      return signBasic(partnerId, requiredKeyText(partnerKey, 'partnerKey'));
    const detail = 'partnerId: Basic authentication does not allow a colon in the partner ID';
    throw new PaylensError(9001, detail);
  },
  hmac: (request, credentials, terms) => {
    const fields = signatureFields(credentials, terms);
    const {hmacKey} = partnerOf(credentials, 'hmac');
    return signHmac(request, fields, required(hmacKey, 'sharedKey'));
  },
  rsa: (request, credentials, terms) => {
    const fields = signatureFields(credentials, terms);
    const {privateKey} = credentials;
    const key = readRsaPrivateKey(required(privateKey, 'the RSA private key').reveal());
    if (key) return signRsa(request, fields, key);
    const detail = 'private key: expected an RSA private key in PEM form, not encrypted';
    throw new PaylensError(9015, detail);
  },
  digest: (request, credentials, terms) => {
    const {partnerId: username, nonce: cnonce} = signatureFields(credentials, terms);
    const {digestKey} = partnerOf(credentials, 'digest');
    const key = required(digestKey, 'partnerKey');
    const {challenge} = terms;
    if (!challenge) throw new PaylensError(9001, 'Digest needs a challenge, and none was given');
    return signDigest(request, {...challenge, username, cnonce}, key);
  },
  'digest-preemptive': (request, credentials, terms) => {
    const {partnerId, nonce} = signatureFields(credentials, terms);
    const {digestKey} = partnerOf(credentials, 'digest-preemptive');
    const key = required(digestKey, 'partnerKey');
    if (isOwnNonce(nonce)) return signDigestPreemptive(request, {partnerId, nonce}, key);
    throw new PaylensError(9001, 'nonce: pre-emptive Digest does not accept a colon', {
      hint: 'Such a header could be mistaken for a response to a challenge. Omit --nonce.',
    });
  },
};

function signatureFields({partnerId}: SenderCredentials, {nonce, timestamp}: SigningTerms) {
  for (const [name, text] of Object.entries({partnerId, nonce}))
    if (!isName(text))
      throw new PaylensError(9001, `${name}: expected 1 to 128 printable ASCII characters`);
  return {partnerId, nonce, timestamp};
}

function required<Key>(key: Key | undefined, name: string): Key {
  if (key) return key;
  throw new PaylensError(9015, `${name} is missing`);
}
