import {
  constants,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  publicDecrypt,
  sign,
  verify,
} from 'node:crypto';

/** An RSA public key: modulus big-endian without a leading zero, exponent in decimal. */
export interface RsaPublicKey {
  readonly key: KeyObject;
  readonly modulus: Uint8Array;
  readonly exponent: string;
}

export type RsaPrivateKey = KeyObject;

/** The RSA key in a PEM of SPKI; undefined for everything else. */
export function readRsaPublicKey(pem: string): RsaPublicKey | undefined {
  // A private key would be accepted too, and its public part used: then the secret was in the record.
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) return undefined;
  const key = attempt(() => createPublicKey(pem));
  return key?.asymmetricKeyType === 'rsa' ? publicKeyOf(key) : undefined;
}

/** The key with this odd modulus and exponent 65537. */
export function rsaKeyOfModulus(modulus: Uint8Array): RsaPublicKey {
  const n = Buffer.from(modulus).toString('base64url');
  const key = createPublicKey({key: {kty: 'RSA', n, e: 'AQAB'}, format: 'jwk'});
  // OpenSSL takes longer to verify with a key read from JWK than with one read from SPKI.
  const spki = key.export({type: 'spki', format: 'der'});
  return publicKeyOf(createPublicKey({key: spki, type: 'spki', format: 'der'}));
}

/** The RSA key in a PEM that is not encrypted (PKCS #8 or PKCS #1); undefined for everything else. */
export function readRsaPrivateKey(pem: Uint8Array): RsaPrivateKey | undefined {
  const key = attempt(() => createPrivateKey(Buffer.from(pem.buffer, pem.byteOffset, pem.length)));
  return key?.asymmetricKeyType === 'rsa' ? key : undefined;
}

/** The public half of a private key, as a PEM of SPKI. */
export function publicPemOf(key: RsaPrivateKey): string {
  return createPublicKey(key).export({type: 'spki', format: 'pem'}).toString();
}

/** Signs with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 8017, 8.2). */
export async function signRsaSha256(key: RsaPrivateKey, data: Uint8Array): Promise<Uint8Array> {
  return sign('sha256', data, {key, padding: constants.RSA_PKCS1_PADDING});
}

/** Whether a signature of RSASSA-PKCS1-v1_5 and SHA-256 is of `data` (RFC 8017, 8.2.2). */
export function isRsaSignature(
  {key}: RsaPublicKey,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  return verify('sha256', data, {key, padding: constants.RSA_PKCS1_PADDING}, signature);
}

/** The block that was signed, padding included (RFC 8017, 5.2.2); undefined for what is no signature. */
export function openRsaSignature(
  {key, modulus}: RsaPublicKey,
  signature: Uint8Array,
): Uint8Array | undefined {
  if (signature.length !== modulus.length) return undefined;
  return attempt(() => publicDecrypt({key, padding: constants.RSA_NO_PADDING}, signature));
}

function publicKeyOf(key: KeyObject): RsaPublicKey {
  return {
    key,
    modulus: new Uint8Array(Buffer.from(key.export({format: 'jwk'}).n ?? '', 'base64url')),
    exponent: String(key.asymmetricKeyDetails?.publicExponent),
  };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
