import {constants, createHash, type KeyObject, publicDecrypt, verify} from 'node:crypto';
import type {RsaPublicKey} from '../partner/rsa-public-key.js';
import type {Variant} from '../partner/signing-keys.js';

/** Whether a signature is one of this message. */
type Proof = (message: Uint8Array) => boolean;

/**
 * What a response proves under a partner's RSA key. None when it was not made with the private key
 * that belongs to it: what it signs is then unknown.
 */
export function rsaProofs(response: Uint8Array, rsaKey: RsaPublicKey): readonly Variant<Proof>[] {
  const signed = signedBlock(response, rsaKey);
  if (signed !== undefined) return HASHES.flatMap((hash) => blockProofs(signed, hash));
  const reversed = signedBlock(Buffer.from(response).reverse(), rsaKey);
  if (reversed === undefined) return pssProofs(response, rsaKey);
  return HASHES.flatMap((hash) => blockProofs(reversed, hash)).map(({mistake, value}) => ({
    mistake: [REVERSED, ...(mistake === undefined ? [] : [mistake])].join(', and '),
    value,
  }));
}

const REVERSED = 'the bytes of the signature are in reverse order';

/** Names of hashes, and how a block of PKCS #1 says that it holds one (RFC 8017, 9.2, note 1). */
const HASHES = [
  ['sha256', 'SHA-256', '3031300d060960864801650304020105000420'],
  ['sha1', 'SHA-1', '3021300906052b0e03021a05000414'],
  ['sha384', 'SHA-384', '3041300d060960864801650304020205000430'],
  ['sha512', 'SHA-512', '3051300d060960864801650304020305000440'],
  ['md5', 'MD5', '3020300c06082a864886f70d020505000410'],
] as const;

type Hash = (typeof HASHES)[number];

/** What was signed, of a signature of PKCS #1 v1.5 that this key opens. */
function signedBlock(response: Uint8Array, {key}: RsaPublicKey): string | undefined {
  try {
    return publicDecrypt({key, padding: constants.RSA_PKCS1_PADDING}, response).toString('hex');
  } catch {
    return undefined;
  }
}

function blockProofs(block: string, [algorithm, name, prefix]: Hash): readonly Variant<Proof>[] {
  const other = `it was signed with ${name} instead of SHA-256`;
  const twice = 'the string to hash was hashed before it was signed';
  const proof = (mistake: string | undefined, expected: (message: Uint8Array) => string) => ({
    ...(mistake !== undefined && {mistake}),
    value: (message: Uint8Array) => block === expected(message),
  });
  const hex = (message: Uint8Array) => hashOf(algorithm, message).toString('hex');
  const again = (bytes: Buffer) => prefix + hex(bytes);
  return [
    proof(algorithm === 'sha256' ? undefined : other, (message) => prefix + hex(message)),
    proof(twice, (message) => again(hashOf(algorithm, message))),
    proof(twice, (message) => again(Buffer.from(hex(message)))),
    proof('the hash was signed without the name of its algorithm', hex),
    proof('the hex of the hash was signed without the name of its algorithm', (message) =>
      Buffer.from(hex(message)).toString('hex'),
    ),
  ];
}

function pssProofs(response: Uint8Array, {key}: RsaPublicKey): readonly Variant<Proof>[] {
  if (!isPss(response, key)) return [];
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return HASHES.map(([algorithm, name]) => ({
    mistake: `${PSS}${algorithm === 'sha256' ? '' : `, and ${name} instead of SHA-256`}`,
    value: (message: Uint8Array) => verify(algorithm, message, {key, padding}, response),
  }));
}

const PSS = 'it was signed with PSS padding instead of PKCS #1 v1.5';
/** The last byte of every PSS block (RFC 8017, 9.1.1). */
const PSS_TRAILER = 0xbc;

function isPss(response: Uint8Array, key: KeyObject): boolean {
  try {
    return publicDecrypt({key, padding: constants.RSA_NO_PADDING}, response).at(-1) === PSS_TRAILER;
  } catch {
    return false;
  }
}

function hashOf(algorithm: string, message: Uint8Array): Buffer {
  return createHash(algorithm).update(message).digest();
}
