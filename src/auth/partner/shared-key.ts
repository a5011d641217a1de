import type {SharedKeyEncoding} from '../../contract/auth-method.js';
import {bytesFromBase64, bytesFromHex, latin1Of} from '../../platform/bytes.js';

/**
 * The key bytes of a shared key, given as the UTF-8 of its text. Undefined when it is empty or not
 * in its encoding: whole bytes of hex, or base64 as it would be written.
 */
export function decodeSharedKey(
  text: Uint8Array,
  encoding: SharedKeyEncoding,
): Uint8Array | undefined {
  if (text.length === 0) return undefined;
  if (encoding === 'utf8') return text;
  const written = latin1Of(text);
  return encoding === 'hex' ? decodeHex(written) : decodeBase64(written);
}

/** Bytes of whole hex of any case; undefined for anything else, and for an empty text. */
export function decodeHex(text: string): Uint8Array | undefined {
  return text === '' ? undefined : bytesFromHex(text);
}

/** Bytes of base64 with its padding; undefined for what would be written in another way. */
export function decodeBase64(text: string): Uint8Array | undefined {
  return text === '' ? undefined : bytesFromBase64(text);
}
