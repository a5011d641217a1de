import type {RsaPublicKey} from '#platform';
import {bytesOfHex, hexOf, isSameBytes, latin1Of} from '../../platform/bytes.js';
import {withoutEnd} from '../../platform/without-end.js';
import {RSA_BYTES} from '../partner/rsa-public-key.js';
import {decodeBase64, decodeHex} from '../partner/shared-key.js';
import type {Variant} from '../partner/variant.js';
import {rsaProofs} from './rsa-proofs.js';

/** Whether the response in a header encodes these bytes. */
export type MatchesBytes = (bytes: Uint8Array) => boolean;

/** What the response of an Hmac header is: 64 hex digits. */
const HMAC_BYTES = 32;
const EXPECTED = `expected ${2 * HMAC_BYTES} hex digits`;
/** Fewer bytes than these could be anything. */
const MIN_RESPONSE_BYTES = 8;

/**
 * The ways to read the response of an Hmac header; a right one comes first and has no mistake. None
 * if it is not a hash in any form.
 */
export function hmacResponses(response: string): readonly Variant<MatchesBytes>[] {
  if (/^[\da-f]{64}$/i.test(response)) return [{value: isBytes(bytesOfHex(response))}];
  return [...ofOtherAlgorithm(response), ...writtenBytes(response)];
}

/**
 * What the response of an Rsa header is compared with: the message itself. None when it was not
 * made with the private key of this partner.
 */
export function rsaResponses(
  response: string,
  key: RsaPublicKey,
): readonly Variant<MatchesBytes>[] {
  const bytes = decodeHex(response) ?? decodeBase64(response);
  if (bytes) return rsaProofs(bytes, key);
  const loose = fromBase64(response.replace(/[\s\r\n]/g, ''));
  const mistake = 'the response is in base64url, or without padding: expected hex or base64';
  return loose
    ? rsaProofs(loose, key).map((proof) => ({
        ...proof,
        mistake: proof.mistake === undefined ? mistake : `${mistake}; ${proof.mistake}`,
      }))
    : [];
}

/** What is wrong with the form of the response of an Hmac or Rsa header, for its writer. */
export function responseFormFault(scheme: 'hmac' | 'rsa', response: string): string | undefined {
  const bytes = decodeHex(response)?.length ?? decodeBase64(response)?.length;
  if (scheme === 'rsa') return bytes === undefined ? NOT_RSA : tooShort(bytes);
  if (/^[\da-f]{64}$/i.test(response)) return undefined;
  if (bytes !== undefined && bytes >= RSA_BYTES.least)
    return 'response: it has the length of an RSA signature, whose scheme is Rsa, not Hmac';
  const found = /^[\da-f]*$/i.test(response)
    ? `${response.length} hex digits`
    : `${response.length} characters, not all hex`;
  return `response: ${EXPECTED}, found ${found}`;
}

const NOT_RSA = 'response: expected hex or base64 of the signature';

function tooShort(bytes: number): string | undefined {
  if (bytes >= RSA_BYTES.least) return undefined;
  const found = `response: an RSA signature has ${RSA_BYTES.least} bytes or more, found ${bytes}`;
  return bytes === HMAC_BYTES ? `${found}: that is an HMAC, whose scheme is Hmac, not Rsa` : found;
}

/** Digests of other lengths; the search finds the algorithm. */
function ofOtherAlgorithm(response: string): readonly Variant<MatchesBytes>[] {
  const bytes = decodeHex(response) ?? decodeBase64(response);
  const isOther = bytes && bytes.length >= MIN_RESPONSE_BYTES && bytes.length !== HMAC_BYTES;
  return isOther ? [{value: isBytes(bytes)}] : [];
}

function writtenBytes(response: string): readonly Variant<MatchesBytes>[] {
  const plain = response.replace(/^(?:0x|sha256=)/i, '').replace(/[\s:-]/g, '');
  const bytes = decodeHex(plain);
  const as = (mistake: string, value: MatchesBytes | undefined): Variant<MatchesBytes>[] =>
    value ? [{mistake: `the response ${mistake}: ${EXPECTED}`, value}] : [];
  const base64 = fromBase64(response);
  const inner = decodeHex(bytes ? latin1Of(bytes) : '');
  return [
    ...as('is in base64', base64 && isBytes(base64)),
    ...as('is the base64 of its hex', isTextBytes(base64)),
    ...as('is hex twice', inner && isBytes(inner)),
    ...as('has more than hex digits', plain === response ? undefined : bytes && isBytes(bytes)),
    ...as('is truncated', bytes && isStart(bytes)),
    ...as('lacks the leading zeros of its bytes', isUnpadded(plain)),
  ];
}

/** Base64 or base64url, with its padding or without. */
function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[\w+/-]{10,}={0,2}$/.test(text)) return undefined;
  const usual = withoutEnd(text.replaceAll('-', '+').replaceAll('_', '/'), /=/);
  return decodeBase64(usual.padEnd(Math.ceil(usual.length / 4) * 4, '='));
}

function isBytes(found: Uint8Array): MatchesBytes {
  return (bytes) => isSameBytes(found, bytes);
}

function isTextBytes(bytes: Uint8Array | undefined): MatchesBytes | undefined {
  const decoded = bytes && decodeHex(latin1Of(bytes));
  return decoded && isBytes(decoded);
}

function isStart(found: Uint8Array): MatchesBytes | undefined {
  if (found.length < MIN_RESPONSE_BYTES) return undefined;
  return (bytes) => bytes.length > found.length && isBytes(found)(bytes.subarray(0, found.length));
}

function isUnpadded(response: string): MatchesBytes | undefined {
  if (!/^[\da-f]{32,63}$/i.test(response)) return undefined;
  const found = response.toLowerCase();
  return (bytes) => {
    const digits = [...bytes].map((byte) => byte.toString(16)).join('');
    return digits === found || hexOf(bytes).replace(/^0+/, '') === found;
  };
}
