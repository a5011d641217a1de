import {publicPemOf, readRsaPrivateKey} from '#platform';
import {createPartner, type Partner} from '../auth/partner/partner.js';
import {
  type AuthMethod,
  type HeaderMethod,
  isAuthMethod,
  type SharedKeyEncoding,
} from '../contract/auth-method.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {Secret} from '../contract/secret.js';
import {utf8Of} from '../platform/bytes.js';

/** Whether a method has an Authorization header; in order of preference. */
const HAS_HEADER: Readonly<Record<AuthMethod, boolean>> = {
  hmac: true,
  rsa: true,
  basic: true,
  digest: true,
  'digest-preemptive': true,
  transparent: false,
};

/** The methods of the interface, in order of preference. */
export const SEND_METHODS = Object.keys(HAS_HEADER) as readonly AuthMethod[];
/** The methods that have an Authorization header, in the same order. */
export const HEADER_METHODS = SEND_METHODS.filter(
  (method): method is HeaderMethod => HAS_HEADER[method],
);

/** Credentials of a partner; which keys are needed depends on the method. */
export interface SenderCredentials {
  readonly partnerId: string;
  /** UTF-8. */
  readonly partnerKey?: Secret | undefined;
  /** The text of the shared key as UTF-8. */
  readonly sharedKey?: Secret | undefined;
  readonly encoding?: SharedKeyEncoding | undefined;
  /** PEM. */
  readonly privateKey?: Secret | undefined;
  /** SPKI in PEM form; default: the public part of `privateKey`. */
  readonly rsaPublicKey?: string | undefined;
}

/** The keys of a sender, made ready as a server would for `method`. Throws 9015. */
export function partnerOf(credentials: SenderCredentials, method: string): Partner {
  const {privateKey, rsaPublicKey} = credentials;
  const publicKey = rsaPublicKey ?? (privateKey && publicKeyOf(privateKey));
  const methods = isAuthMethod(method) ? [method] : [];
  return createPartner({...credentials, rsaPublicKey: publicKey, methods});
}

/** The text of a key. Throws 9015 with its name when it is missing. */
export function requiredKeyText(key: Secret | undefined, name: string): string {
  if (key) return utf8Of(key.reveal());
  throw new PaylensError(9015, `${name} is missing`);
}

function publicKeyOf(privateKey: Secret): string {
  const key = readRsaPrivateKey(privateKey.reveal());
  if (key) return publicPemOf(key);
  throw new PaylensError(9015, 'private key: expected an RSA private key in PEM form');
}
