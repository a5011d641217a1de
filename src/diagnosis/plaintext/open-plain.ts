import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import {latin1Of} from '../../platform/bytes.js';
import {patternBits, wordAt} from './block-filter.js';
import {openCard} from './open-card.js';
import {openPadded, openText, openZeros} from './open-text.js';
import {better, type Opening, openingOf, printable} from './opened-plaintext.js';

/** Enough evidence to stop looking for other readings of the same bytes. */
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

const BLOCK = 8;
/** Shorter patterns are chance too often to be considered. */
const MIN_BLOCKS = 2;

/**
 * Test data: at least two blocks from the start that repeat a byte or a few, or count. Each block
 * is weighed on its own, since under ECB equal blocks follow from each other.
 */
function openPattern(plain: Uint8Array): Opening | undefined {
  let at = 0;
  let bits = 0;
  for (; at + BLOCK <= plain.length; at += BLOCK) {
    const more = patternBits(wordAt(plain, at), wordAt(plain, at + 4));
    if (more === 0) break;
    bits += more;
  }
  if (at < MIN_BLOCKS * BLOCK) return undefined;
  const fact = {kind: 'other', text: `pattern: ${at} bytes repeat or count`, bits} as const;
  const text = printable(latin1Of(plain.subarray(0, at)));
  return openingOf('data', fact, {text, unread: plain.length - at});
}
