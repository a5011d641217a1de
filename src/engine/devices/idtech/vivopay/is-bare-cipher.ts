import {upperHexOf} from '../../../../platform/bytes.js';
import {isPackedCard} from '../../../card/track2-equivalent.js';
import type {TlvObject} from '../../../tlv/ber.js';

/** A complete encrypted tag 5A has two blocks; anything shorter is the number itself, or a copy. */
const LEAST_BYTES = 16;

/** `4761CCCCCCCC0010`, with one repeated masking digit. */
const MASKED = /^\d{4,6}([ABCF])\1{3,}\d{4}/;

/**
 * True if a 57 or 5A of ordinary length is ciphertext although neither a flag nor a masked copy
 * shows it: a reader may omit the copies. Clear data is distinguished by its digits.
 */
export function isBareCipher({tag, value}: TlvObject): boolean {
  if (tag !== '57' && tag !== '5A') return false;
  if (value.length < LEAST_BYTES || value.length % 8 !== 0) return false;
  return !isPackedCard(value) && !isMaskedNumber(value);
}

/** True for a packed card number whose middle is hidden by one digit. */
export function isMaskedNumber(value: Uint8Array): boolean {
  return MASKED.test(upperHexOf(value));
}
