import {
  bytesFromBase64,
  bytesFromHex,
  bytesFromLatin1,
  isHex,
  upperHexOf,
} from '../../platform/bytes.js';

/** Beginnings of text that no terminal encrypted, and the format they indicate. */
const FOREIGN_TEXTS: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^-----BEGIN [A-Z0-9 ]+-----/, 'a PEM file: a certificate, key or signed message'],
  [/^eyJ[\w-]+\.[\w-]*\.[\w-]*/, 'a JSON web token (JWT, JWE)'],
];

/** The same for bytes, in hex. */
const FOREIGN_BYTES: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^FFD8FF/, 'a JPEG picture'],
  [/^89504E470D0A1A0A/, 'a PNG picture'],
  [/^47494638(?:37|39)61/, 'a GIF picture'],
  [/^255044462D/, 'a PDF document'],
  [/^504B0304/, 'a ZIP archive'],
  [/^1F8B08/, 'gzip data'],
  [/^1[4-7]030[0-4]/, 'a TLS record'],
  [/^3082....(?:3082|02|06092A864886F70D0107)/, 'ASN.1: a certificate, key or CMS message'],
];

/** More characters than an RSA ciphertext has, in whatever form. */
const MAX_FOREIGN_CHARS = 4096;

/** Lengths of RSA moduli in bytes; ciphertext of TDES or AES rarely has them. */
const RSA_LENGTHS = new Set([128, 256, 384, 512]);

/**
 * Names the format that an undecrypted text resembles, if it is one that terminals do not encrypt
 * under DUKPT. This is a guess from its first bytes or its length; no verdict depends on it.
 */
export function looksForeign(text: string): string | undefined {
  const trimmed = text.slice(0, MAX_FOREIGN_CHARS + 1).trim();
  const compact = trimmed.replaceAll(/\s/g, '');
  const bytes = isHex(compact) ? bytesFromHex(compact) : bytesFromBase64(compact);
  const hex = upperHexOf((bytes ?? bytesFromLatin1(trimmed)).subarray(0, 32));
  const known =
    FOREIGN_TEXTS.find(([beginning]) => beginning.test(trimmed)) ??
    FOREIGN_BYTES.find(([beginning]) => beginning.test(hex));
  if (known) return `It looks like ${known[1]}.`;
  if (!bytes || text.length > MAX_FOREIGN_CHARS || !RSA_LENGTHS.has(bytes.length)) return undefined;
  return `It has ${bytes.length} bytes, as an RSA-${8 * bytes.length} ciphertext has.`;
}
