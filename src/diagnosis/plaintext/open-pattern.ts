import {latin1Of} from '../../platform/bytes.js';
import {patternBits, wordAt} from './block-filter.js';
import type {Opening} from './opened-plaintext.js';

const BLOCK = 8;
/** Shorter patterns are chance too often to be worth a thought. */
const LEAST_BLOCKS = 2;

/**
 * Test data: two blocks or more from the first on that repeat a byte or a few, or count. Only what
 * a block shows by itself counts: under ECB equal blocks follow from each other.
 */
export function openPattern(plain: Uint8Array): Opening | undefined {
  let at = 0;
  let bits = 0;
  for (; at + BLOCK <= plain.length; at += BLOCK) {
    const more = patternBits(wordAt(plain, at), wordAt(plain, at + 4));
    if (more === 0) break;
    bits += more;
  }
  if (at < LEAST_BLOCKS * BLOCK) return undefined;
  const text = latin1Of(plain.subarray(0, at));
  const facts = [`pattern: ${at} bytes repeat or count`];
  const unread = plain.length - at;
  return {packing: 'data', bits, facts, text: /^[ -~]+$/.test(text) ? text : '', unread};
}
