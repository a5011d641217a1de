import type {SharedKeyEncoding} from '../../contract/auth-method.js';

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
  const written = Buffer.from(text.buffer, text.byteOffset, text.length).toString('latin1');
  return encoding === 'hex' ? decodeHex(written) : decodeBase64(written);
}

/** Bytes of whole hex of any case; undefined for anything else. Buffer stops at a bad digit. */
export function decodeHex(text: string): Buffer | undefined {
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** Bytes of base64 with its padding; undefined for what would be written in another way. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined;
}
