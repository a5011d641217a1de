import {openRsaSignature, type RsaPublicKey} from '#platform';
import {
  bytesFromLatin1,
  bytesOfHex,
  concatBytes,
  hexOf,
  isSameBytes,
} from '../../platform/bytes.js';
import {hashHex} from '../../platform/hash.js';
import type {HashName} from '../../platform/hash-name.js';
import type {Variant} from '../partner/variant.js';

/** Whether a signature is one of this message. */
type Proof = (message: Uint8Array) => boolean;

/**
 * What a response proves under a partner's RSA key. None when it was not made with the private key
 * that belongs to it: what it signs is then unknown.
 */
export function rsaProofs(response: Uint8Array, rsaKey: RsaPublicKey): readonly Variant<Proof>[] {
  const signed = signedBlock(response, rsaKey);
  if (signed !== undefined) return HASHES.flatMap((hash) => blockProofs(signed, hash));
  const reversed = signedBlock(response.slice().reverse(), rsaKey);
  if (reversed === undefined) return pssProofs(response, rsaKey);
  return HASHES.flatMap((hash) => blockProofs(reversed, hash)).map(({mistake, value}) => ({
    mistake: [REVERSED, ...(mistake === undefined ? [] : [mistake])].join(', and '),
    value,
  }));
}

const REVERSED = 'the bytes of the signature are in reverse order';

/** Names of hashes, and the prefix of each in a block of PKCS #1 (RFC 8017, 9.2, note 1). */
const HASHES = [
  ['sha256', 'SHA-256', '3031300d060960864801650304020105000420'],
  ['sha1', 'SHA-1', '3021300906052b0e03021a05000414'],
  ['sha384', 'SHA-384', '3041300d060960864801650304020205000430'],
  ['sha512', 'SHA-512', '3051300d060960864801650304020305000440'],
  ['md5', 'MD5', '3020300c06082a864886f70d020505000410'],
] as const;

type Hash = (typeof HASHES)[number];

/** What was signed, of a signature of PKCS #1 v1.5 that this key opens. */
function signedBlock(response: Uint8Array, key: RsaPublicKey): string | undefined {
  const block = openRsaSignature(key, response);
  return block && PKCS1_BLOCK.exec(hexOf(block))?.[1];
}

/** The padding (RFC 8017, 9.2), then what was signed. */
const PKCS1_BLOCK = /^0001(?:ff){8,}00(.*)$/;

function blockProofs(block: string, [algorithm, name, prefix]: Hash): readonly Variant<Proof>[] {
  const other = `it was signed with ${name} instead of SHA-256`;
  const twice = 'the string to hash was hashed before it was signed';
  const proof = (mistake: string | undefined, expected: (message: Uint8Array) => string) => ({
    ...(mistake !== undefined && {mistake}),
    value: (message: Uint8Array) => block === expected(message),
  });
  const hex = (message: Uint8Array) => hashHex(algorithm, message);
  const again = (bytes: Uint8Array) => prefix + hex(bytes);
  return [
    proof(algorithm === 'sha256' ? undefined : other, (message) => prefix + hex(message)),
    proof(twice, (message) => again(bytesOfHex(hex(message)))),
    proof(twice, (message) => again(bytesFromLatin1(hex(message)))),
    proof('the hash was signed without the name of its algorithm', hex),
    proof('the hex of the hash was signed without the name of its algorithm', (message) =>
      hexOf(bytesFromLatin1(hex(message))),
    ),
  ];
}

function pssProofs(response: Uint8Array, key: RsaPublicKey): readonly Variant<Proof>[] {
  const block = openRsaSignature(key, response);
  if (block?.at(-1) !== PSS_TRAILER) return [];
  return HASHES.map(([algorithm, name]) => ({
    mistake: `${PSS}${algorithm === 'sha256' ? '' : `, and ${name} instead of SHA-256`}`,
    value: (message: Uint8Array) => isPssBlock(block, algorithm, message, key.modulus),
  }));
}

const PSS = 'it was signed with PSS padding instead of PKCS #1 v1.5';

/** The last byte of every PSS block (RFC 8017, 9.1.1). */
const PSS_TRAILER = 0xbc;

/**
 * Whether `block`, as long as the modulus, is what EMSA-PSS makes of a message with a salt of any
 * length; MGF1 uses the same hash (RFC 8017, 9.1.2).
 */
export function isPssBlock(
  block: Uint8Array,
  name: HashName,
  message: Uint8Array,
  modulus: Uint8Array,
): boolean {
  // Of the first byte a block leaves zero one bit more than the modulus does.
  const unused = Math.clz32(modulus[0] ?? 0) - 24 + 1;
  // With 8 bits unused the block is one byte shorter, and that byte is zero.
  const encoded = unused === 8 ? block.subarray(1) : block;
  const first = unused === 8 ? 0xff : 0xff >> unused;
  const digest = hashOf(name, message);
  const split = encoded.length - digest.length - 1;
  const isFilled = encoded.at(-1) === PSS_TRAILER && ((encoded[0] as number) & ~first) === 0;
  if (split < 1 || !isFilled || (unused === 8 && block[0] !== 0)) return false;
  const blockDigest = encoded.subarray(split, -1);
  const mask = maskOf(blockDigest, name, split);
  const opened = encoded.subarray(0, split).map((byte, i) => byte ^ (mask[i] as number));
  opened[0] = (opened[0] as number) & first;
  const one = opened.findIndex((byte) => byte !== 0);
  if (opened[one] !== 1) return false;
  const salted = concatBytes(new Uint8Array(8), digest, opened.subarray(one + 1));
  return isSameBytes(blockDigest, hashOf(name, salted));
}

/** MGF1 (RFC 8017, B.2.1). */
function maskOf(seed: Uint8Array, name: HashName, length: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let counter = 0, made = 0; made < length; counter++) {
    const part = hashOf(name, concatBytes(seed, Uint8Array.of(0, 0, counter >> 8, counter & 0xff)));
    parts.push(part);
    made += part.length;
  }
  return concatBytes(...parts);
}

function hashOf(name: HashName, data: Uint8Array): Uint8Array {
  return bytesOfHex(hashHex(name, data));
}
