import {freshBytes} from './fresh-bytes.js';

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

/** Characters from which Node's own decoder pays. */
const LONG_HEX = 128;

function bytesFromLongHex(hex: string): Uint8Array | undefined {
  // Node reads only the low byte of a character.
  if (/[^\0-\xff]/.test(hex)) return undefined;
  const bytes = freshBytes(hex.length / 2);
  return view(bytes).write(hex, 'hex') < bytes.length ? undefined : bytes;
}

/** The byte of two hex digits at an index of `text`; -1 where they are none. */
export function hexByteAt(text: string, at: number): number {
  const high = HEX_VALUE[text.charCodeAt(at)] ?? -1;
  const low = HEX_VALUE[text.charCodeAt(at + 1)] ?? -1;
  return (high | low) < 0 ? -1 : (high << 4) | low;
}

/** Bytes to lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return hexSlice.call(bytes, 0, bytes.length);
}

/** Bytes to upper-case hex, as terminals and their manuals print it. */
export function upperHexOf(bytes: Uint8Array): string {
  return hexOf(bytes).toUpperCase();
}

/** One character a byte, U+0000 to U+00FF. */
export function latin1Of(bytes: Uint8Array): string {
  return latin1Slice.call(bytes, 0, bytes.length);
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

/** Bytes to base64. */
export function base64Of(bytes: Uint8Array): string {
  return view(bytes).toString('base64');
}

/** Base64 (RFC 4648, padded, no other characters) to bytes; undefined when it is not. */
export function bytesFromBase64(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  return base64Of(bytes) === text ? bytes : undefined;
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
  return HEX_BYTES[value] ?? value.toString(16).toUpperCase();
}

const HEX_BYTES: readonly string[] = Array.from({length: 256}, (_, value) =>
  value.toString(16).toUpperCase().padStart(2, '0'),
);

/** True when every character is a hex digit. */
export function isHex(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if ((HEX_VALUE[text.charCodeAt(i)] ?? -1) < 0) return false;
  }
  return true;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface Coders {
  readonly hexSlice: (this: Uint8Array, start: number, end: number) => string;
  readonly latin1Slice: (this: Uint8Array, start: number, end: number) => string;
}

/**
 * The function behind a Buffer's `toString`: with a Buffer around the bytes a batch takes 4 %
 * longer.
 */
const {hexSlice, latin1Slice} = Buffer.prototype as unknown as Coders;

/** Value of a hex digit by character code; -1 for every other code below 256. */
const HEX_VALUE = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  const lower = digit.toString(16);
  HEX_VALUE[lower.charCodeAt(0)] = digit;
  HEX_VALUE[lower.toUpperCase().charCodeAt(0)] = digit;
}
