import {upperHexOf} from '../../../../platform/bytes.js';
import {isPackedCard} from '../../../card/track2-equivalent.js';
import type {TlvObject} from '../../../tlv/ber.js';

/** A whole tag 5A takes two blocks; what is shorter is the number itself, or a copy of it. */
const LEAST_BYTES = 16;

/** `4761CCCCCCCC0010`, with the one digit that masks. */
const MASKED = /^\d{4,6}([ABCF])\1{3,}\d{4}/;

/**
 * Whether a 57 or 5A of ordinary length holds ciphertext although neither a flag nor a masked copy
 * says so: a reader may leave the copies out. Clear data is told from it by its digits.
 */
export function isBareCipher({tag, value}: TlvObject): boolean {
  if (tag !== '57' && tag !== '5A') return false;
  if (value.length < LEAST_BYTES || value.length % 8 !== 0) return false;
  return !isPackedCard(value) && !isMaskedNumber(value);
}

/** True for a packed card number whose middle one digit hides. */
export function isMaskedNumber(value: Uint8Array): boolean {
  return MASKED.test(upperHexOf(value));
}
