import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import {openCard} from './open-card.js';
import {openPattern} from './open-pattern.js';
import {openPadded, openText, openZeros} from './open-text.js';
import {better, type Opening} from './opened-plaintext.js';

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
  const best = others.reduce(better, card);
  const isKnown = best && best.bits >= REQUIRED_BITS && best.packing !== 'binary';
  return isKnown ? best : better(best, openPattern(plain));
}
