const HEX_BYTES = Array.from({length: 256}, (_, value) => value.toString(16).padStart(2, '0'));
const HEX_BYTE = /^[0-9A-Fa-f]{2}$/;

/** Bytes to lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += HEX_BYTES[byte];
  return hex;
}

/** Reads hex into the whole of `target`; false if there is anything else. */
export function readHex(hex: string, target: Uint8Array): boolean {
  for (let i = 0; i < target.length; i++) {
    const digits = hex.slice(2 * i, 2 * i + 2);
    if (!HEX_BYTE.test(digits)) return false;
    target[i] = Number.parseInt(digits, 16);
  }
  return true;
}

/** Arguments that every runtime allows in one call. */
const MOST_ARGUMENTS = 4096;

/** One character a byte, U+0000 to U+00FF. */
export function latin1Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS) {
    text += String.fromCharCode(...bytes.subarray(at, at + MOST_ARGUMENTS));
  }
  return text;
}

/** Bytes to base64 (RFC 4648, padded). */
export function base64Of(bytes: Uint8Array): string {
  return btoa(latin1Of(bytes));
}

/**
 * Base64 or base64url to bytes as far as it goes: other characters are skipped, the first `=` is
 * the end, and bits that make no whole byte are left out.
 */
export function looseBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((3 * text.length) / 4));
  let [used, bits, count] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const value = BASE64_VALUE[text.charCodeAt(i)] ?? -1;
    if (value === PADDING) break;
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[used++] = bits >> count;
  }
  return bytes.slice(0, used);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PADDING = 64;
/** Value of a character of base64 or base64url by its code; 64 for the padding, -1 for others. */
const BASE64_VALUE = new Int8Array(128).fill(-1);
for (let value = 0; value < BASE64.length; value++) BASE64_VALUE[BASE64.charCodeAt(value)] = value;
BASE64_VALUE['-'.charCodeAt(0)] = 62;
BASE64_VALUE['_'.charCodeAt(0)] = 63;
BASE64_VALUE['='.charCodeAt(0)] = PADDING;
