import {type RsaPublicKey, readRsaPublicKey} from '#platform';
import {PaylensError} from '../../contract/paylens-error.js';

/** How many bytes the modulus of a partner's key has: 2048 to 8192 bits. */
export const RSA_BYTES = {least: 256, most: 1024} as const;

/** The exponent of every key: another would make verifying cost another time. */
const EXPONENT = '65537';

/** The RSA key of a partner. Throws 9015 unless it is one of 2048 to 8192 bits with exponent 65537. */
export function partnerRsaKey(pem: string, partnerId: string): RsaPublicKey {
  const key = readRsaPublicKey(pem);
  if (!key) throw unusableKey(partnerId, 'expected an RSA public key in PEM form (SPKI)');
  const bits = 8 * key.modulus.length - (Math.clz32(key.modulus[0] ?? 0) - 24);
  if (bits < 8 * RSA_BYTES.least)
    throw unusableKey(partnerId, `expected 2048 bits or more, found ${bits}`);
  if (bits > 8 * RSA_BYTES.most)
    throw unusableKey(partnerId, `expected at most 8192 bits, found ${bits}`);
  if (key.exponent !== EXPONENT)
    throw unusableKey(partnerId, `expected exponent 65537, found ${key.exponent}`);
  return key;
}

function unusableKey(partnerId: string, what: string): PaylensError {
  return new PaylensError(9015, `partner ${partnerId}: rsaPublicKey: ${what}`);
}
