import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import type {OpenedTarget} from './key-match.js';

/** Two facts of different kinds may be each less rare. */
const TWO_FACTS_BITS = 30;

/**
 * How many bits an opening needs after `tried` trials, so that chance shows it in a whole search less
 * than once in 2^40; less than once in 2^30 where facts of two kinds agree.
 */
export function requiredBits(tried: number, opened: readonly OpenedTarget[]): number {
  const least = hasTwoFacts(opened) ? TWO_FACTS_BITS : REQUIRED_BITS;
  return least + Math.log2(tried + 1);
}

function hasTwoFacts(opened: readonly OpenedTarget[]): boolean {
  const facts = opened.flatMap(({reading}) => reading.openings.flatMap((one) => one.facts));
  const kinds = new Set(facts.map(({kind}) => kind));
  kinds.delete('other');
  return kinds.size >= 2;
}
