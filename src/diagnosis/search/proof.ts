import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import type {OpenedTarget} from './key-match.js';

/** Two facts that agree may be each less rare. */
const TWO_FACTS_BITS = 30;

/**
 * How many bits an opening needs after `tried` trials, so that chance shows it in a whole search less
 * than once in 2^40; less than once in 2^30 where facts of two kinds agree.
 */
export function requiredBits(tried: number, opened: readonly OpenedTarget[]): number {
  const least = hasTwoFacts(opened) ? TWO_FACTS_BITS : REQUIRED_BITS;
  return least + Math.log2(tried + 1);
}

/** Kinds of facts that do not follow from each other. */
const KINDS: readonly RegExp[] = [
  /^(?:grammar|alphabet|all characters|digits to|PIN block|PAN of digits|track 2 equivalent)/,
  /^LRC/,
  /walks to its end/,
  /masked copy/,
  /^sha\d+ /i,
  /^57 agrees/,
  /given PAN/,
  /^begins as expected/,
  /padding/,
];

function hasTwoFacts(opened: readonly OpenedTarget[]): boolean {
  const facts = opened.flatMap(({reading}) => reading.openings.flatMap((one) => one.facts));
  return KINDS.filter((kind) => facts.some((fact) => kind.test(fact))).length >= 2;
}
