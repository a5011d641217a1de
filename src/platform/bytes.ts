import {base64Of, hexOf, looseBase64, readHex} from '#platform';
import {freshBytes} from './fresh-bytes.js';
import {withoutEnd} from './without-end.js';

export {base64Of, hexOf, latin1Of, looseBase64} from '#platform';

/**
 * Hex of any case to bytes; undefined if `hex` is not whole bytes of hex. The bytes are not in the
 * shared Buffer pool, since they may be card data.
 */
export function bytesFromHex(hex: string): Uint8Array | undefined {
  if (hex.length % 2 !== 0) return undefined;
  if (hex.length > LONG_HEX) return bytesFromLongHex(hex);
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0, at = 0; i < bytes.length; i++, at += 2) {
    const high = HEX_VALUE[hex.charCodeAt(at)] ?? -1;
    const low = HEX_VALUE[hex.charCodeAt(at + 1)] ?? -1;
    if ((high | low) < 0) return undefined;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

/** Characters from which the decoder of the runtime pays. */
const LONG_HEX = 128;

function bytesFromLongHex(hex: string): Uint8Array | undefined {
  const bytes = freshBytes(hex.length / 2);
  return readHex(hex, bytes) ? bytes : undefined;
}

/** The byte of two hex digits at an index of `text`; -1 where they are none. */
export function hexByteAt(text: string, at: number): number {
  const high = HEX_VALUE[text.charCodeAt(at)] ?? -1;
  const low = HEX_VALUE[text.charCodeAt(at + 1)] ?? -1;
  return (high | low) < 0 ? -1 : (high << 4) | low;
}

/** Bytes to upper-case hex, as terminals and their manuals print it. */
export function upperHexOf(bytes: Uint8Array): string {
  return hexOf(bytes).toUpperCase();
}

/** The inverse of latin1Of; the text must not contain characters above U+00FF (see isLatin1). */
export function bytesFromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** True when every character is a byte. */
export function isLatin1(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}

/** Base64 (RFC 4648, padded, no other characters) to bytes; undefined when it is not. */
export function bytesFromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const bytes = looseBase64(text);
  return base64Of(bytes) === text ? bytes : undefined;
}

/** Bytes to base64url without padding. */
export function base64UrlOf(bytes: Uint8Array): string {
  return withoutEnd(base64Of(bytes), /=/).replaceAll('+', '-').replaceAll('/', '_');
}

/** A text as UTF-8; half a surrogate pair becomes U+FFFD. */
export function bytesFromUtf8(text: string): Uint8Array {
  return UTF8_ENCODER.encode(text);
}

/** UTF-8 to text; what is none becomes U+FFFD, and a byte order mark stays. */
export function utf8Of(bytes: Uint8Array): string {
  return UTF8_DECODER.decode(bytes);
}

const UTF8_ENCODER = new TextEncoder();
const UTF8_DECODER = new TextDecoder('utf-8', {ignoreBOM: true});

/** A text as UTF-16, little-endian and without a byte order mark. */
export function bytesFromUtf16(text: string): Uint8Array {
  return Uint8Array.from(
    {length: 2 * text.length},
    (_, i) => text.charCodeAt(i >> 1) >> (8 * (i & 1)),
  );
}

/** Whether two arrays hold the same bytes; for what is no secret. */
export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The bytes of hex that is known to be whole bytes of it. Throws RangeError for anything else. */
export function bytesOfHex(hex: string): Uint8Array {
  const bytes = bytesFromHex(hex);
  if (!bytes) throw new RangeError('expected whole bytes of hex');
  return bytes;
}

/** The parts one after the other, in an ArrayBuffer of their own. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, {length}) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Upper-case hex of one byte. */
export function hexByte(value: number): string {
  return UPPER_HEX_BYTES[value] ?? value.toString(16).toUpperCase();
}

const UPPER_HEX_BYTES: readonly string[] = Array.from({length: 256}, (_, value) =>
  value.toString(16).toUpperCase().padStart(2, '0'),
);

/** True when every character is a hex digit. */
export function isHex(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if ((HEX_VALUE[text.charCodeAt(i)] ?? -1) < 0) return false;
  }
  return true;
}

/** Value of a hex digit by character code; -1 for every other code below 256. */
const HEX_VALUE = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  const lower = digit.toString(16);
  HEX_VALUE[lower.charCodeAt(0)] = digit;
  HEX_VALUE[lower.toUpperCase().charCodeAt(0)] = digit;
}
