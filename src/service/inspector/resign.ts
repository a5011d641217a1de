import {randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {publicPemOf, readRsaPrivateKey, readRsaPublicKey} from '#platform';
import {type Credentials, parseAuthorization} from '../../auth/authorization-header.js';
import {signDigest} from '../../auth/methods/digest.js';
import {signDigestPreemptive} from '../../auth/methods/digest-preemptive.js';
import {methodOf} from '../../auth/methods/header-methods.js';
import {signHmac} from '../../auth/methods/hmac.js';
import {signRsa} from '../../auth/methods/rsa.js';
import type {Partner, PartnerLookup} from '../../auth/partner/partner.js';
import type {SignedRequest} from '../../auth/string-to-hash.js';
import type {HeaderMethod} from '../../contract/auth-method.js';
import type {Resigning} from '../../contract/control/inspected-request.js';
import {packageRoot} from '../../files/package-root.js';
import {equalBytes} from '../../platform/hash.js';
import {headerValues, type RawRequest} from '../http/request-head.js';
import {shownText} from './shown-head.js';

/** What a signature needs besides the request. */
export interface Signing {
  readonly partners: PartnerLookup;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** A nonce of a Digest challenge of this service. */
  readonly digestNonce: () => string;
}

/** The headers for sending a request again, and what happened to its credentials. */
export interface ResignedRequest extends Resigning {
  readonly rawHeaders: readonly string[];
}

type Sign = (
  request: SignedRequest,
  by: {readonly partner: Partner; readonly credentials: Credentials; readonly signing: Signing},
) => Promise<string | undefined>;

/** The RSA key of the demo partner. */
const PUBLISHED_KEY = 'samples/demo-rsa-key.pem';

const METHOD_NAMES = {
  hmac: 'HMAC',
  rsa: 'RSA',
  digest: 'Digest',
  'digest-preemptive': 'pre-emptive Digest',
} as const;

/** Makes the header of each method; undefined if this service lacks the key. */
const SIGNERS: Readonly<Record<keyof typeof METHOD_NAMES, Sign>> = {
  hmac: async (request, {partner, signing}) =>
    partner.hmacKey && signHmac(request, signerOf(partner, signing), partner.hmacKey),
  rsa: async (request, {partner, signing}) => signedByRsa(request, partner, signing),
  digest: async (request, {partner, credentials, signing}) => {
    const algorithm = credentials.parameters.get('algorithm')?.value.toUpperCase();
    const answer = {
      username: partner.partnerId,
      nonce: signing.digestNonce(),
      algorithm: algorithm === 'SHA-256' ? 'SHA-256' : 'MD5',
      cnonce: randomUUID(),
      count: 1,
    } as const;
    return partner.digestKey && signDigest(request, answer, partner.digestKey);
  },
  'digest-preemptive': async (request, {partner, signing}) =>
    partner.digestKey &&
    signDigestPreemptive(request, signerOf(partner, signing), partner.digestKey),
};

/** Signs a request again with its method, for its current target and body. */
export async function resign(request: RawRequest, signing: Signing): Promise<ResignedRequest> {
  const {rawHeaders, target, body} = request;
  const values = headerValues(rawHeaders, 'authorization');
  const as = (kind: Resigning['kind'], text: string) => ({kind, text, rawHeaders});
  if (values.length === 0)
    return as('kept', 'Its credentials are in the body: nothing is to be signed.');
  const [header = ''] = values;
  const credentials = values.length === 1 ? parseAuthorization(header) : undefined;
  const method = credentials && methodOf(credentials.scheme, credentials);
  if (!credentials || !method)
    return as('kept', 'Its Authorization header is of no method: it is sent as it came.');
  if (!signsRequest(method))
    return as('kept', 'Basic signs nothing: its Authorization header is sent as it came.');
  const partnerId = credentials.parameters.get('username')?.value ?? '';
  const partner = signing.partners(partnerId);
  const by = partner && {partner, credentials, signing};
  const signed = by && (await SIGNERS[method]({method: 'POST', target, body}, by));
  const [name, whom] = [METHOD_NAMES[method], shownText(partnerId)];
  if (!partner) return as('impossible', `There is no partner ${whom}, so it cannot be signed.`);
  if (signed === undefined) return as('impossible', missingKeyText(method, whom));
  return {
    kind: 'signed',
    text: `Signed by ${name} as partner ${whom}.`,
    rawHeaders: withAuthorization(rawHeaders, signed),
  };
}

function missingKeyText(method: keyof typeof METHOD_NAMES, whom: string): string {
  return method === 'rsa'
    ? `Only the sender has the RSA private key of partner ${whom}, so it cannot be signed here.`
    : `Partner ${whom} has no key for ${METHOD_NAMES[method]}, so it cannot be signed.`;
}

function signsRequest(method: HeaderMethod): method is keyof typeof METHOD_NAMES {
  return Object.hasOwn(METHOD_NAMES, method);
}

function signerOf({partnerId}: Partner, {timestamp}: Signing) {
  return {partnerId, nonce: randomUUID(), timestamp};
}

/** A service has only public RSA keys, except for the demo key, which is published. */
async function signedByRsa(
  request: SignedRequest,
  partner: Partner,
  signing: Signing,
): Promise<string | undefined> {
  const key = readRsaPrivateKey(readFileSync(new URL(PUBLISHED_KEY, packageRoot())));
  const own = key && readRsaPublicKey(publicPemOf(key));
  if (!own || !partner.rsaKey || !equalBytes(own.modulus, partner.rsaKey.modulus)) return undefined;
  return signRsa(request, signerOf(partner, signing), key);
}

function withAuthorization(rawHeaders: readonly string[], value: string): readonly string[] {
  return rawHeaders.map((text, i) =>
    i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization' ? value : text,
  );
}
