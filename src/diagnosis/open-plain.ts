import {openCard} from './open-card.js';
import {openPadded, openText, openZeros} from './open-text.js';
import {better, type Opening} from './opening.js';

/** Enough to look no further for another way to read the same bytes. */
export const STRONG_BITS = 60;

/** Reads a plaintext in every packing. */
export function openPlain(
  plain: Uint8Array,
  special?: (plain: Uint8Array) => Opening | undefined,
): Opening | undefined {
  const card = openCard(plain);
  if (card && card.bits >= STRONG_BITS) return card;
  const others = [openText(plain), openZeros(plain), openPadded(plain), special?.(plain)];
  return others.reduce(better, card);
}
