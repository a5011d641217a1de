import {PaylensError} from '../../contract/paylens-error.js';
import {bytesFromHex, bytesFromLatin1, hexOf, isHex, isLatin1} from '../../platform/bytes.js';
import {ofLast, QUICKLY_FOUND} from './of-last.js';

/**
 * The bytes of a payload in hex of any case (spaces are dropped) or in binary, one character per
 * byte. Throws 2102 on an odd number of hex digits, 2100 if it is neither. `where`: the form, if it is
 * known, for the message.
 */
export function payloadBytes(payload: string, where?: string): Uint8Array {
  const compact = compactHex(payload);
  const bytes = compact === undefined ? undefined : bytesFromHex(compact);
  if (bytes) return bytes;
  if (compact !== undefined) throw halfByte(compact, {where});
  if (isBinaryPayload(payload)) return bytesFromLatin1(payload);
  throw new PaylensError(2100, `expected hex digits, found text of ${payload.length} characters`);
}

/**
 * A binary payload, one character per byte, converted to the hex digits that readers accept; any
 * other payload unchanged.
 */
export function hexIfBinary(payload: string): string {
  return isBinaryPayload(payload) ? hexOf(bytesFromLatin1(payload)) : payload;
}

/** True if every character is a byte and one of them does not occur in text. */
function isBinaryPayload(payload: string): boolean {
  return /[^\t\n\r\x20-\x7e]/.test(payload) && isLatin1(payload);
}

/** `payload` without its spaces if the rest is hex digits. */
export const compactHex = ofLast((payload: string): string | undefined => {
  if (!BEGINS_AS_HEX.test(payload)) return undefined;
  const compact = payload.replaceAll(/\s+/g, '');
  return isHex(compact) ? compact : undefined;
}, QUICKLY_FOUND);

/** Removing the blanks of a long text takes longer. */
const BEGINS_AS_HEX = /^\s*[\da-f]/i;

/**
 * The bytes of a value in hex without spaces. Throws 2102 on an odd number of digits, 2100 if it is no
 * hex. `where`: the value, for the message.
 */
export function hexValue(digits: string, where: string, why = 'expected hex digits'): Uint8Array {
  const bytes = bytesFromHex(digits);
  if (bytes) return bytes;
  if (isHex(digits)) throw halfByte(digits, {where});
  throw new PaylensError(2100, `${where}: ${why}`);
}

/** The error (2102) for an odd number of hex digits. `where`: in which part of a payload. */
export function halfByte(
  {length}: string,
  {where, hint = LOST_DIGIT}: {readonly where?: string | undefined; readonly hint?: string} = {},
): PaylensError {
  const place = where === undefined ? '' : `${where}: `;
  return new PaylensError(2102, `${place}odd number of hex digits: found ${length}`, {
    fault: {kind: 'half-byte'},
    hint,
  });
}

const LOST_DIGIT = 'A hex digit was lost, or one is extra: capture the payload again.';
