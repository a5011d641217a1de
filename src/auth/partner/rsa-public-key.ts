import {createPublicKey, type KeyObject} from 'node:crypto';

/** An RSA public key and its modulus, big-endian without a leading zero. */
export interface RsaPublicKey {
  readonly key: KeyObject;
  readonly modulus: Uint8Array;
}

/** How many bytes the modulus of a partner's key has: 2048 to 8192 bits. */
export const RSA_BYTES = {least: 256, most: 1024} as const;

/** The exponent of every key: another would make verifying cost another time. */
export const RSA_EXPONENT = 65537n;
const EXPONENT_TEXT = 'AQAB';

/** Makes an RSA public key ready to be verified with. */
export function rsaPublicKeyOf(key: KeyObject): RsaPublicKey {
  return {key, modulus: Buffer.from(key.export({format: 'jwk'}).n ?? '', 'base64url')};
}

/** The key with this odd modulus. */
export function rsaKeyOfModulus(modulus: Uint8Array): RsaPublicKey {
  const n = Buffer.from(modulus).toString('base64url');
  const key = createPublicKey({key: {kty: 'RSA', n, e: EXPONENT_TEXT}, format: 'jwk'});
  // OpenSSL takes longer to verify with a key read from JWK than with one read from SPKI.
  const spki = key.export({type: 'spki', format: 'der'});
  return rsaPublicKeyOf(createPublicKey({key: spki, type: 'spki', format: 'der'}));
}

/** The PEM of an SPKI public key as a key of any kind; undefined for everything else. */
export function publicKeyOf(pem: string): KeyObject | undefined {
  // A private key would be accepted too, and its public part used: then the secret was in the record.
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) return undefined;
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}
