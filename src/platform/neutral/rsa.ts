import {hashHex} from './hashes.js';
import {
  type RsaNumbers,
  readPkcs1,
  readPkcs8,
  readSpki,
  writePkcs8,
  writeSpki,
} from './rsa-encoding.js';
import {base64Of, hexOf} from './text.js';

/** An RSA public key: modulus big-endian without a leading zero, exponent in decimal. */
export interface RsaPublicKey {
  readonly modulus: Uint8Array;
  readonly exponent: string;
}

/** A private key as it is imported into Web Crypto, and its public half. */
export interface RsaPrivateKey {
  readonly pkcs8: Uint8Array<ArrayBuffer>;
  readonly numbers: RsaNumbers;
}

const RSASSA = {name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256'};

/** The RSA key in a PEM of SPKI; undefined for everything else. */
export function readRsaPublicKey(pem: string): RsaPublicKey | undefined {
  const der = derOf(pem, 'PUBLIC KEY');
  const numbers = der && readSpki(der);
  return numbers && {modulus: numbers.modulus, exponent: String(numberOf(numbers.exponent))};
}

/** The key with this odd modulus and exponent 65537. */
export function rsaKeyOfModulus(modulus: Uint8Array): RsaPublicKey {
  return {modulus: new Uint8Array(modulus), exponent: '65537'};
}

/** The RSA key in a PEM that is not encrypted (PKCS #8 or PKCS #1); undefined for everything else. */
export function readRsaPrivateKey(pem: Uint8Array): RsaPrivateKey | undefined {
  const text = new TextDecoder().decode(pem);
  const inner = derOf(text, 'RSA PRIVATE KEY');
  const pkcs8 = inner ? writePkcs8(inner) : derOf(text, 'PRIVATE KEY');
  const numbers = pkcs8 && (inner ? readPkcs1(inner) : readPkcs8(pkcs8));
  return pkcs8 && numbers && {pkcs8, numbers};
}

/** The public half of a private key, as a PEM of SPKI. */
export function publicPemOf({numbers}: RsaPrivateKey): string {
  const lines = base64Of(writeSpki(numbers)).replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----\n`;
}

/**
 * Signs with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 8017, 8.2). Web Crypto does it, since arithmetic with
 * a private key has to take the same time for every key; pages have it on https and localhost only.
 */
export async function signRsaSha256({pkcs8}: RsaPrivateKey, data: Uint8Array): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, RSASSA, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign(RSASSA.name, key, new Uint8Array(data)));
}

/** Whether a signature of RSASSA-PKCS1-v1_5 and SHA-256 is of `data` (RFC 8017, 8.2.2). */
export function isRsaSignature(
  key: RsaPublicKey,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const block = openRsaSignature(key, signature);
  if (!block) return false;
  const end = `00${SHA256_INFO}${hashHex('sha256', data)}`;
  const filled = block.length - end.length / 2 - 2;
  return hexOf(block) === `0001${'ff'.repeat(filled)}${end}`;
}

/** What says that a SHA-256 follows (RFC 8017, 9.2, note 1). */
const SHA256_INFO = '3031300d060960864801650304020105000420';

/** The block that was signed, padding included (RFC 8017, 5.2.2); undefined for what is no signature. */
export function openRsaSignature(
  {modulus, exponent}: RsaPublicKey,
  signature: Uint8Array,
): Uint8Array | undefined {
  const [n, s] = [numberOf(modulus), numberOf(signature)];
  if (signature.length !== modulus.length || s >= n) return undefined;
  return bytesOf(power(s, BigInt(exponent), n), modulus.length);
}

/** Everything in it is public: it need not take the same time for every number. */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${hexOf(bytes)}`);
}

function bytesOf(number: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = length - 1, rest = number; at >= 0; at--, rest >>= 8n) {
    bytes[at] = Number(rest & 0xffn);
  }
  return bytes;
}

function derOf(pem: string, label: string): Uint8Array<ArrayBuffer> | undefined {
  const [, body] = pem.split(`-----BEGIN ${label}-----`);
  const [base64 = '', after] = body?.split(`-----END ${label}-----`) ?? [];
  if (after === undefined || !/^[\w+/=\s]+$/.test(base64)) return undefined;
  try {
    return Uint8Array.from(atob(base64.replace(/\s/g, '')), (text) => text.charCodeAt(0));
  } catch {
    return undefined;
  }
}
