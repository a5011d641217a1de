import {createHmac, randomBytes as draw, hash, timingSafeEqual} from 'node:crypto';
import type {HashName} from '../hash-name.js';

export * from './rsa.js';

/** Whether so much is decrypted here that the DES kernel is worth compiling. */
export const COMPILES_DES = true;

/** Whether `PAYLENS_TRACE=1` asks where errors come from. */
export const TRACING = process.env.PAYLENS_TRACE === '1';

interface Coders {
  readonly hexSlice: (this: Uint8Array, start: number, end: number) => string;
  readonly latin1Slice: (this: Uint8Array, start: number, end: number) => string;
  readonly hexWrite: (this: Uint8Array, hex: string, start: number, length: number) => number;
}

/**
 * The functions behind a Buffer's `toString` and `write`: with a Buffer around the bytes a batch takes
 * 4 % longer.
 */
const {hexSlice, latin1Slice, hexWrite} = Buffer.prototype as unknown as Coders;

/** Bytes to lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return hexSlice.call(bytes, 0, bytes.length);
}

/** One character a byte, U+0000 to U+00FF. */
export function latin1Of(bytes: Uint8Array): string {
  return latin1Slice.call(bytes, 0, bytes.length);
}

/** Bytes to base64 (RFC 4648, padded). */
export function base64Of(bytes: Uint8Array): string {
  return view(bytes).toString('base64');
}

/**
 * Base64 or base64url to bytes as far as it goes: other characters are skipped, and bits that make
 * no whole byte are left out.
 */
export function looseBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** Reads hex into the whole of `target`; false if there is anything else. */
export function readHex(hex: string, target: Uint8Array): boolean {
  // Node reads only the low byte of a character.
  return !/[^\0-\xff]/.test(hex) && hexWrite.call(target, hex, 0, target.length) === target.length;
}

/** The hash of bytes, or of a text as UTF-8, in lower-case hex. */
export function hashHex(name: HashName, data: Uint8Array | string): string {
  return hash(name, data);
}

/** The same as a text of one byte a character: Node takes three times as long to make a Buffer. */
export function hashLatin1(name: HashName, data: Uint8Array | string): string {
  return hash(name, data, 'binary');
}

/** The HMAC of bytes. */
export function hmac(name: HashName, key: Uint8Array, data: Uint8Array): Uint8Array {
  return new Uint8Array(createHmac(name, key).update(data).digest());
}

/** SHA-1 in lower-case hex; in the neutral version it does not bring the other hashes along. */
export function sha1Hex(data: Uint8Array | string): string {
  return hash('sha1', data);
}

/** SHA-256 in lower-case hex. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data);
}

/** HMAC-SHA256 of bytes. */
export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
  return hmac('sha256', key, data);
}

/** Compares in constant time; arrays of different lengths are never equal. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Random bytes that nobody can predict. */
export function randomBytes(length: number): Uint8Array {
  return draw(length);
}

/** Milliseconds of this process's work: what a busy machine does besides is not counted. */
export function workedMs(): number {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}

/** Resolves after events that wait have had their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
